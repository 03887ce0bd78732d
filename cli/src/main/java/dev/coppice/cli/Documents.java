package dev.coppice.cli;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Console;
import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/** The documents that commands add, edit and remove. */
final class Documents {
    private Documents() {}

    /** The document of the option {@code --file}, or of standard input. */
    static ObjectNode given(Args args, Console console) {
        return object(document(args, console));
    }

    /** The fields that {@code --file} or the user's editor changes. */
    static JsonNode changes(JsonNode before, Args args, Console console) {
        var after = args.value("file") == null ? edited(before, console) : document(args, console);
        return changes(before, object(after));
    }

    /** True if the user agrees, or has agreed with {@code --yes}. */
    static boolean isConfirmed(String question, Args args, Console console) {
        if (args.has("yes")) return true;
        if (!console.canAsk()) throw new Args.Invalid("cannot ask: not a terminal; pass --yes");
        if (console.answer(question).startsWith("y")) return true;
        console.err().println("cancelled; nothing was changed");
        return false;
    }

    private static ObjectNode object(JsonNode document) {
        if (document instanceof ObjectNode object) return object;
        throw new Args.Invalid("the document must be a JSON object");
    }

    private static JsonNode document(Args args, Console console) {
        var file = args.value("file", "-");
        try {
            var bytes =
                    file.equals("-")
                            ? console.in().readAllBytes()
                            : Files.readAllBytes(Path.of(file));
            return Json.read(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        } catch (Json.Unreadable e) {
            throw new Args.Invalid("%s is not JSON: %s".formatted(file, e.getMessage()));
        }
    }

    /** The fields that differ; a deleted field is set to null. */
    private static JsonNode changes(JsonNode before, JsonNode after) {
        var changes = Json.object();
        for (var field : after.properties()) {
            if (!field.getValue().equals(before.get(field.getKey()))) {
                changes.set(field.getKey(), field.getValue());
            }
        }
        for (var field : before.propertyNames()) if (!after.has(field)) changes.putNull(field);
        return changes;
    }

    /** Opens the document in the user's editor. A document that cannot be read is kept. */
    private static JsonNode edited(JsonNode before, Console console) {
        if (!console.canAsk()) throw new Args.Invalid("cannot edit: not a terminal; pass --file");
        try {
            var file = Files.createTempFile("coppice-", ".json");
            Files.writeString(file, Json.pretty(before) + "\n", StandardCharsets.UTF_8);
            var editor =
                    console.env("VISUAL") == null ? console.env("EDITOR") : console.env("VISUAL");
            // An editor can be set with its options, as git allows, so a shell reads it.
            var script = (editor == null ? "vi" : editor) + " \"$1\"";
            int exit =
                    new ProcessBuilder("sh", "-c", script, "sh", file.toString())
                            .inheritIO()
                            .start()
                            .waitFor();
            if (exit != 0) throw new Args.Invalid("the editor exited with " + exit);
            try {
                var after = Json.read(Files.readAllBytes(file));
                Files.delete(file);
                return after;
            } catch (Json.Unreadable e) {
                throw new Args.Invalid(
                        "%s is not JSON: %s; correct it and pass --file"
                                .formatted(file, e.getMessage()));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("editing the document", e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new Args.Invalid("interrupted");
        }
    }
}
