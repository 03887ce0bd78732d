package dev.coppice.cli.session;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Usage;
import dev.coppice.client.CoppiceClient;
import dev.coppice.client.Pause;
import dev.coppice.wire.Paging;
import dev.coppice.wire.session.EventCalls;
import dev.coppice.wire.session.SessionCalls;
import dev.coppice.wire.session.SessionView;
import dev.coppice.wire.session.TreeCalls;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/** Draws a tree, once or live. */
public final class Tree implements Command {
    private static final int LEVELS = 256;
    private static final Paging FIRST = Paging.FIRST;
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
                List.of(Option.flag("watch", "redraw on every change, until Ctrl-C").as("w")),
                "Without NAME, draws the newest trees.\n");
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var tops = tops(connection, args.wordOrNull(0));
        if (args.has(Option.JSON)) {
            for (var top : tops) {
                var whole = new TreeCalls.Whole(new TreeCalls.Deep(top, LEVELS, FIRST), false);
                console.out().println(connection.ask(TreeCalls.TREE, whole).body());
            }
            return Exit.OK;
        }
        if (args.has("watch")) return watch(connection, args.wordOrNull(0), console);
        console.out().print(drawn(connection, tops, console));
        return Exit.OK;
    }

    private static List<String> tops(Connection connection, @Nullable String name) {
        if (name != null) return List.of(connection.id(name));
        var roots = new LinkedHashSet<String>();
        for (var session : connection.call(SessionCalls.LIST, SessionCalls.Find.ALL).sessions()) {
            roots.add(session.rootSessionId());
        }
        return List.copyOf(roots).reversed();
    }

    private static String drawn(Connection connection, List<String> tops, Console console) {
        var text = new StringBuilder();
        for (var top : tops) text.append(drawn(sessions(connection, top), console.isColoured()));
        return text.isEmpty() ? "There are no sessions yet.\n" : text.toString();
    }

    /** The sessions of a tree, up to about SESSIONS_MAX of them. */
    private static List<SessionView> sessions(Connection connection, String top) {
        var found = new ArrayList<SessionView>();
        String after = null;
        do {
            var below = new TreeCalls.Deep(top, LEVELS, Paging.after(after));
            var page =
                    (TreeCalls.Flat)
                            connection.call(TreeCalls.TREE, new TreeCalls.Whole(below, true));
            found.addAll(page.sessions());
            after = page.next();
        } while (after != null && found.size() < SESSIONS_MAX);
        return found;
    }

    /** Draws sessions sorted depth first; those that follow tell whether a branch continues. */
    static String drawn(List<SessionView> sessions, boolean coloured) {
        Instant now = InstantSource.system().instant();
        var text = new StringBuilder();
        int top = sessions.getFirst().depth();
        for (int i = 0; i < sessions.size(); i++) {
            var session = sessions.get(i);
            var name = branches(sessions, i, top) + Shown.clean(session.sessionName());
            var state =
                    coloured ? Shown.colouredState(session.state()) : Shown.state(session.state());
            text.append(
                    "%-40s %s  %s%s%n"
                            .formatted(name, state, Shown.age(session, now), remark(session)));
        }
        return text.toString();
    }

    private static String branches(List<SessionView> sessions, int at, int top) {
        int depth = sessions.get(at).depth();
        var text = new StringBuilder();
        for (int level = top + 1; level <= depth; level++) {
            boolean more = goesOn(sessions, at, level);
            text.append(level == depth ? (more ? "├─ " : "└─ ") : (more ? "│  " : "   "));
        }
        return text.toString();
    }

    private static boolean goesOn(List<SessionView> sessions, int at, int level) {
        for (int i = at + 1; i < sessions.size(); i++) {
            int depth = sessions.get(i).depth();
            if (depth < level) return false;
            if (depth == level) return true;
        }
        return false;
    }

    private static String remark(SessionView session) {
        var marks = session.frozenAt() == null ? "" : "  frozen";
        var abandoned = session.abandonedAt() == null ? "" : "  abandoned";
        return marks + abandoned + reason(session);
    }

    private static String reason(SessionView session) {
        var reason = Shown.clean(session.reason());
        if (reason.isEmpty() || session.state().equals("finished")) return "";
        var first = reason.lines().findFirst().orElse("");
        return "  " + (first.length() > 60 ? first.substring(0, 60) + "…" : first);
    }

    /** Redraws until Ctrl-C; without a name, shows new trees too. */
    private static Exit watch(Connection connection, @Nullable String name, Console console) {
        var news = new Semaphore(0);
        var top = name == null ? null : tops(connection, name).getFirst();
        Thread.ofVirtual().start(() -> listen(connection, top, news));
        try {
            while (true) {
                var drawn = drawn(connection, tops(connection, name), console);
                Console.clear();
                console.out().print(drawn);
                console.out().flush();
                news.tryAcquire(REDRAW.toMillis(), TimeUnit.MILLISECONDS);
                Pause.of(REDRAW_MIN);
                news.drainPermits();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Exit.OK;
        }
    }

    private static void listen(Connection connection, @Nullable String top, Semaphore news) {
        var follow = new EventCalls.Follow(null, top, null, null, false);
        try {
            connection
                    .client()
                    .follow(
                            EventCalls.FOLLOW,
                            follow,
                            _ -> {
                                news.release();
                                return true;
                            });
        } catch (CoppiceClient.Unreachable _) {
            // The redraw polls every second, and reports that no coordinator answers.
        }
    }
}
