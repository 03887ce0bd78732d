package dev.coppice.runner.process;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.LongPredicate;

/**
 * Caches the marks of processes, because reading them takes most of the time of a count. The mark
 * of a run is final, whatever the process executes later. A process that stays unmarked for some
 * time is not an agent's, because agents are marked when they start. Processes in the session of a
 * supervisor may still become agents.
 */
final class Identities {
    private static final long SETTLED_NANOS = TimeUnit.SECONDS.toNanos(10);
    private final LongPredicate isSupervisor;
    private final Map<Long, Identity> known = new HashMap<>();

    Identities(LongPredicate isSupervisor) {
        this.isSupervisor = isSupervisor;
    }

    /** A process as it was last read, and when it was first seen. */
    private record Identity(ProcessInfo info, long seen) {
        boolean isOf(ProcessInfo.Stat stat) {
            return info.stat().started() == stat.started();
        }

        boolean isSettled(long now, LongPredicate isSupervisor) {
            if (info.run() != null) return true;
            return !info.isMarked()
                    && now - seen > SETTLED_NANOS
                    && !isSupervisor.test(info.stat().session());
        }
    }

    /** Returns the process, and reads its marks unless they are settled. */
    ProcessInfo of(long pid, ProcessInfo.Stat stat, long now) {
        var before = known.get(pid);
        boolean isSame = before != null && before.isOf(stat);
        if (before != null && isSame && before.isSettled(now, isSupervisor))
            return before.info().with(stat);
        var info = ProcessInfo.of(pid, stat);
        known.put(pid, new Identity(info, before != null && isSame ? before.seen() : now));
        return info;
    }

    void keepOnly(Set<Long> pids) {
        known.keySet().retainAll(pids);
    }
}
