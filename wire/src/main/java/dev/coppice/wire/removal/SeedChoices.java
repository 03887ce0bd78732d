package dev.coppice.wire.removal;

import dev.coppice.wire.Field;
import dev.coppice.wire.Sizes;

import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.stream.Stream;

/** The choices for a removal, as the booleans of the seeds. */
public record SeedChoices(
        @Field(value = "false refuses if there are children", fallback = "true")
                @Nullable Boolean cascade,
        @Field(value = "false lets the children stay, as roots", fallback = "true")
                @Nullable Boolean cleanupAgents,
        @Field(
                        value =
                                "true stops what runs and overrides critical operations; never"
                                        + " discards work",
                        fallback = "false")
                @Nullable Boolean force,
        @Field(value = "false writes no backup", fallback = "true") @Nullable Boolean createBackup,
        @Field(value = "false discards unsaved work and needs confirm", fallback = "true")
                @Nullable Boolean preserveWork,
        @Field(value = "why; recorded in the audit", chars = Sizes.LABEL_CHARS_MAX)
                @Nullable String reason) {
    /** True if any of the booleans was sent. */
    public boolean isAnySent() {
        return Stream.of(cascade, cleanupAgents, force, createBackup, preserveWork)
                .anyMatch(Objects::nonNull);
    }
}
