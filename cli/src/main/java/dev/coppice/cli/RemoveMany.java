package dev.coppice.cli;

import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/** Takes away many trees, each by a removal of its own; what is refused stays and is named. */
final class RemoveMany {
    private static final String ENDED = "finished,failed,stopped,timed_out,lost";
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
                answers.add(Remove.remove(connection, Shown.text(top, "session_id"), request));
            } catch (Connection.Refused e) {
                refused++;
                console.err().println("  stays: " + e.getMessage());
            }
        }
        if (args.has(Option.JSON)) console.out().println(answers);
        else console.out().println("%d removed, %d stay".formatted(answers.size(), refused));
        return refused == 0 ? Exit.OK : Exit.REFUSED;
    }

    /** Those above whom nobody else is to go: the rest goes along with them. */
    private List<JsonNode> tops() {
        var query = "/sessions?limit=1000&status=" + ENDED;
        var prefix = args.value("match");
        if (prefix != null) query += "&name=" + Connection.part(prefix);
        var old = new ArrayList<JsonNode>();
        var ids = new HashSet<String>();
        for (var session : connection.pages(query, "sessions")) {
            if (!isOld(session)) continue;
            old.add(session);
            ids.add(Shown.text(session, "session_id"));
        }
        old.removeIf(s -> ids.contains(String.valueOf(Json.text(s, "parent_session_id"))));
        return old;
    }

    private boolean isOld(JsonNode session) {
        var ended = Json.text(session, "ended_at");
        return ended != null
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
