package dev.coppice.runner.outside;

import dev.coppice.runner.process.ForeignProcess;
import dev.coppice.wire.observe.HookCalls.Program;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * A process of a known agent program on this machine.
 *
 * @param start tells it from an earlier process with its id
 * @param above the nearest process above it that is an agent program, too
 * @param isOfRun true if a runner started it, or a process that did
 */
public record RunningProgram(
        Program program,
        long pid,
        String start,
        Instant started,
        @Nullable Path directory,
        @Nullable Long above,
        boolean isOfRun) {
    /** The file name of each program, and a part of the path of its script. */
    private static final Map<Program, List<String>> NAMES =
            Map.of(
                    Program.CLAUDE_CODE, List.of("claude", "@anthropic-ai/claude-code"),
                    Program.CODEX, List.of("codex", "@openai/codex"),
                    Program.GEMINI, List.of("gemini", "@google/gemini-cli"),
                    Program.CURSOR, List.of("cursor-agent", "/cursor-agent/"),
                    Program.OPENCODE, List.of("opencode", "/opencode-ai/"));

    private static final Set<String> INTERPRETERS = Set.of("node", "nodejs", "bun", "deno");

    /** Returns all, the oldest first. Processes of other users are known only by their names. */
    public static List<RunningProgram> all() {
        var seen = new HashMap<Long, Seen>();
        ProcessHandle.allProcesses()
                .forEach(process -> seen(process).ifPresent(s -> seen.put(process.pid(), s)));
        var wrappers = wrappers(seen);
        var all = new ArrayList<RunningProgram>();
        for (var one : seen.values()) {
            if (!wrappers.contains(one.process().pid())) all.add(one.program(seen, wrappers));
        }
        // Ended meanwhile, or a zombie.
        all.removeIf(one -> one.start().isEmpty());
        all.sort(
                Comparator.comparing(RunningProgram::started)
                        .thenComparingLong(RunningProgram::pid));
        return List.copyOf(all);
    }

    /** Returns the process if it is an agent program. */
    public static Optional<RunningProgram> at(long pid) {
        return ProcessHandle.of(pid)
                .flatMap(RunningProgram::seen)
                .map(one -> one.program(Map.of(), Set.of()))
                .filter(one -> !one.start().isEmpty());
    }

    private record Seen(ProcessHandle process, Program kind, boolean isScript) {
        RunningProgram program(Map<Long, Seen> all, Set<Long> wrappers) {
            long pid = process.pid();
            return new RunningProgram(
                    kind,
                    pid,
                    ForeignProcess.start(pid).orElse(""),
                    process.info().startInstant().orElse(Instant.EPOCH),
                    new ProcFiles(pid).directory(),
                    above(all, wrappers),
                    ForeignProcess.isOfRun(pid));
        }

        private @Nullable Long above(Map<Long, Seen> all, Set<Long> wrappers) {
            var next = process.parent();
            while (next.isPresent()) {
                long pid = next.get().pid();
                if (all.containsKey(pid) && !wrappers.contains(pid)) return pid;
                next = next.get().parent();
            }
            return null;
        }
    }

    /** Returns the scripts that only start the actual program. */
    private static Set<Long> wrappers(Map<Long, Seen> seen) {
        var wrappers = new HashSet<Long>();
        for (var one : seen.values()) {
            var parent = one.process().parent().map(p -> seen.get(p.pid()));
            parent.filter(p -> p.isScript() && p.kind() == one.kind())
                    .ifPresent(p -> wrappers.add(p.process().pid()));
        }
        return wrappers;
    }

    private static Optional<Seen> seen(ProcessHandle process) {
        var words = words(process);
        if (words.isEmpty()) return Optional.empty();
        boolean isScript = INTERPRETERS.contains(name(words.getFirst()));
        var rest = words.subList(1, words.size());
        var main =
                isScript
                        ? rest.stream().filter(word -> !word.startsWith("-")).findFirst().orElse("")
                        : words.getFirst();
        var first = rest.stream().filter(word -> !word.equals(main)).findFirst().orElse("");
        // An MCP server is no agent.
        if (first.startsWith("mcp")) return Optional.empty();
        return kind(main).map(kind -> new Seen(process, kind, isScript));
    }

    private static Optional<Program> kind(String main) {
        for (var one : NAMES.entrySet()) {
            boolean isIts =
                    name(main).equals(one.getValue().getFirst())
                            || main.contains(one.getValue().getLast());
            if (isIts) return Optional.of(one.getKey());
        }
        return Optional.empty();
    }

    private static List<String> words(ProcessHandle process) {
        var words = new ProcFiles(process.pid()).words();
        if (!words.isEmpty()) return words;
        var info = process.info();
        if (info.command().isEmpty()) return List.of();
        var all = new ArrayList<>(List.of(info.command().get()));
        all.addAll(List.of(info.arguments().orElse(new String[0])));
        return List.copyOf(all);
    }

    private static String name(String path) {
        return path.substring(path.lastIndexOf('/') + 1);
    }
}
