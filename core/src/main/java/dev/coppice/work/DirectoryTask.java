package dev.coppice.work;

import dev.coppice.kernel.RunId;
import dev.coppice.kernel.SessionId;
import dev.coppice.word.Choice;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/**
 * A task for the directories of sessions on one host. Any runner there can do it, and repeating it
 * is harmless.
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

    public enum Kind {
        /** Inspects unsaved work, and changes nothing. */
        INSPECT,
        /** Preserves unsaved work, and proves that it can be restored. */
        PRESERVE,
        /** Deletes what Coppice made; work that is unsaved by now is preserved first. */
        CLEAN_UP,
        /**
         * Deletes what Coppice made; only work that differs from the confirmed inspection is
         * preserved.
         */
        DELETE,
        /** Copies unsaved work into files, for a backup of a tree that stays. */
        COPY,
        /**
         * Finds refs, processes and directories that the database does not know, and changes
         * nothing.
         */
        CHECK,
        /** Deletes the refs of a removal that was cancelled or undone; its tree still exists. */
        RELEASE;

        /** True if the task deletes directories. */
        public boolean deletesDirectories() {
            return this == CLEAN_UP || this == DELETE;
        }
    }

    /**
     * The extent of preservation, and the timestamp of preserved work: it is fixed, so that a
     * repeated task gives the same result.
     */
    public record Terms(Choice.Ignored ignored, Choice.Directories directories, Instant at) {
        public static Terms at(Instant at) {
            return new Terms(Choice.Ignored.LIST, Choice.Directories.MADE, at);
        }
    }

    /**
     * A directory, its session, and where the output of the session's runs lies. With {@code again}
     * an earlier task covers the directory for another session that shares it, so only the output
     * is preserved.
     */
    public record Place(
            String directory,
            Workplace.Made made,
            SessionId session,
            String sessionName,
            String outputs,
            boolean again) {}
}
