package dev.coppice.mcp;

import dev.coppice.journal.Entry;
import dev.coppice.journal.Fact;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Topic;
import dev.coppice.kernel.Transactions;
import dev.coppice.mcp.tool.Resources;
import dev.coppice.operation.TopicNotifier;
import dev.coppice.session.Sessions;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Reads the journal once for all subscriptions to resources, while there are any, and tells those
 * whose resource an entry changes. It only tells that there is something to read, so it holds
 * nothing for a reader that is slow.
 */
final class Updates implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("mcp");
    private static final int ENTRIES_MAX = 500;
    private static final int PLACES_MAX = 10_000;

    /** The interval of looks without a signal: another coordinator may have written. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final Source source;
    private final Map<String, Set<Watch>> byId = new ConcurrentHashMap<>();
    private final Map<String, Set<Watch>> trees = new ConcurrentHashMap<>();
    private final Map<String, Boolean> inside = new HashMap<>();
    private volatile boolean isOpen = true;
    private @Nullable Thread reader;
    private long from;

    /** The stores that are read. */
    record Source(
            Transactions transactions,
            Journal journal,
            Sessions sessions,
            TopicNotifier notifier) {}

    /** A resource and the reader that wants to know of its changes. */
    private record Watch(Resources.Kind kind, Runnable changed) {}

    Updates(Source source) {
        this.source = source;
    }

    /** Calls {@code changed} after each change until the returned action is run. */
    Runnable watch(Resources.Target target, Runnable changed) {
        var watch = new Watch(target.kind(), changed);
        var map = target.kind() == Resources.Kind.TREE ? trees : byId;
        long head = source.transactions().read(source.journal()::head);
        synchronized (this) {
            if (!isWatched()) from = head;
            map.computeIfAbsent(target.id(), _ -> ConcurrentHashMap.newKeySet()).add(watch);
            if (reader == null) {
                reader = Thread.ofVirtual().name("mcp-updates").start(this::read);
            }
            notifyAll();
        }
        return () -> unwatch(map, target.id(), watch);
    }

    private synchronized void unwatch(Map<String, Set<Watch>> map, String id, Watch watch) {
        map.computeIfPresent(
                id,
                (_, all) -> {
                    all.remove(watch);
                    return all.isEmpty() ? null : all;
                });
    }

    private void read() {
        try (var signal = source.notifier().subscribe(new Topic.JournalGrew())) {
            while (isOpen) {
                long at = awaitWatch();
                while (isOpen && isWatched()) {
                    long upTo = readOn(at);
                    if (upTo == at) signal.await(LOOK);
                    at = upTo;
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Returns the number after which the first watch wants to know of changes. */
    private synchronized long awaitWatch() throws InterruptedException {
        while (isOpen && !isWatched()) wait();
        return from;
    }

    private boolean isWatched() {
        return !byId.isEmpty() || !trees.isEmpty();
    }

    private long readOn(long at) {
        try {
            var entries =
                    source.transactions()
                            .read(() -> source.journal().after(at, Journal.Scope.ALL, ENTRIES_MAX));
            entries.forEach(this::tell);
            return entries.isEmpty() ? at : entries.getLast().number();
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.WARNING, "cannot read the journal; will retry", e);
            return at;
        }
    }

    private void tell(Entry entry) {
        var fact = entry.fact();
        boolean isMove =
                fact instanceof Fact.SessionDetached || fact instanceof Fact.SessionAttached;
        if (isMove || inside.size() > PLACES_MAX) inside.clear();
        for (var watch : byId.getOrDefault(entry.session().value(), Set.of())) {
            if (watch.kind().isChangedBy(fact)) watch.changed().run();
        }
        if (fact instanceof Fact.RemovalMoved moved) {
            byId.getOrDefault(moved.removal(), Set.of()).forEach(watch -> watch.changed().run());
        }
        if (!Resources.Kind.TREE.isChangedBy(fact)) return;
        trees.forEach((top, watches) -> {
            if (isInside(entry.session(), top)) watches.forEach(watch -> watch.changed().run());
        });
    }

    private boolean isInside(SessionId session, String top) {
        if (session.value().equals(top)) return true;
        return inside.computeIfAbsent(
                session.value() + "\n" + top,
                _ ->
                        source.transactions()
                                .read(() ->
                                        source.sessions().isWithin(session, new SessionId(top))));
    }

    @Override
    public void close() {
        synchronized (this) {
            isOpen = false;
            notifyAll();
        }
    }
}
