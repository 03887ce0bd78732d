package dev.coppice.mcp;

import dev.coppice.access.Caller;
import dev.coppice.follow.Follower;
import dev.coppice.follow.Followers;
import dev.coppice.follow.Item;
import dev.coppice.follow.Sight;
import dev.coppice.follow.Tail;
import dev.coppice.journal.Entry;
import dev.coppice.journal.Fact;
import dev.coppice.kernel.SessionId;
import dev.coppice.mcp.tool.Resources;
import dev.coppice.thread.Loops;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/**
 * Follows the journal once for all subscriptions to resources, while there are any, and notifies
 * those whose resource an entry changes. A notification has no contents, so nothing is held for a
 * slow reader.
 */
final class Updates implements AutoCloseable {
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final Tail tail;
    private final Followers followers;
    private final Loops loops;
    private final Sight sight;
    private final Map<String, Set<Watch>> byId = new ConcurrentHashMap<>();
    private final Map<String, Set<Watch>> trees = new ConcurrentHashMap<>();
    private boolean isOpen = true;
    private @Nullable Follower follower;

    /** A subscription of a reader that sees only what is below {@code top}, if not null. */
    private record Watch(Resources.Kind kind, @Nullable SessionId top, Runnable changed) {}

    Updates(Tail tail, Followers followers, Loops loops) {
        this.tail = tail;
        this.followers = followers;
        this.loops = loops;
        this.sight = tail.sight();
    }

    /** Calls {@code changed} after each change until the returned action is run. */
    Runnable watch(Resources.Target target, Caller caller, Runnable changed) {
        var watch = new Watch(target.kind(), caller.session(), changed);
        var map = target.kind() == Resources.Kind.TREE ? trees : byId;
        synchronized (this) {
            map.computeIfAbsent(target.id(), _ -> ConcurrentHashMap.newKeySet()).add(watch);
            if (follower == null && isOpen) {
                var started = Follower.own(tail, followers.own());
                follower = started;
                loops.start("mcp-updates", () -> isNeeded(started), () -> next(started));
            }
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

    /** Notifies the watches. */
    private final Follower.Face telling =
            new Follower.Face() {
                @Override
                public boolean isThere() {
                    return true;
                }

                @Override
                public void send(Item item) {
                    tell(item.entry());
                }
            };

    /** True while a follower is needed. Otherwise closes it; the next watch starts another. */
    private synchronized boolean isNeeded(Follower mine) {
        if (isOpen && !(byId.isEmpty() && trees.isEmpty())) return true;
        if (follower == mine) {
            follower = null;
            mine.close();
        }
        return false;
    }

    private void next(Follower mine) throws InterruptedException {
        try {
            mine.next(LOOK, telling);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void tell(Entry entry) {
        var fact = entry.fact();
        var session = entry.session();
        for (var watch : byId.getOrDefault(session.value(), Set.of())) {
            if (watch.kind().isChangedBy(fact)) tell(watch, session);
        }
        if (fact instanceof Fact.RemovalMoved moved) {
            byId.getOrDefault(moved.removal(), Set.of()).forEach(watch -> watch.changed().run());
        }
        if (!Resources.Kind.TREE.isChangedBy(fact)) return;
        trees.forEach((top, watches) -> {
            if (sight.isWithin(session, new SessionId(top))) {
                watches.forEach(watch -> tell(watch, session));
            }
        });
    }

    /** A session may have been moved out of the reader's sight since it subscribed. */
    private void tell(Watch watch, SessionId session) {
        if (sight.isWithin(session, watch.top())) watch.changed().run();
    }

    @Override
    public synchronized void close() {
        isOpen = false;
    }
}
