package dev.coppice.hooks;

import dev.coppice.fleet.WatchProcesses;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Transactions;
import dev.coppice.operations.Directories;
import dev.coppice.wire.Shape;
import dev.coppice.wire.observe.HookCalls.Program;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Remembers in which directories and processes programs work, which their events say again and
 * again.
 */
final class Whereabouts {
    private static final int PLACES_MAX = 20_000;
    private static final Pattern PID = Pattern.compile("[1-9]\\d{0,8}");

    private final Transactions transactions;
    private final Directories directories;
    private final WatchProcesses processes;

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

    private record Place(SessionId session, String directory) {}

    void noticed(SessionId session, String directory) {
        var place = new Place(session, directory);
        if (known.contains(place)) return;
        boolean isNoted = transactions.write(() -> directories.observed(session, null, directory));
        if (isNoted) known.add(place);
    }

    /** The hook of a program names its process; what is not a number names none. */
    void noticed(SessionId session, Program program, String pid) {
        if (!PID.matcher(pid).matches()) return;
        var one = new Running(session, Long.parseLong(pid));
        if (!running.add(one)) return;
        var word = Shape.word(program);
        transactions.write(() -> {
            processes.noticed(session, directories.host(), one.pid(), word);
            return one;
        });
    }
}
