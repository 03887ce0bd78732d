package dev.coppice.cli.connect;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Console;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.zip.CRC32C;

/**
 * A configuration file of an agent program. What it was before our change is remembered, so that an
 * undo gives it back byte by byte; if others have changed it since, the undo takes only ours out.
 */
final class ConfigurationFile {
    private static final String ENDING = ".json";

    private final Path file;
    private final Path memory;
    private final @Nullable String text;
    private final ObjectNode document;

    /** {@code memories} is the directory for what files were before. */
    ConfigurationFile(Path file, Path memories) {
        this.file = real(file.toAbsolutePath().normalize());
        var sum = new CRC32C();
        sum.update(this.file.toString().getBytes(StandardCharsets.UTF_8));
        var name = HexFormat.of().toHexDigits((int) sum.getValue());
        this.memory = memories.resolve(this.file.getFileName() + "-" + name + ENDING);
        this.text = read(this.file);
        this.document = parsed();
    }

    /** A link, such as into a person's own repository, stays one: the file behind it changes. */
    private static Path real(Path file) {
        try {
            return Files.exists(file) ? file.toRealPath() : file;
        } catch (IOException e) {
            throw new UncheckedIOException("following " + file, e);
        }
    }

    /**
     * The text that our last change found, null if there was no file, and its own; and the rights
     * of the file before our first change.
     */
    private record Memory(
            String file, @Nullable String before, String after, @Nullable String rights) {}

    private ObjectNode parsed() {
        if (text == null || text.isBlank()) return Json.object();
        try {
            if (Json.read(text) instanceof ObjectNode object) return object;
        } catch (Json.Unreadable e) {
            throw new Args.Invalid(
                    "%s cannot be read, and nothing was changed: %s"
                            .formatted(file, e.getMessage()));
        }
        throw new Args.Invalid(file + " is not a JSON object; nothing was changed");
    }

    private static @Nullable String read(Path file) {
        try {
            return Files.exists(file) ? Files.readString(file) : null;
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
    }

    ObjectNode document() {
        return document;
    }

    Path path() {
        return file;
    }

    /** Makes a change; returns the text of the file after it, null if there is none any more. */
    private @Nullable String changed(Consumer<ObjectNode> change) {
        var after = document.deepCopy();
        change.accept(after);
        if (after.equals(document)) return text;
        return after.isEmpty() ? null : Json.pretty(after) + "\n";
    }

    /**
     * Adds what is ours: shows the difference, and writes it unless it is only to be shown. {@code
     * without} takes out what an earlier change of ours has left.
     */
    void add(
            Consumer<ObjectNode> change, Consumer<ObjectNode> without, Mode mode, Console console) {
        var after = changed(change);
        if (show(after, console) && mode == Mode.WRITE && after != null) {
            var last = untouched();
            boolean hasOurs = last == null && Files.exists(memory);
            var before = hasOurs ? changed(without) : last == null ? text : last.before();
            var rights = rights();
            remember(new Memory(file.toString(), before, after, rights));
            write(after, rights);
            if (Secrets.isIn(after)) {
                console.out().println(file + " holds a token now, so only you can read it");
            }
        }
    }

    /** Takes out what is ours. */
    void remove(Consumer<ObjectNode> change, Mode mode, Console console) {
        var last = untouched();
        var after = last == null ? changed(change) : last.before();
        if (!show(after, console) || mode != Mode.WRITE) return;
        if (after == null) delete(file);
        else write(after, rights());
        delete(memory);
    }

    /** Selects whether a change is made, or only shown. */
    enum Mode {
        WRITE,
        SHOW
    }

    /** False if nothing changes. */
    private boolean show(@Nullable String after, Console console) {
        if (Objects.equals(text, after)) {
            console.out().println(file + " stays as it is");
            return false;
        }
        console.out().println(file + ":");
        var lines = Difference.of(lines(text), lines(after));
        lines.forEach(line -> console.out().println(Secrets.hidden(line)));
        return true;
    }

    private static List<String> lines(@Nullable String text) {
        return text == null ? List.of() : text.lines().toList();
    }

    /** Our last change of the file; null if there was none. */
    private @Nullable Memory remembered() {
        var remembered = read(memory);
        return remembered == null ? null : Json.as(remembered, Memory.class);
    }

    /** Our last change of the file; null if there was none, or if others changed it since. */
    private @Nullable Memory untouched() {
        var last = remembered();
        return last != null && last.after().equals(text) ? last : null;
    }

    /** The rights of the file without our changes; null if there was no file. */
    private @Nullable String rights() {
        var last = remembered();
        if (last != null && last.rights() != null) return last.rights();
        try {
            return Files.exists(file)
                    ? PosixFilePermissions.toString(Files.getPosixFilePermissions(file))
                    : null;
        } catch (IOException e) {
            throw new UncheckedIOException("reading the rights of " + file, e);
        }
    }

    /** A file of ours that belongs to this one, in the directory for what files were before. */
    Path beside(String ending) {
        var name = memory.getFileName().toString();
        return memory.resolveSibling(name.substring(0, name.length() - ENDING.length()) + ending)
                .toAbsolutePath()
                .normalize();
    }

    private void remember(Memory last) {
        SecretFile.write(memory, Json.write(last));
    }

    private static void delete(Path path) {
        try {
            Files.deleteIfExists(path);
        } catch (IOException e) {
            throw new UncheckedIOException("deleting " + path, e);
        }
    }

    /** Replaces the file at once, so that no program sees half of it. */
    private void write(String content, @Nullable String rights) {
        try {
            var directory = file.getParent();
            Files.createDirectories(directory);
            var made = Files.createTempFile(directory, ".coppice-", ".json");
            Files.writeString(made, content);
            // A temporary file is its owner's alone, as is one with a token; others have readers.
            if (rights != null && !Secrets.isIn(content)) {
                Files.setPosixFilePermissions(made, PosixFilePermissions.fromString(rights));
            }
            Files.move(made, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("writing " + file, e);
        }
    }
}
