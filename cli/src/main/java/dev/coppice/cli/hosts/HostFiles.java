package dev.coppice.cli.hosts;

import dev.coppice.cli.engine.Args;
import dev.coppice.client.OwnerOnly;
import dev.coppice.runner.LocalCoordinator;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;

/** The hosts of a coordinator: a file for each in its data directory, and one with its state. */
record HostFiles(Path data) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");
    private static final String HOST = ".host";
    private static final String STATE = ".state";
    private static final String ID = "id";
    private static final int ID_BYTES = 8;

    /** The state of a host whose runner takes runs. */
    static final String CONNECTED = "connected";

    /** A coordinator keeps a connection to so many hosts at most. */
    static final int HOSTS_MAX = 100;

    /** The hosts of the coordinator with this data directory. */
    static HostFiles in(Path data) {
        return new HostFiles(data);
    }

    Path directory() {
        return data.resolve("hosts");
    }

    /** The present state of a connection, since when, and what it says. */
    record State(String state, String since, @Nullable String runner, @Nullable String says) {}

    /** True if a coordinator runs, which keeps the connections. */
    boolean areServed() {
        var holder = LocalCoordinator.in(data).holder();
        return holder.filter(LocalCoordinator.Holder::isServing).isPresent();
    }

    static void check(String name) {
        if (NAME.matcher(name).matches()) return;
        throw new Args.Invalid(
                "'%s' is no name for a host: use letters, digits, '.', '_' and '-'"
                        .formatted(name));
    }

    List<String> names() {
        if (!Files.isDirectory(directory())) return List.of();
        var names = new ArrayList<String>();
        try (var all = Files.newDirectoryStream(directory(), "*" + HOST)) {
            for (var file : all) {
                var name = file.getFileName().toString();
                names.add(name.substring(0, name.length() - HOST.length()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + directory(), e);
        }
        names.sort(null);
        return names;
    }

    /** A host; null if there is none. Throws {@link Json.Unreadable} for a damaged file. */
    @Nullable SshHost find(String name) {
        var text = read(directory().resolve(name + HOST));
        return text == null ? null : whole(Json.as(text, SshHost.class));
    }

    private static SshHost whole(SshHost host) {
        var _ = SshAddress.of(host.address());
        return host;
    }

    boolean has(String name) {
        return Files.exists(directory().resolve(name + HOST));
    }

    /** The state of a connection; null if it is not known. */
    @Nullable State state(String name) {
        var text = read(directory().resolve(name + STATE));
        try {
            return text == null ? null : Json.as(text, State.class);
        } catch (RuntimeException _) {
            return null;
        }
    }

    /** The id of this coordinator among those that use a directory of a host. */
    String id() {
        var file = directory().resolve(ID);
        var before = read(file);
        if (before != null && !before.isBlank()) return before.strip();
        var bytes = new byte[ID_BYTES];
        new SecureRandom().nextBytes(bytes);
        var id = HexFormat.of().formatHex(bytes);
        write(ID, id);
        return id;
    }

    private static @Nullable String read(Path file) {
        try {
            return Files.readString(file);
        } catch (NoSuchFileException _) {
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
    }

    void write(SshHost host) {
        write(host.name() + HOST, Json.write(host));
    }

    void write(String name, State state) {
        write(name + STATE, Json.write(state));
    }

    private void write(String file, String text) {
        try {
            OwnerOnly.directory(directory());
            OwnerOnly.write(directory().resolve(file), text);
        } catch (IOException e) {
            throw new UncheckedIOException("writing " + directory().resolve(file), e);
        }
    }

    boolean hasState(String name) {
        return Files.exists(directory().resolve(name + STATE));
    }

    /** Deletes the state; the connection writes it again. */
    void forgetState(String name) {
        delete(name, STATE);
    }

    void delete(String name) {
        delete(name, HOST);
        delete(name, STATE);
    }

    private void delete(String name, String what) {
        try {
            Files.deleteIfExists(directory().resolve(name + what));
        } catch (IOException e) {
            throw new UncheckedIOException("deleting the files of " + name, e);
        }
    }
}
