package dev.coppice.wire.session;

import dev.coppice.wire.Field;

import org.jspecify.annotations.Nullable;

/** Limits of the tree below a session; a null limit is inherited. */
public record LimitsView(
        @Field(value = "levels below the session", min = 0) @Nullable Long depth,
        @Field(value = "live children of one session", min = 0) @Nullable Long children,
        @Field(value = "sessions below the session", min = 0) @Nullable Long descendants,
        @Field(value = "concurrent runs", min = 0) @Nullable Long runs,
        @Field(value = "bytes of events of the tree; at its root only", min = 0)
                @Nullable Long eventBytes,
        @Field(value = "bytes of metadata of the tree; at its root only", min = 0)
                @Nullable Long metadataBytes,
        @Field(value = "bytes of output of the tree; at its root only", min = 0)
                @Nullable Long outputBytes,
        @Field(value = "processes of one run", min = 0) @Nullable Long processes,
        @Field(value = "memory of one run in bytes", min = 0) @Nullable Long memoryBytes) {}
