package dev.coppice.work;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.stream.Stream;

/** The work that was found or preserved in one directory. */
public record WorkItem(
        String host,
        String directory,
        Kind kind,
        List<String> sessions,
        Counts counts,
        String fingerprint,
        Tip tip,
        @Nullable Preserved preserved,
        List<String> busy,
        List<String> notes) {
    public WorkItem {
        sessions = List.copyOf(sessions);
        busy = List.copyOf(busy);
        notes = List.copyOf(notes);
    }

    /** The state of a directory at some time. */
    public record State(String host, String directory, String fingerprint) {}

    /** Adds other sessions that share the directory. */
    public WorkItem sharedWith(List<String> others) {
        var all = Stream.concat(sessions.stream(), others.stream()).toList();
        return new WorkItem(
                host, directory, kind, all, counts, fingerprint, tip, preserved, busy, notes);
    }

    State state() {
        return new State(host, directory, fingerprint);
    }

    public enum Kind {
        GIT,
        PLAIN,
        /** Output of agents. */
        OUTPUT,
        /** Processes of a session, or of the named runs. */
        PROCESSES,
        /** Processes of no known run. */
        ORPHANS,
        /** Refs to work that was preserved in a repository earlier. */
        REFS;

        /** True for files in a directory, which a session may have written. */
        public boolean isWork() {
            return this == GIT || this == PLAIN;
        }
    }

    /** Amounts of unsaved work, and the number of processes. */
    public record Counts(
            long uncommitted,
            long untracked,
            long stashed,
            long unpushed,
            long ignored,
            long bytes,
            long processes) {
        /** True if nothing is unsaved. Ignored files do not count. */
        public boolean isNothing() {
            return uncommitted + untracked + stashed + unpushed == 0;
        }
    }

    /** The branch and its latest commit. */
    public record Tip(@Nullable String commit, @Nullable String branch) {}

    /**
     * The location of preserved work: a ref in a repository, and a file with this hash; either may
     * be missing.
     */
    public record Preserved(
            @Nullable String ref,
            @Nullable String repository,
            @Nullable String file,
            @Nullable String sha256,
            long size) {}
}
