package dev.coppice.hooks;

import dev.coppice.fleet.WatchProcesses;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Transactions;
import dev.coppice.operations.Directories;
import dev.coppice.wire.Shape;
import dev.coppice.wire.observe.HookCalls.Program;

import java.nio.charset.StandardCharsets;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import java.util.regex.Pattern;

/**
 * Records the directories and processes of programs, once each, although every event repeats them.
 */
final class Whereabouts {
    private static final int PLACES_MAX = 20_000;
    private static final long VAIN_NANOS = TimeUnit.SECONDS.toNanos(1);
    private static final Pattern PID = Pattern.compile("[1-9]\\d{0,8}");

    private final Transactions transactions;
    private final Directories directories;
    private final WatchProcesses processes;

    /** When a write last failed: events come too fast to retry with each. */
    private volatile long vain = System.nanoTime() - VAIN_NANOS;

    private final Set<Place> known = newest();
    private final Set<Running> running = newest();

    Whereabouts(Transactions transactions, Directories directories, WatchProcesses processes) {
        this.transactions = transactions;
        this.directories = directories;
        this.processes = processes;
    }

    /** A set that forgets its oldest members. */
    private static <T> Set<T> newest() {
        return Collections.synchronizedSet(
                Collections.newSetFromMap(
                        new LinkedHashMap<>() {
                            private static final long serialVersionUID = 1;

                            @Override
                            protected boolean removeEldestEntry(Map.Entry<T, Boolean> eldest) {
                                return size() > PLACES_MAX;
                            }
                        }));
    }

    private record Running(SessionId session, long pid) {}

    /** The directory as a digest: many long ones would take much memory. */
    private record Place(SessionId session, UUID directory) {
        static Place of(SessionId session, String directory) {
            var bytes = directory.getBytes(StandardCharsets.UTF_8);
            return new Place(session, UUID.nameUUIDFromBytes(bytes));
        }
    }

    void noticed(SessionId session, String directory) {
        if (!Directories.isUsable(directory)) return;
        once(
                known,
                Place.of(session, directory),
                () -> directories.observed(session, null, directory));
    }

    /** Takes the process id that a hook names, and ignores any other text. */
    void noticed(SessionId session, Program program, String text) {
        if (!PID.matcher(text).matches()) return;
        long pid = Long.parseLong(text);
        var word = Shape.word(program);
        var one = new Running(session, pid);
        once(running, one, () -> processes.claimed(session, directories.host(), pid, word));
    }

    /** Writes each thing once. A write without a runner fails, and is retried after a while. */
    private <T> void once(Set<T> seen, T one, Supplier<Boolean> write) {
        if (seen.contains(one) || System.nanoTime() - vain < VAIN_NANOS) return;
        if (transactions.write(write)) seen.add(one);
        else vain = System.nanoTime();
    }
}
