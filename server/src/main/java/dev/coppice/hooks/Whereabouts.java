package dev.coppice.hooks;

import dev.coppice.fleet.LookAfter;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Transactions;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;

/** Remembers in which directories programs work, which every one of their events says again. */
final class Whereabouts {
    private static final int PLACES_MAX = 20_000;

    private final Transactions transactions;
    private final LookAfter lookAfter;

    /** The host of every caller: the coordinator listens on its own machine only. */
    private final String host;

    private final Set<Place> known =
            Collections.synchronizedSet(
                    Collections.newSetFromMap(
                            new LinkedHashMap<>() {
                                private static final long serialVersionUID = 1;

                                @Override
                                protected boolean removeEldestEntry(
                                        Map.Entry<Place, Boolean> eldest) {
                                    return size() > PLACES_MAX;
                                }
                            }));

    Whereabouts(Transactions transactions, LookAfter lookAfter, String host) {
        this.transactions = transactions;
        this.lookAfter = lookAfter;
        this.host = host;
    }

    private record Place(SessionId session, String directory) {}

    void noticed(SessionId session, String directory) {
        var place = new Place(session, directory);
        if (known.contains(place) || !isUsable(directory)) return;
        boolean isNoted = transactions.write(() -> lookAfter.directory(session, host, directory));
        if (isNoted) known.add(place);
    }

    private static boolean isUsable(String directory) {
        if (directory.length() > Bounds.PATH_CHARS_MAX) return false;
        if (directory.chars().anyMatch(Character::isISOControl)) return false;
        try {
            var path = Path.of(directory);
            return path.isAbsolute() && path.normalize().equals(path);
        } catch (InvalidPathException _) {
            return false;
        }
    }
}
