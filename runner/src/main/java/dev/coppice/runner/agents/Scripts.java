package dev.coppice.runner.agents;

import dev.coppice.wire.Json;
import dev.coppice.wire.fleet.ClaimedRun;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/** The scripts that come with a blueprint, as files that only the user of the agent can read. */
public final class Scripts {
    /** The field of a blueprint with its scripts. */
    static final String FIELD = "resolved_scripts";

    private static final String PLACEHOLDER = "runner.scripts";
    private static final String DIRECTORY = "scripts";

    private Scripts() {}

    /** Writes the scripts below {@code directory}. Returns the run with their paths. */
    public static ClaimedRun placed(ClaimedRun run, Path directory) throws IOException {
        var blueprint = run.resolvedAgentBlueprint();
        var scripts = blueprint.path(FIELD);
        if (scripts.isEmpty()) return run;
        var home = directory.resolve(DIRECTORY).toAbsolutePath();
        var marked = quoted(ClaimedRun.marked(PLACEHOLDER, run.runId()));
        var placed = Json.read(Json.write(blueprint).replace(marked, quoted(home.toString())));
        for (var script : placed.path(FIELD).properties()) {
            var file = file(home, script.getKey(), script.getValue());
            write(file, script.getValue().path("content").asString());
            ((ObjectNode) script.getValue()).put("path", file.toString());
        }
        return run.with(placed);
    }

    /** Returns the text as JSON, without the quotes. */
    private static String quoted(String text) {
        var json = Json.write(text);
        return json.substring(1, json.length() - 1);
    }

    private static void write(Path file, String content) throws IOException {
        Files.createDirectories(file.getParent());
        Files.deleteIfExists(file);
        var mode = PosixFilePermissions.fromString("rwx------");
        Files.createFile(file, PosixFilePermissions.asFileAttribute(mode));
        Files.writeString(file, content);
    }

    /** Returns the file of a script. Throws if its name leads out of the directory. */
    private static Path file(Path home, String name, JsonNode script) {
        var file = home.resolve(name).resolve(script.path("file").asString()).normalize();
        boolean isBelow = file.startsWith(home) && file.getNameCount() == home.getNameCount() + 2;
        if (!isBelow) throw new IllegalArgumentException("the script '" + name + "' leads outside");
        return file;
    }
}
