package dev.coppice.wire.fleet;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Something a runner is to do with the directories of sessions on its host. */
public record ErrandOrder(
        String errandId,
        String kind,
        @Nullable String removalId,
        String ignored,
        String directories,
        long at,
        List<Place> places,
        List<String> runs) {

    /** The same, about some of its places. */
    public ErrandOrder about(List<Place> some) {
        return new ErrandOrder(errandId, kind, removalId, ignored, directories, at, some, runs);
    }

    /** What everything that is kept for it bears. */
    public String mark() {
        return removalId == null ? errandId : removalId;
    }

    /**
     * A directory, whether Coppice has made it, and where the output of its runs lies; and whether
     * it was kept before, for others who share it.
     */
    public record Place(
            String directory,
            boolean made,
            String sessionId,
            String sessionName,
            String outputs,
            boolean again) {}
}
