package dev.coppice.cli;

import dev.coppice.client.CoppiceClient;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Draws a tree, once or live. */
final class Tree implements Command {
    private static final int SESSIONS_MAX = 2000;
    private static final Duration REDRAW = Duration.ofSeconds(1);
    private static final Duration REDRAW_MIN = Duration.ofMillis(100);

    @Override
    public String name() {
        return "tree";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Draw a tree of sessions, with states and ages",
                List.of("[NAME]"),
                List.of(Option.flag("watch", "redraw as things happen, until Ctrl-C").as("w")),
                "Without a name, the newest trees.\n");
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var tops = tops(connection, args.wordOrNull(0));
        if (args.has(Option.JSON)) {
            for (var top : tops)
                console.out().println(connection.get("/sessions/" + top + "/tree"));
            return Exit.OK;
        }
        if (args.has("watch")) return watch(connection, args.wordOrNull(0), console);
        console.out().print(drawn(connection, tops, console));
        return Exit.OK;
    }

    private static List<String> tops(Connection connection, @Nullable String name) {
        if (name != null) return List.of(Connection.part(connection.id(name)));
        var roots = new LinkedHashSet<String>();
        for (var session : connection.get("/sessions?limit=100").get("sessions")) {
            roots.add(Connection.part(Shown.text(session, "root_session_id")));
        }
        return List.copyOf(roots).reversed();
    }

    private static String drawn(Connection connection, List<String> tops, Console console) {
        var text = new StringBuilder();
        for (var top : tops) text.append(drawn(sessions(connection, top), console.isColoured()));
        return text.isEmpty() ? "There are no sessions yet.\n" : text.toString();
    }

    /** As many pages as a person could want to look at. */
    private static List<JsonNode> sessions(Connection connection, String top) {
        var found = new ArrayList<JsonNode>();
        var path = "/sessions/" + top + "/tree?flat=true&limit=1000";
        var page = connection.get(path);
        page.get("sessions").forEach(found::add);
        while (page.hasNonNull("next") && found.size() < SESSIONS_MAX) {
            page = connection.get(path + "&after=" + Connection.part(Shown.text(page, "next")));
            page.get("sessions").forEach(found::add);
        }
        return found;
    }

    /** The lines come depth first; whether a branch goes on is known from what follows it. */
    static String drawn(List<JsonNode> sessions, boolean coloured) {
        Instant now = InstantSource.system().instant();
        var text = new StringBuilder();
        int top = sessions.getFirst().get("depth").asInt();
        for (int i = 0; i < sessions.size(); i++) {
            var session = sessions.get(i);
            var name = branches(sessions, i, top) + Shown.text(session, "session_name");
            var state = Shown.state(Shown.text(session, "state"), coloured);
            text.append(
                    "%-40s %s  %s%s%n"
                            .formatted(name, state, Shown.age(session, now), remark(session)));
        }
        return text.toString();
    }

    private static String branches(List<JsonNode> sessions, int at, int top) {
        int depth = sessions.get(at).get("depth").asInt();
        var text = new StringBuilder();
        for (int level = top + 1; level <= depth; level++) {
            boolean more = goesOn(sessions, at, level);
            text.append(level == depth ? (more ? "├─ " : "└─ ") : (more ? "│  " : "   "));
        }
        return text.toString();
    }

    private static boolean goesOn(List<JsonNode> sessions, int at, int level) {
        for (int i = at + 1; i < sessions.size(); i++) {
            int depth = sessions.get(i).get("depth").asInt();
            if (depth < level) return false;
            if (depth == level) return true;
        }
        return false;
    }

    private static String remark(JsonNode session) {
        var marks = session.hasNonNull("frozen_at") ? "  frozen" : "";
        return session.hasNonNull("abandoned_at")
                ? marks + "  abandoned" + reason(session)
                : marks + reason(session);
    }

    private static String reason(JsonNode session) {
        var state = Shown.text(session, "state");
        var reason = Shown.text(session, "reason");
        if (reason.isEmpty() || state.equals("finished")) return "";
        var first = reason.lines().findFirst().orElse("");
        return "  " + (first.length() > 60 ? first.substring(0, 60) + "…" : first);
    }

    /** Without a name, trees that begin while it is watched are shown too. */
    private static Exit watch(Connection connection, @Nullable String name, Console console) {
        var news = new Semaphore(0);
        var top = name == null ? "" : "&subtree=" + tops(connection, name).getFirst();
        Thread.ofVirtual().start(() -> listen(connection, top, news));
        try {
            while (true) {
                var drawn = drawn(connection, tops(connection, name), console);
                Console.clear();
                console.out().print(drawn);
                console.out().flush();
                news.tryAcquire(REDRAW.toMillis(), TimeUnit.MILLISECONDS);
                boolean never =
                        new Semaphore(0).tryAcquire(REDRAW_MIN.toMillis(), TimeUnit.MILLISECONDS);
                if (never) return Exit.OK;
                news.drainPermits();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Exit.OK;
        }
    }

    private static void listen(Connection connection, String top, Semaphore news) {
        try {
            connection
                    .client()
                    .follow(
                            "/sse/sessions?include_init=false" + top,
                            _ -> {
                                news.release();
                                return true;
                            });
        } catch (CoppiceClient.Unreachable _) {
            // The drawing itself asks every second and will say that nobody answers.
        }
    }
}
