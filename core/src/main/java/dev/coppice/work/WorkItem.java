package dev.coppice.work;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.stream.Stream;

/** What was found, or kept, in one directory. */
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

    /** A directory as it was at some time. */
    public record State(String host, String directory, String fingerprint) {}

    /** Others whose directory it is as well. */
    public WorkItem sharedWith(List<String> others) {
        var all = Stream.concat(sessions.stream(), others.stream()).toList();
        return new WorkItem(
                host, directory, kind, all, counts, fingerprint, tip, preserved, busy, notes);
    }

    State state() {
        return new State(host, directory, fingerprint);
    }

    /** What kind of work it is. */
    public enum Kind {
        GIT,
        PLAIN,
        /** What the agents have printed. */
        OUTPUT,
        /** What runs in a session, or for runs that are named. */
        PROCESSES,
        /** What was kept in a repository at some time. */
        REFS;

        /** Whether it is files that someone has written in a directory. */
        public boolean isWork() {
            return this == GIT || this == PLAIN;
        }
    }

    /** How much there is that is saved nowhere else; and what runs there. */
    public record Counts(
            long uncommitted,
            long untracked,
            long stashed,
            long unpushed,
            long ignored,
            long bytes,
            long processes) {
        /** Names of ignored files are not work, and neither are the files until someone says so. */
        public boolean isNothing() {
            return uncommitted + untracked + stashed + unpushed == 0;
        }
    }

    /** Where the branch stands. */
    public record Tip(@Nullable String commit, @Nullable String branch) {}

    /** Where it is kept: below a ref of a repository, and as a file with this hash. */
    public record Preserved(
            @Nullable String ref,
            @Nullable String repository,
            @Nullable String file,
            @Nullable String sha256,
            long size) {}
}
