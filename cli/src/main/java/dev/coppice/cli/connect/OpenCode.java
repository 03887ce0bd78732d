package dev.coppice.cli.connect;

import dev.coppice.cli.connect.ConfigurationFile.Mode;
import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Console;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;

/** Our plugin of OpenCode, a file of its own that OpenCode loads by itself. */
record OpenCode(Path file) {
    static final String PROGRAM = "opencode";
    static final String PATH = "/hooks/" + PROGRAM;
    private static final String MARK = "// Written by 'coppice connect opencode'";

    static OpenCode ofPerson(Path home) {
        return new OpenCode(home.resolve(".config/opencode/plugin/coppice.js"));
    }

    static OpenCode ofProject(Path project) {
        return new OpenCode(project.resolve(".opencode/plugin/coppice.js"));
    }

    private static String resource() {
        try (var in = OpenCode.class.getResourceAsStream("opencode.js")) {
            var bytes = Objects.requireNonNull(in, "opencode.js").readAllBytes();
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** True if our plugin is there. Throws if the file is not ours. */
    boolean isThere() {
        try {
            if (!Files.exists(file)) return false;
            if (Files.readString(file).startsWith(MARK)) return true;
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
        throw new Args.Invalid(file + " is not ours; nothing was changed");
    }

    void write(String address, String token, Mode mode, Console console) {
        var text = resource().replace("@ADDRESS@", address).replace("@TOKEN@", token);
        console.out().println("%s: new, %d lines".formatted(file, text.lines().count()));
        if (mode == Mode.WRITE) SecretFile.write(file, text);
    }

    void delete(Mode mode, Console console) {
        console.out().println(file + ": deleted");
        if (mode == Mode.WRITE) SecretFile.delete(file);
    }
}
