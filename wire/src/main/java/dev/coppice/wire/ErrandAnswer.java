package dev.coppice.wire;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** What has come of an errand: what was found or kept in each directory, or why nothing was. */
public record ErrandAnswer(
        @Nullable String runnerId, @Nullable String error, @Nullable List<Item> items) {

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
            String fingerprint,
            @Nullable String commit,
            @Nullable String branch,
            @Nullable Kept kept,
            @Nullable List<String> busy,
            @Nullable List<String> notes) {}

    /** A piece of a file that someone hands in; its bytes in base 64. */
    public record Part(@Nullable String file, long offset, @Nullable String data) {}

    /** Where it is kept. */
    public record Kept(
            @Nullable String ref, @Nullable String file, @Nullable String sha256, long size) {}
}
