package dev.coppice.mcp.tool;

import com.fasterxml.jackson.annotation.JsonInclude;

import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The result of the tool delete_session. */
record DeletedSession(
        @Field("true once the session is out of sight") boolean success,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Field("true if it was deleted before")
                @Nullable Boolean alreadyDeleted,
        @Field(Descriptions.SESSION) String sessionId,
        @Field("the removal, for undo_deletion") String removalId,
        @Field("the state of the removal") String state,
        @Field("why it is in this state") @Nullable String reason,
        @Field("until when undo_deletion works") @Nullable String undoUntil,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Field("what was done")
                @Nullable Summary deletionSummary,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Field("sessions below that went along")
                @Nullable Long agentsDeleted,
        @JsonInclude(JsonInclude.Include.NON_NULL)
                @Field("true if all unsaved work, of which there may be none, was preserved")
                @Nullable Boolean workPreserved,
        @Field("the name of the backup") @Nullable String backupPath,
        @JsonInclude(JsonInclude.Include.NON_NULL) @Field("how to get it back")
                @Nullable Recovery recoveryInfo) {

    /** A summary of the deletion. */
    record Summary(
            @Field("sessions below that went along") long agentsDeleted,
            @Field("sessions that could not be stopped and were given up") long agentsFailed,
            @Field("true if all unsaved work, of which there may be none, was preserved")
                    boolean workPreserved,
            @Field("whether there is a backup") boolean backupCreated,
            @Field("whether the session is out of sight") boolean stateDeleted,
            @Field("whether anything was gone on without") boolean partialDeletion) {}

    /** The ways to recover the session. */
    record Recovery(
            @Field("whether there is a backup") boolean backupAvailable,
            @Field("where preserved work is listed") @Nullable String preservationPath,
            @Field("what was gone on without") List<Partial> partialDeletions) {}

    /** A session or directories that the removal continued without. */
    record Partial(
            @Field("the session") @Nullable String agentId,
            @Field("why") String error,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Field("the host") @Nullable String host,
            @JsonInclude(JsonInclude.Include.NON_NULL) @Field("the directories")
                    @Nullable List<String> directories,
            @Field("when") @Nullable String timestamp) {}
}
