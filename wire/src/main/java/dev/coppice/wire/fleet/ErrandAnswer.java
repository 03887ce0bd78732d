package dev.coppice.wire.fleet;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.stream.Stream;

/** What has come of an errand: what was found or kept in each directory, or why nothing was. */
public record ErrandAnswer(
        @Nullable String runnerId, @Nullable String error, @Nullable List<Item> items) {

    /** The same, and this too; a failure stays one. */
    public ErrandAnswer with(List<Item> more) {
        if (items == null) return this;
        return new ErrandAnswer(
                runnerId, error, Stream.concat(items.stream(), more.stream()).toList());
    }

    /** One directory. */
    public record Item(
            String directory,
            String kind,
            @Nullable List<String> sessions,
            long uncommitted,
            long untracked,
            long stashed,
            long unpushed,
            long ignored,
            long bytes,
            long processes,
            String fingerprint,
            @Nullable String commit,
            @Nullable String branch,
            @Nullable Kept kept,
            @Nullable List<String> busy,
            @Nullable List<String> notes) {

        /** The beginning of a name that stands for a process of no known run instead of a run. */
        public static final String OF_NO_KNOWN_RUN = "process ";

        /** The same, with more to be said of it. */
        public Item noting(List<String> more) {
            return withNotes(Stream.concat(said().stream(), more.stream()).toList());
        }

        /** Without the notes that begin so. */
        public Item without(String beginning) {
            return withNotes(said().stream().filter(n -> !n.startsWith(beginning)).toList());
        }

        private List<String> said() {
            return notes == null ? List.of() : notes;
        }

        private Item withNotes(List<String> all) {
            return new Item(
                    directory,
                    kind,
                    sessions,
                    uncommitted,
                    untracked,
                    stashed,
                    unpushed,
                    ignored,
                    bytes,
                    processes,
                    fingerprint,
                    commit,
                    branch,
                    kept,
                    busy,
                    all);
        }

        /** What runs: how many, what of it must not be broken off, and some by name. */
        public static Item processes(
                String directory,
                List<String> sessions,
                long count,
                List<String> busy,
                List<String> some) {
            return new Item(
                    directory,
                    "processes",
                    sessions,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    count,
                    "",
                    null,
                    null,
                    null,
                    busy,
                    some);
        }

        /** What is there, by name, and no more than that. */
        public static Item listed(String directory, String kind, List<String> names) {
            var none = List.<String>of();
            return new Item(
                    directory, kind, none, 0, 0, 0, 0, 0, 0, 0, "", null, null, null, none, names);
        }
    }

    /** A piece of a file that someone hands in; its bytes in base 64. */
    public record Part(@Nullable String file, long offset, @Nullable String data) {}

    /** Where it is kept; the repository is there also when a work tree of it is gone. */
    public record Kept(
            @Nullable String ref,
            @Nullable String repository,
            @Nullable String file,
            @Nullable String sha256,
            long size) {}
}
