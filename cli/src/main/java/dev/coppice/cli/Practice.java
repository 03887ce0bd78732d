package dev.coppice.cli;

import dev.coppice.cli.engine.Exit;

import java.util.HashMap;
import java.util.List;

/**
 * The commands that are called most, in one process that is recorded for the class cache. A class
 * in the cache that a command does not need costs it a little; one that is missing costs much more.
 */
final class Practice {
    /** The session of the coordinator that there is to practise with. */
    static final String SESSION = "practice";

    /** Stands for the name of a session that each practice starts anew. */
    private static final String OWN = "own";

    /** Commands that need nothing of Jackson's mapper; start.sh names them, too. */
    static final List<List<String>> QUICK =
            List.of(
                    List.of("list"),
                    List.of("list", "--json"),
                    List.of("status", SESSION),
                    List.of("result", SESSION),
                    List.of("wait", SESSION),
                    List.of("logs", SESSION),
                    List.of("children", SESSION),
                    List.of("runs"),
                    List.of("usage", SESSION),
                    List.of("callbacks"),
                    List.of("start", OWN, "--agent", "scripted", "-p", "say hello"),
                    List.of("tree"),
                    List.of("tree", SESSION),
                    List.of("events", SESSION),
                    List.of("send", OWN, "say again"),
                    List.of("version"));

    private static final List<List<String>> OTHER =
            List.of(
                    List.of("show", SESSION),
                    List.of("stop", SESSION),
                    List.of("show", "nobody"),
                    List.of("help"));

    private Practice() {}

    /** The arguments: the data directory of a coordinator, and 'quick' or 'all'. */
    public static void main(String[] args) {
        Rehearsal.endWithInput();
        var environment = new HashMap<>(Rehearsal.environment(args[0]));
        environment.put("COPPICE_TERMINAL", "");
        boolean isWhole = true;
        for (var line : QUICK) isWhole &= Main.run(own(line), environment) == Exit.OK;
        if (args[1].equals("all")) for (var line : OTHER) Main.run(line, environment);
        // A practice that failed would leave classes out of the cache.
        System.exit(isWhole ? 0 : 1);
    }

    private static List<String> own(List<String> line) {
        var own = OWN + ProcessHandle.current().pid();
        return line.stream().map(word -> word.equals(OWN) ? own : word).toList();
    }
}
