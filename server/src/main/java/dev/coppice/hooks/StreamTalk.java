package dev.coppice.hooks;

import dev.coppice.access.Caller;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Transactions;
import dev.coppice.observe.Observations;
import dev.coppice.observe.Observations.Sent;
import dev.coppice.operation.Reply;
import dev.coppice.session.Sessions;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/**
 * One page that follows the events. First it gets the newest ones, then each further one, and an
 * event again when a person answers it: nothing twice and nothing left out in between.
 */
final class StreamTalk implements Reply.Talk {
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);
    private static final Duration TRUST = Duration.ofSeconds(1);
    private static final int REMEMBERED_MAX = 10_000;

    private final Sources sources;
    private final Caller caller;
    private final Tidings tidings;
    private final Flavour flavour;
    private final BooleanSupplier isGood;
    private final Map<SessionId, Boolean> inside = new HashMap<>();
    private long lastCheck = System.nanoTime();

    /** Where the events come from. */
    record Sources(
            Transactions transactions,
            Observations observations,
            Sessions sessions,
            Feed feed,
            AtomicInteger open) {}

    /** The newest events and the number up to which they are complete. */
    private record Beginning(long head, List<Sent> newest) {}

    StreamTalk(
            Sources sources,
            Caller caller,
            Tidings tidings,
            Flavour flavour,
            BooleanSupplier isGood) {
        this.sources = sources;
        this.caller = caller;
        this.tidings = tidings;
        this.flavour = flavour;
        this.isGood = isGood;
    }

    @Override
    public void over(Reply.Line line) throws IOException, InterruptedException {
        sources.feed().join();
        sources.open().incrementAndGet();
        try {
            var beginning = sources.transactions().read(this::beginning);
            line.send(initial(beginning.newest()));
            for (var text : tidings.first()) line.send(text);
            follow(beginning.head(), line);
        } finally {
            sources.feed().leave();
            sources.open().decrementAndGet();
        }
    }

    /** The two reads may see different states: what is newer than the number follows after it. */
    private Beginning beginning() {
        var observations = sources.observations();
        long head = observations.head();
        var newest = observations.recent(caller.session(), flavour.initialMax());
        return new Beginning(head, newest.stream().filter(e -> e.number() <= head).toList());
    }

    private String initial(List<Sent> newest) {
        var list = flavour.isNewestFirst() ? newest.reversed() : newest;
        return list.stream()
                .map(SentText::of)
                .collect(Collectors.joining(",", "{\"type\":\"initial\",\"data\":[", "]}"));
    }

    private void follow(long head, Reply.Line line) throws IOException, InterruptedException {
        long at = head;
        long beat = System.nanoTime();
        while (line.isOpen() && sources.feed().isOpen() && isStillGood()) {
            var found = sources.feed().after(at, TRUST);
            if (found.isEmpty()) throw new IOException("too slow for the events");
            for (var item : found.get()) {
                at = item.number();
                if (!isVisible(item.event())) continue;
                line.send(item.text());
                for (var text : tidings.after(item.event())) line.send(text);
                beat = System.nanoTime();
            }
            if (System.nanoTime() - beat > HEARTBEAT.toNanos()) {
                line.ping();
                beat = System.nanoTime();
            }
        }
    }

    /** True while the page's token is valid. It is checked at most once a second. */
    private boolean isStillGood() {
        if (System.nanoTime() - lastCheck < TRUST.toNanos()) return true;
        lastCheck = System.nanoTime();
        return isGood.getAsBoolean();
    }

    private boolean isVisible(Sent event) {
        var top = caller.session();
        if (top == null) return true;
        if (inside.size() > REMEMBERED_MAX) inside.clear();
        return inside.computeIfAbsent(
                event.node(),
                id -> sources.transactions().read(() -> sources.sessions().isWithin(id, top)));
    }

    @Override
    public @Nullable String answer(String text) {
        return text.contains("\"ping\"") ? "{\"type\":\"pong\"}" : tidings.answer(text);
    }
}
