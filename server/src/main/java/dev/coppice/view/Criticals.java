package dev.coppice.view;

import dev.coppice.callback.About;
import dev.coppice.callback.Callback;
import dev.coppice.callback.Callbacks;
import dev.coppice.fleet.Runner;
import dev.coppice.fleet.Runners;
import dev.coppice.journal.Entry;
import dev.coppice.journal.Fact;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.removal.CriticalOperations;
import dev.coppice.removal.RemovalPlan.Critical;
import dev.coppice.run.Runs;
import dev.coppice.session.Session;
import dev.coppice.session.SessionFilter;
import dev.coppice.session.Sessions;
import dev.coppice.session.StateWord;
import dev.coppice.wire.Json;
import dev.coppice.wiring.Store;
import dev.coppice.word.Choice;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Supplier;

/**
 * Finds the operations that a removal must not interrupt. Events of agents show tool calls that
 * change something and have not returned, unanswered questions and background tasks. Undelivered
 * messages and leases of silent runners count, too.
 */
public final class Criticals implements CriticalOperations {
    /** The most events of a session that are read, back to the beginning of its latest run. */
    private static final int EVENTS_MAX = 50_000;

    private static final int EVENTS_AT_ONCE = 500;

    private static final int MESSAGES_MAX = 1_000;

    /** The limit of open callbacks of one session: ends of its children, and messages. */
    private static final int OPEN_MAX = 20_000;

    /** A fenced runner is heard at least every five seconds. */
    private static final Duration SILENT_MAX = Duration.ofSeconds(15);

    /** Tools that change nothing, by the names that known programs give them. */
    private static final Set<String> READING =
            Set.of(
                    "Read",
                    "Glob",
                    "Grep",
                    "LS",
                    "WebFetch",
                    "WebSearch",
                    "TodoRead",
                    "NotebookRead");

    private static final Map<String, String> BEGINS =
            Map.of(
                    "pre_tool", "tool",
                    "permission_request", "question",
                    "background_task_started", "task");
    private static final Map<String, String> ENDS =
            Map.of(
                    "post_tool", "tool",
                    "post_tool_failure", "tool",
                    "permission_answer", "question",
                    "background_task_ended", "task");

    /** The fields that may identify an operation; the first that both events have is compared. */
    private static final List<String> MARKS = List.of("request_id", "task_id", "tool_use_id", "id");

    private final Sessions sessions;
    private final Journal journal;
    private final Callbacks callbacks;
    private final Runs runs;
    private final Runners runners;
    private final InstantSource clock;
    private final Supplier<Instant> awake;

    public static Criticals on(Store store, InstantSource clock, Supplier<Instant> awake) {
        return new Criticals(
                store.sessions(),
                store.journal(),
                store.callbacks(),
                store.runs(),
                store.runners(),
                clock,
                awake);
    }

    public Criticals(
            Sessions sessions,
            Journal journal,
            Callbacks callbacks,
            Runs runs,
            Runners runners,
            InstantSource clock,
            Supplier<Instant> awake) {
        this.sessions = sessions;
        this.journal = journal;
        this.callbacks = callbacks;
        this.runs = runs;
        this.runners = runners;
        this.clock = clock;
        this.awake = awake;
    }

    @Override
    public List<Critical> of(SessionId top, Choice.Children children, int max) {
        var found = new ArrayList<Critical>();
        boolean alone = children == Choice.Children.DETACH;
        messages(
                alone
                        ? callbacks.openOf(top, OPEN_MAX)
                        : callbacks.messagesWithin(top, MESSAGES_MAX),
                found);
        sessions.find(top).ifPresent(s -> look(s, found));
        var filter = new SessionFilter(Set.copyOf(StateWord.ALIVE), null, null, null, top);
        var cursor = Cursor.first(Bounds.PAGE_ITEMS_MAX);
        while (!alone && found.size() < max) {
            var page = sessions.list(filter, cursor);
            page.items().stream().filter(s -> !s.id().equals(top)).forEach(s -> look(s, found));
            if (page.next() == null) break;
            cursor = new Cursor(page.next(), Bounds.PAGE_ITEMS_MAX);
        }
        return found.subList(0, Math.min(max, found.size()));
    }

    private void messages(List<Callback> open, List<Critical> found) {
        var waiting = new LinkedHashMap<SessionId, Integer>();
        for (var callback : open) {
            boolean said =
                    callback.about() instanceof About.Message(_, _, _, var notice)
                            && notice == null;
            if (said) waiting.merge(callback.to(), 1, Integer::sum);
        }
        waiting.forEach((id, n) -> {
            var name = sessions.find(id).map(Session::name).orElse(id.value());
            var what = n == 1 ? "a message is" : n + " messages are";
            found.add(new Critical(name, what + " not delivered yet"));
        });
    }

    private void look(Session session, List<Critical> found) {
        if (!session.state().isAlive()) return;
        lease(session, found);
        var open = new ArrayList<Open>();
        sinceItBegan(session).forEach(entry -> follow(entry, open));
        open.forEach(o -> found.add(new Critical(session.name(), o.what())));
    }

    /** The entries of the session since its latest run began, oldest first. */
    private List<Entry> sinceItBegan(Session session) {
        var scope = Journal.Scope.of(session.id());
        var all = new ArrayDeque<Entry>();
        long before = Long.MAX_VALUE;
        while (all.size() < EVENTS_MAX) {
            var page = journal.before(before, scope, EVENTS_AT_ONCE);
            for (var entry : page.reversed()) {
                all.addFirst(entry);
                if (entry.fact() instanceof Fact.RunStarted) return List.copyOf(all);
            }
            if (page.isEmpty()) break;
            before = page.getFirst().number();
        }
        return List.copyOf(all);
    }

    /** A silent runner may still act on its lease, and cannot be told to stop. */
    private void lease(Session session, List<Critical> found) {
        var lease = runs.liveOf(session.id()).map(run -> run.state().held()).orElse(null);
        if (lease == null) return;
        var now = clock.instant();
        var heard = now.minus(SILENT_MAX);
        // The coordinator has not been awake long enough to hear every runner.
        if (awake.get().isAfter(heard)) return;
        var silent =
                runners.find(lease.holder().runner())
                        .filter(r -> r.protocol() == Runner.Protocol.FENCED)
                        .filter(r -> r.seen().isBefore(heard));
        if (silent.isEmpty() || lease.until().isBefore(now)) return;
        var what =
                "%s on %s holds its lease until %s and has not been heard since %s"
                        .formatted(
                                silent.get().id().value(),
                                silent.get().post().hostname(),
                                lease.until(),
                                silent.get().seen());
        found.add(new Critical(session.name(), what));
    }

    /** An operation that began, its first event, and its description. */
    private record Open(String kind, JsonNode said, String what) {
        boolean is(String kind, JsonNode other) {
            if (!this.kind.equals(kind)) return false;
            for (var mark : MARKS) {
                if (said.hasNonNull(mark) && other.hasNonNull(mark)) {
                    return said.get(mark).asString().equals(other.get(mark).asString());
                }
            }
            // Without ids, at most one task, and one operation of a tool, can be open.
            boolean isNumbered =
                    MARKS.stream().anyMatch(m -> said.hasNonNull(m) || other.hasNonNull(m));
            return !isNumbered && (kind.equals("task") || name(said).equals(name(other)));
        }
    }

    private static void follow(Entry entry, List<Open> open) {
        switch (entry.fact()) {
            case Fact.RunStarted _ -> open.clear();
            case Fact.Reported(var type, var body) -> {
                var kind = BEGINS.getOrDefault(type, ENDS.getOrDefault(type, ""));
                if (kind.isEmpty()) return;
                var said = Json.read(body.value());
                open.removeIf(o -> o.is(kind, said));
                if (BEGINS.containsKey(type) && isCritical(kind, said)) {
                    open.add(new Open(kind, said, described(kind, said)));
                }
            }
            default -> {
                // No other fact begins or ends an operation.
            }
        }
    }

    private static boolean isCritical(String kind, JsonNode said) {
        return !kind.equals("tool") || !READING.contains(String.valueOf(name(said)));
    }

    private static String name(JsonNode said) {
        var name = Json.text(said, "tool_name");
        return name == null ? "a tool" : name;
    }

    private static String described(String kind, JsonNode said) {
        return switch (kind) {
            case "tool" -> "%s has not returned".formatted(name(said));
            case "question" -> "a question about %s waits for an answer".formatted(name(said));
            default -> "%s goes on in the background".formatted(task(said));
        };
    }

    private static String task(JsonNode said) {
        var id = said.hasNonNull("task_id") ? said.get("task_id") : said.path("id");
        return id.asString("a task");
    }
}
