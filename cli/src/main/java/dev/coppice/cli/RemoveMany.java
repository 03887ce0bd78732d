package dev.coppice.cli;

import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;

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

/** Takes away many trees, each by a removal of its own; what is refused stays and is named. */
final class RemoveMany {
    private static final Set<String> ENDED =
            Set.of("finished", "failed", "stopped", "timed_out", "lost");
    private static final Set<String> GONE = Set.of("hidden", "purged");
    private final Connection connection;
    private final Args args;
    private final Console console;

    RemoveMany(Connection connection, Args args, Console console) {
        this.connection = connection;
        this.args = args;
        this.console = console;
    }

    Exit run() {
        if (!args.has("finished")) throw new Args.Wrong("NAME is missing, or --finished");
        var tops = tops();
        for (var top : tops) console.err().println("  " + Shown.text(top, "path"));
        console.err().println(tops.size() + " sessions have ended, with all below them");
        if (args.has("dry-run") || tops.isEmpty()) return Exit.OK;
        if (!args.has("yes")) throw new Args.Wrong("say --yes to remove them");
        int refused = 0;
        var answers = Json.object().putArray("removals");
        for (var top : tops) {
            try {
                var request = Remove.choices(args);
                var removal = Remove.remove(connection, Shown.text(top, "session_id"), request);
                answers.add(removal);
                boolean gone = GONE.contains(Shown.text(removal, "state"));
                if (!gone) {
                    refused++;
                    console.err()
                            .println("  waits: %s".formatted(Shown.text(removal, "waits_for")));
                }
            } catch (Connection.Refused e) {
                refused++;
                console.err().println("  stays: " + e.getMessage());
            }
        }
        if (args.has(Option.JSON)) console.out().println(answers);
        else console.out().println("%d removed, %d stay".formatted(tops.size() - refused, refused));
        return refused == 0 ? Exit.OK : Exit.REFUSED;
    }

    /**
     * The highest of those that may go with everything below them: a cascade takes no one along who
     * lives, or has not ended for long enough.
     */
    private List<JsonNode> tops() {
        var all = connection.pages("/sessions?limit=1000", "sessions");
        var below = new HashMap<String, List<JsonNode>>();
        for (var session : all) {
            var parent = String.valueOf(Json.text(session, "parent_session_id"));
            below.computeIfAbsent(parent, _ -> new ArrayList<>()).add(session);
        }
        var chosen = new ArrayList<JsonNode>();
        // None has the parent that no session has: from the top down, until one may go.
        var tree = args.value("below");
        var top = tree == null ? "null" : connection.id(tree);
        var open = new ArrayDeque<>(below.getOrDefault(top, List.of()));
        while (!open.isEmpty()) {
            var session = open.pop();
            if (isWanted(session) && isAllOld(session, below)) chosen.add(session);
            else open.addAll(below.getOrDefault(Shown.text(session, "session_id"), List.of()));
        }
        return chosen;
    }

    private boolean isWanted(JsonNode session) {
        var pattern = args.value("match");
        if (pattern == null) return true;
        var name = Shown.text(session, "session_name");
        if (pattern.indexOf('*') < 0) return name.startsWith(pattern);
        var parts = Stream.of(pattern.split("\\*", -1)).map(Pattern::quote).toList();
        return name.matches(String.join(".*", parts));
    }

    private boolean isAllOld(JsonNode top, Map<String, List<JsonNode>> below) {
        var open = new ArrayDeque<JsonNode>(List.of(top));
        while (!open.isEmpty()) {
            var session = open.pop();
            if (!isOld(session)) return false;
            open.addAll(below.getOrDefault(Shown.text(session, "session_id"), List.of()));
        }
        return true;
    }

    private boolean isOld(JsonNode session) {
        var ended = Json.text(session, "ended_at");
        return ENDED.contains(Shown.text(session, "state"))
                && ended != null
                && !Instant.parse(ended).isAfter(InstantSource.system().instant().minus(age()));
    }

    private Duration age() {
        var said = args.value("older-than", "0s");
        var unit = said.isEmpty() ? ' ' : said.charAt(said.length() - 1);
        try {
            long number = Long.parseLong(said.substring(0, Math.max(0, said.length() - 1)));
            return switch (unit) {
                case 's' -> Duration.ofSeconds(number);
                case 'm' -> Duration.ofMinutes(number);
                case 'h' -> Duration.ofHours(number);
                case 'd' -> Duration.ofDays(number);
                default -> throw new Args.Wrong("--older-than takes a time such as 12h or 7d");
            };
        } catch (NumberFormatException _) {
            throw new Args.Wrong("--older-than takes a time such as 12h or 7d");
        }
    }
}
