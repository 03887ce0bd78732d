package dev.coppice.originals.runner;

import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.Topic;
import dev.coppice.request.TopicNotifier;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * Older runners that another caller removed, until their next poll tells them. Such a runner then
 * ends in order; otherwise it would try three times before it gives up.
 */
final class Deregistrations {
    private static final int RUNNERS_MAX = 1_000;
    private final TopicNotifier notifier;

    private final Map<RunnerId, Boolean> untold =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<RunnerId, Boolean> eldest) {
                    return size() > RUNNERS_MAX;
                }
            };

    Deregistrations(TopicNotifier notifier) {
        this.notifier = notifier;
    }

    /** Wakes the poll of the runner if it waits. */
    void add(RunnerId runner) {
        put(runner);
        notifier.accept(new Topic.StopWanted(runner));
    }

    private synchronized void put(RunnerId runner) {
        untold.put(runner, true);
    }

    /** A runner that registers again is a new one. */
    synchronized void forget(RunnerId runner) {
        untold.remove(runner);
    }

    /** True for the first poll after the removal. */
    synchronized boolean isToBeTold(RunnerId runner) {
        return untold.remove(runner) != null;
    }
}
