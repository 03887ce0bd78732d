package dev.coppice.runner.outside;

import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.regex.Pattern;

/**
 * The program's own id of the session in a process, and the file of its transcript; null if
 * unknown. Claude Code keeps a file for each of its processes, and Codex has its transcript open.
 */
public record ProgramSession(@Nullable String id, @Nullable Path transcript) {
    private static final ProgramSession UNKNOWN = new ProgramSession(null, null);
    private static final int FILE_BYTES_MAX = 64 * 1024;

    /** An older file is of an earlier process with the same id. */
    private static final Duration EARLIER_MAX = Duration.ofSeconds(2);

    private static final Pattern ROLLOUT =
            Pattern.compile("rollout-.*-([0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})\\.jsonl");
    private static final Pattern PLAIN_ID = Pattern.compile("[\\w-]{1,100}");

    public static ProgramSession of(RunningProgram running) {
        return switch (running.program()) {
            case CLAUDE_CODE -> ofClaudeCode(running);
            case CODEX -> ofCodex(running);
            case GEMINI, CURSOR, OPENCODE -> UNKNOWN;
        };
    }

    private static ProgramSession ofClaudeCode(RunningProgram running) {
        var files = new ProcFiles(running.pid());
        var configured = files.variable("CLAUDE_CONFIG_DIR");
        var home = files.variable("HOME");
        if (configured == null && home == null) return UNKNOWN;
        var base = configured == null ? Path.of(home + "/.claude") : Path.of(configured);
        var json = read(base.resolve("sessions").resolve(running.pid() + ".json"));
        var id = Json.textIfAny(json, "sessionId");
        var began = Instant.ofEpochMilli(json.path("startedAt").asLong(0));
        boolean isIts = !began.isBefore(running.started().minus(EARLIER_MAX));
        if (id == null || !PLAIN_ID.matcher(id).matches() || !isIts) return UNKNOWN;
        return new ProgramSession(id, transcript(base.resolve("projects"), id));
    }

    private static JsonNode read(Path file) {
        // A named pipe would block.
        if (!Files.isRegularFile(file)) return Json.object();
        try (var in = Files.newInputStream(file)) {
            var json =
                    Json.valueOf(new String(in.readNBytes(FILE_BYTES_MAX), StandardCharsets.UTF_8));
            return json == null ? Json.object() : json;
        } catch (IOException _) {
            return Json.object();
        }
    }

    /** Each project has a directory with the transcripts of its sessions. */
    private static @Nullable Path transcript(Path projects, String id) {
        try (var all = Files.newDirectoryStream(projects)) {
            for (var project : all) {
                var file = project.resolve(id + ".jsonl");
                if (Files.isRegularFile(file)) return file;
            }
            return null;
        } catch (IOException _) {
            return null;
        }
    }

    private static ProgramSession ofCodex(RunningProgram running) {
        ProgramSession found = UNKNOWN;
        for (var file : new ProcFiles(running.pid()).open()) {
            var name = ROLLOUT.matcher(String.valueOf(file.getFileName()));
            // Subagents have files of their own, with later ids.
            if (!name.matches()) continue;
            var id = name.group(1);
            if (found.id() == null || id.compareTo(found.id()) < 0) {
                found = new ProgramSession(id, file);
            }
        }
        return found;
    }
}
