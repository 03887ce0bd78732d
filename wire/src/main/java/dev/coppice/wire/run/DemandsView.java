package dev.coppice.wire.run;

import dev.coppice.wire.Field;
import dev.coppice.wire.Sizes;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The demands of a run on its runner. */
public record DemandsView(
        @Field(value = "this host", chars = Sizes.LABEL_CHARS_MAX) @Nullable String hostname,
        @Field(value = "this directory", chars = Sizes.PATH_CHARS_MAX) @Nullable String projectDir,
        @Field(value = "this profile", chars = Sizes.LABEL_CHARS_MAX)
                @Nullable String executorProfile,
        @Field(value = "this kind of executor", chars = Sizes.LABEL_CHARS_MAX)
                @Nullable String executorType,
        @Field("all of these tags") @Nullable List<String> tags) {}
