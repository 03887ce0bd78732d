package dev.coppice.wire.removal;

import dev.coppice.wire.Field;
import dev.coppice.wire.Length;
import dev.coppice.wire.Sizes;
import dev.coppice.word.Choice;

import org.jspecify.annotations.Nullable;

/** The choices for a removal, in the words of Coppice. */
public record Choices(
        @Field(value = "policy for the sessions below", fallback = "cascade")
                Choice.Children children,
        @Field(value = "policy for live sessions", fallback = "refuse") Choice.Running running,
        @Field(value = "policy for critical operations", fallback = "refuse")
                Choice.Critical critical,
        @Field(value = "when hidden sessions are purged", fallback = "later") Choice.Purge purge,
        @Field(value = "policy for sessions that do not stop in time", fallback = "wait")
                Choice.Unreachable unreachable,
        @Field(
                        value = "how long stopping may take; 60s unless configured",
                        max = Sizes.DEADLINE_SECONDS_MAX)
                @Nullable Length deadline,
        @Field(value = "policy for unsaved work", fallback = "preserve") Choice.Work work,
        @Field(value = "whether a backup is written", fallback = "yes") Choice.Backup backup,
        @Field(value = "policy for files that git ignores", fallback = "list")
                Choice.Ignored ignored,
        @Field(value = "directories without git to preserve", fallback = "made")
                Choice.Directories directories) {
    /** The default of every choice, which is the one that loses least. */
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
