package dev.coppice.wire.removal;

import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;
import dev.coppice.wire.Inline;
import dev.coppice.wire.Length;
import dev.coppice.wire.Patience;
import dev.coppice.wire.Sizes;

import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.stream.Stream;

/** The request to remove a session or to plan it, for tools: its choices are flags. */
public record RemoveByFlags(
        @Field(value = Descriptions.SESSION, example = "s1") String sessionId,
        @Inline Flags flags,
        @Field("the digest of the plan that was looked at") @Nullable String confirm,
        @Field(
                        value = "how long stopping may take; 60s unless configured",
                        max = Sizes.DEADLINE_SECONDS_MAX)
                @Nullable Length deadline,
        @Inline Patience patience,
        @Field(value = "true returns the plan and changes nothing", fallback = "false")
                boolean dryRun) {

    /** The choices for a removal, as flags. */
    public record Flags(
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
            @Field(value = "false writes no backup", fallback = "true")
                    @Nullable Boolean createBackup,
            @Field(value = "false discards unsaved work and needs confirm", fallback = "true")
                    @Nullable Boolean preserveWork,
            @Field(value = "why; recorded in the audit", chars = Sizes.LABEL_CHARS_MAX)
                    @Nullable String reason) {
        /** True if any flag was sent. */
        public boolean isAnySent() {
            return Stream.of(cascade, cleanupAgents, force, createBackup, preserveWork)
                    .anyMatch(Objects::nonNull);
        }
    }
}
