package dev.coppice.wire.fleet;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** A directory task: an order to a runner about directories of sessions on its host. */
public record DirectoryTaskOrder(
        String taskId,
        String kind,
        @Nullable String removalId,
        String ignored,
        String directories,
        long at,
        List<Place> places,
        List<String> runs) {

    /** A copy for some of its places. */
    public DirectoryTaskOrder about(List<Place> some) {
        return new DirectoryTaskOrder(
                taskId, kind, removalId, ignored, directories, at, some, runs);
    }

    /** The id that marks everything preserved for this task. */
    public String mark() {
        return removalId == null ? taskId : removalId;
    }

    /**
     * A directory, whether Coppice created it, the place of the output of its runs, and whether it
     * was preserved before, for another session that shares it.
     */
    public record Place(
            String directory,
            boolean made,
            String sessionId,
            String sessionName,
            String outputs,
            boolean again) {}
}
