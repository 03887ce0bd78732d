package dev.coppice.wire.fleet;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.stream.Stream;

/** The result of a directory task: an item for each directory, or an error. */
public record DirectoryTaskResult(
        @Nullable String runnerId, @Nullable String error, @Nullable List<Item> items) {

    /** A copy with more items; a failed answer is returned unchanged. */
    public DirectoryTaskResult with(List<Item> more) {
        if (items == null) return this;
        return new DirectoryTaskResult(
                runnerId, error, Stream.concat(items.stream(), more.stream()).toList());
    }

    /** The result for a directory. */
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
            @Nullable Preserved preserved,
            @Nullable List<String> busy,
            @Nullable List<String> notes) {

        /** A copy with more notes. */
        public Item noting(List<String> more) {
            return withNotes(Stream.concat(noted().stream(), more.stream()).toList());
        }

        /** A copy without the notes that start with a prefix. */
        public Item without(String prefix) {
            return withNotes(noted().stream().filter(n -> !n.startsWith(prefix)).toList());
        }

        private List<String> noted() {
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
                    preserved,
                    busy,
                    all);
        }

        /** The processes in a directory: their number, and some names. */
        public static Item processes(
                String directory, List<String> sessions, long count, List<String> some) {
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
                    List.of(),
                    some);
        }

        /** An item that only lists names. */
        public static Item listed(String directory, String kind, List<String> names) {
            var none = List.<String>of();
            return new Item(
                    directory, kind, none, 0, 0, 0, 0, 0, 0, 0, "", null, null, null, none, names);
        }
    }

    /** A part of an uploaded file; its bytes in base 64. */
    public record Part(@Nullable String file, long offset, @Nullable String data) {}

    /** The place of preserved work. The repository exists even if its work tree is gone. */
    public record Preserved(
            @Nullable String ref,
            @Nullable String repository,
            @Nullable String file,
            @Nullable String sha256,
            long size) {}
}
