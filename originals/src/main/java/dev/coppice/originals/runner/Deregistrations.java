package dev.coppice.originals.runner;

import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.Topic;
import dev.coppice.operation.TopicNotifier;

import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The older runners that were removed from outside and do not know it yet. Such a runner ends in
 * order when its poll says so, and would otherwise try three times before it gives up.
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
