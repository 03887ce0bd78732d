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
 * A configuration file of an agent program. Its text before our change is saved, so that an undo
 * restores it byte by byte. If the file has changed since, the undo only removes our entries.
 */
final class ConfigurationFile {
    private static final String ENDING = ".json";

    private final Path file;
    private final Path memory;
    private final @Nullable String text;
    private final ObjectNode document;

    /** {@code memories} is the directory of the saved texts. */
    ConfigurationFile(Path file, Path memories) {
        this.file = real(file.toAbsolutePath().normalize());
        var sum = new CRC32C();
        sum.update(this.file.toString().getBytes(StandardCharsets.UTF_8));
        var name = HexFormat.of().toHexDigits((int) sum.getValue());
        this.memory = memories.resolve(this.file.getFileName() + "-" + name + ENDING);
        this.text = read(this.file);
        this.document = parsed();
    }

    /** Resolves a link, such as one into a person's own repository, to change its target. */
    private static Path real(Path file) {
        try {
            return Files.exists(file) ? file.toRealPath() : file;
        } catch (IOException e) {
            throw new UncheckedIOException("following " + file, e);
        }
    }

    /**
     * Our last change: the text before it, null without a file, and after it; and the permissions
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

    /** Returns the text of the file after a change; null if nothing is left. */
    private @Nullable String changed(Consumer<ObjectNode> change) {
        var after = document.deepCopy();
        change.accept(after);
        if (after.equals(document)) return text;
        return after.isEmpty() ? null : Json.pretty(after) + "\n";
    }

    /**
     * Adds our entries: shows the difference, and writes it in mode {@code WRITE}. {@code without}
     * removes the entries of an earlier change.
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

    /** Removes our entries. */
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

    /** Returns our last change; null if there was none, or if the file has changed since. */
    private @Nullable Memory untouched() {
        var last = remembered();
        return last != null && last.after().equals(text) ? last : null;
    }

    /** Returns the permissions without our changes; null if there was no file. */
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

    /** Returns the path of another file of ours for this one, beside the saved text. */
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
            // Only the owner can read a temporary file. A file with a token stays so.
            if (rights != null && !Secrets.isIn(content)) {
                Files.setPosixFilePermissions(made, PosixFilePermissions.fromString(rights));
            }
            Files.move(made, file, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("writing " + file, e);
        }
    }
}
