package dev.coppice.wire.removal;

import dev.coppice.wire.Field;
import dev.coppice.wire.Length;
import dev.coppice.wire.Sizes;

import org.jspecify.annotations.Nullable;

/** What a removal is asked to do, in our words. */
public record Choices(
        @Field(value = "the sessions below", fallback = "cascade") Choice.Children children,
        @Field(value = "what runs", fallback = "refuse") Choice.Running running,
        @Field(value = "what must not be interrupted", fallback = "refuse")
                Choice.Critical critical,
        @Field(value = "when it is gone for good", fallback = "later") Choice.Purge purge,
        @Field(value = "what cannot be stopped in time", fallback = "wait")
                Choice.Unreachable unreachable,
        @Field(
                        value = "how long stopping may take; 60s unless configured",
                        max = Sizes.DEADLINE_SECONDS_MAX)
                @Nullable Length deadline,
        @Field(value = "unsaved work", fallback = "preserve") Choice.Work work,
        @Field(value = "whether a backup is written", fallback = "yes") Choice.Backup backup,
        @Field(value = "files that git ignores", fallback = "list") Choice.Ignored ignored,
        @Field(value = "delete the directories that Coppice made, or all", fallback = "made")
                Choice.Directories directories) {
    /** The default of every choice: the one that loses least. */
    public static final Choices CAREFUL =
            new Choices(
                    Choice.Children.CASCADE,
                    Choice.Running.REFUSE,
                    Choice.Critical.REFUSE,
                    Choice.Purge.LATER,
                    Choice.Unreachable.WAIT,
                    null,
                    Choice.Work.PRESERVE,
                    Choice.Backup.YES,
                    Choice.Ignored.LIST,
                    Choice.Directories.MADE);
}
