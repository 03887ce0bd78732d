package dev.coppice.work;

import dev.coppice.kernel.RunId;
import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/**
 * Something to be done on a host with the directories of sessions; any runner there can do it, and
 * doing it twice is doing it once.
 */
public record DirectoryTask(
        DirectoryTaskId id,
        Kind kind,
        String host,
        @Nullable String removal,
        Terms terms,
        List<Place> places,
        List<RunId> runs) {
    public DirectoryTask {
        places = List.copyOf(places);
        runs = List.copyOf(runs);
    }

    /** What is to be done. */
    public enum Kind {
        /** Look what is unsaved, and change nothing. */
        LOOK,
        /** Keep what is unsaved, and prove that it can be restored. */
        KEEP,
        /** Take away what Coppice has made; what is unsaved by now is kept first. */
        TIDY,
        /** Take it away, and keep only what nobody has seen who decided that: what came later. */
        WIPE,
        /** Keep what is unsaved in files alone, for a backup of a tree that stays. */
        COPY,
        /** Look for refs, processes and directories nobody remembers, and change nothing. */
        CHECK,
        /** Take away the refs of a removal that did not come to be; all of it is still there. */
        RELEASE;

        /** Whether something is gone afterwards. */
        public boolean takesAway() {
            return this == TIDY || this == WIPE;
        }
    }

    /** How far keeping goes; and the time that what is kept bears, so that twice gives the same. */
    public record Terms(Ignored ignored, Directories directories, Instant at) {
        public static Terms at(Instant at) {
            return new Terms(Ignored.LIST, Directories.MADE, at);
        }
    }

    /** What becomes of files that git is told to ignore. */
    public enum Ignored {
        /** Their names are kept. */
        LIST,
        /** They are kept, as long as they are small. */
        KEEP,
        SKIP
    }

    /** Which directories without git are kept. */
    public enum Directories {
        /** Those Coppice has made; no others are ever deleted. */
        MADE,
        ALL
    }

    /**
     * A directory, whose session it is, and where the output of its runs lies. One that was asked
     * about before, with others who share it, is not kept again; the output of its runs is.
     */
    public record Place(
            String directory,
            Workplace.Made made,
            SessionId session,
            String sessionName,
            String outputs,
            boolean again) {}
}
