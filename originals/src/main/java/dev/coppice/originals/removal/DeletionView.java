package dev.coppice.originals.removal;

import dev.coppice.view.RemovalViews;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;
import dev.coppice.wire.removal.MemberView;
import dev.coppice.wire.removal.RemovalView;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The older answer to a deletion: what was removed and preserved, and how to recover it. */
record DeletionView(
        @Field("true once the session is hidden") boolean ok,
        @Field(Descriptions.SESSION) String sessionId,
        @Field("the removal") String removalId,
        @Field("operation_error unless it is ok") @Nullable String error,
        @Field("the state of the removal") String state,
        @Field("why it is in this state") @Nullable String reason,
        @Field("when it was hidden") @Nullable String hiddenAt,
        @Field("until when it can be undone") @Nullable String undoUntil,
        @Field("the removed rows") DeletedView deleted,
        @Field("the number of removed runs") long runsRemovedFromCache,
        @Field("true if all unsaved work, of which there may be none, was preserved")
                boolean workPreserved,
        @Field("the name of the backup") @Nullable String backupPath,
        @Field("how to get it back") RecoveryView recoveryInfo,
        @Field("the ids of the removed sessions") List<String> removedSessionIds,
        @Field("the names of the removed sessions") List<String> removedSessionNames,
        @Field("the ids of sessions that could not be stopped and were given up")
                List<String> givenUpSessionIds,
        @Field("the number of removed sessions below") long cascadedChildrenCount)
        implements DeletionAnswer {

    /** The removed rows. */
    record DeletedView(
            @Field("true if the session was removed") boolean session,
            @Field("the number of its events") long eventsCount,
            @Field("the number of its runs") long runsCount) {}

    /** The ways to recover the session. */
    record RecoveryView(
            @Field("whether there is a backup") boolean backupAvailable,
            @Field("where preserved work is listed") @Nullable String preservationPath,
            @Field("directories that could not be inspected or preserved")
                    List<RemovalView.NotPreservedView> partialDeletions) {}

    /** {@code whole} has all sessions of the removal. */
    static DeletionView of(RemovalView.Whole whole) {
        var removal = whole.removal();
        boolean ok = RemovalViews.hidesSessions(removal);
        var backup = removal.backup();
        var partial = removal.notPreserved();
        var shown = ok ? whole.outcomes() : List.<MemberView>of();
        return new DeletionView(
                ok,
                removal.sessionId(),
                removal.removalId(),
                ok ? null : "operation_error",
                removal.state(),
                RemovalViews.reason(removal),
                removal.hiddenAt(),
                removal.undoUntil(),
                new DeletedView(ok, removal.taken().events(), removal.taken().runs()),
                removal.taken().runs(),
                RemovalViews.preservesAllWork(removal),
                backup == null ? null : backup.file(),
                new RecoveryView(backup != null, RemovalViews.workPath(whole), partial),
                shown.stream().map(MemberView::sessionId).toList(),
                shown.stream().map(MemberView::sessionName).toList(),
                shown.stream().filter(MemberView::wasGivenUp).map(MemberView::sessionId).toList(),
                Math.max(0, whole.outcomes().size() - 1));
    }
}
