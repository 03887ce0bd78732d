package dev.coppice.cli;

import dev.coppice.wire.session.SessionView;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** Chooses trees by how they have ended, by their names, or by where they are. */
final class RemoveMany {
    private static final Set<String> ENDED =
            Set.of("finished", "failed", "stopped", "timed_out", "lost");
    private static final List<String> CHOOSING =
            List.of("finished", "older-than", "match", "below");
    private final Connection connection;
    private final Args args;
    private final Console console;

    RemoveMany(Connection connection, Args args, Console console) {
        this.connection = connection;
        this.args = args;
        this.console = console;
    }

    static boolean isAsked(Args args) {
        return CHOOSING.stream().anyMatch(args::has);
    }

    Exit run() {
        if (!isAsked(args)) {
            throw new Args.Wrong(
                    "NAME is missing, or --finished, --older-than, --match or --below");
        }
        for (var alone : List.of("discard", "detach", "only", "confirm")) {
            if (args.has(alone)) throw new Args.Wrong("--%s is for one NAME".formatted(alone));
        }
        if ("".equals(args.value("match"))) {
            throw new Args.Wrong("--match is empty; '*' stands for every name");
        }
        return new RemoveTrees(connection, args, console).remove(tops());
    }

    /**
     * The highest of those that may go with everything below them. Where only those that have ended
     * are asked for, a cascade takes no one along who lives, or has not ended for long enough.
     */
    private List<SessionView> tops() {
        var all = connection.sessions(null);
        var below = new HashMap<String, List<SessionView>>();
        for (var session : all) {
            var parent = String.valueOf(session.parentSessionId());
            below.computeIfAbsent(parent, _ -> new ArrayList<>()).add(session);
        }
        boolean onlyEnded = args.has("finished") || args.has("older-than");
        var before = InstantSource.system().instant().minus(age());
        var chosen = new ArrayList<SessionView>();
        // None has the parent that no session has: from the top down, until one may go.
        var tree = args.value("below");
        var top = tree == null ? "null" : connection.id(tree);
        var open = new ArrayDeque<>(below.getOrDefault(top, List.of()));
        while (!open.isEmpty()) {
            var session = open.pop();
            if (isWanted(session) && (!onlyEnded || isAllOld(session, below, before)))
                chosen.add(session);
            else open.addAll(below.getOrDefault(session.sessionId(), List.of()));
        }
        return chosen;
    }

    private boolean isWanted(SessionView session) {
        var pattern = args.value("match");
        if (pattern == null) return true;
        var name = session.sessionName();
        if (pattern.indexOf('*') < 0) return name.startsWith(pattern);
        var parts = Stream.of(pattern.split("\\*", -1)).map(Pattern::quote).toList();
        return name.matches(String.join(".*", parts));
    }

    private static boolean isAllOld(
            SessionView top, Map<String, List<SessionView>> below, Instant before) {
        var open = new ArrayDeque<SessionView>(List.of(top));
        while (!open.isEmpty()) {
            var session = open.pop();
            if (!isOld(session, before)) return false;
            open.addAll(below.getOrDefault(session.sessionId(), List.of()));
        }
        return true;
    }

    private static boolean isOld(SessionView session, Instant before) {
        var ended = session.endedAt();
        return ENDED.contains(session.state())
                && ended != null
                && !Instant.parse(ended).isAfter(before);
    }

    private Duration age() {
        var said = args.value("older-than", "0s");
        if (!said.matches("[0-9]{1,9}[smhd]")) {
            throw new Args.Wrong("--older-than takes a time such as 12h or 7d");
        }
        long number = Long.parseLong(said.substring(0, said.length() - 1));
        return switch (said.charAt(said.length() - 1)) {
            case 's' -> Duration.ofSeconds(number);
            case 'm' -> Duration.ofMinutes(number);
            case 'h' -> Duration.ofHours(number);
            default -> Duration.ofDays(number);
        };
    }
}
