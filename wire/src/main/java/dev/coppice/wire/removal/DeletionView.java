package dev.coppice.wire.removal;

import dev.coppice.wire.Field;
import dev.coppice.wire.Said;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** What the original's deletion answers: what went, what was kept, and how to get it back. */
public record DeletionView(
        @Field("true once the session is out of sight") boolean ok,
        @Field(Said.SESSION) String sessionId,
        @Field("the removal") String removalId,
        @Field("operation_error unless it is ok") @Nullable String error,
        @Field("the state of the removal") String state,
        @Field("why it is in this state") @Nullable String reason,
        @Field("when it was hidden") @Nullable String hiddenAt,
        @Field("until when it can be undone") @Nullable String undoUntil,
        @Field("what went") DeletedView deleted,
        @Field("runs that went") long runsRemovedFromCache,
        @Field("whether unsaved work was preserved") boolean workPreserved,
        @Field("the name of the backup") @Nullable String backupPath,
        @Field("how to get it back") RecoveryView recoveryInfo,
        @Field("the ids of the sessions that went") List<String> removedSessionIds,
        @Field("their names") List<String> removedSessionNames,
        @Field("the ids of those that could not be stopped and were given up")
                List<String> givenUpSessionIds,
        @Field("how many sessions below went along") long cascadedChildrenCount)
        implements RemovalCalls.DeletionAnswer {

    /** What went. */
    public record DeletedView(
            @Field("the session") boolean session,
            @Field("its events") long eventsCount,
            @Field("its runs") long runsCount) {}

    /** How to get it back. */
    public record RecoveryView(
            @Field("whether there is a backup") boolean backupAvailable,
            @Field("where preserved work is listed") @Nullable String preservationPath,
            @Field("directories that nobody could look at or preserve")
                    List<RemovalView.NotKeptView> partialDeletions) {}
}
