package dev.coppice.wire.removal;

import dev.coppice.wire.Code;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;

/** The plan of a removal: the rows and work it affects, and objections to it. */
public record PlanView(
        @Field(Descriptions.SESSION) String sessionId,
        @Field(Descriptions.NAME) String sessionName,
        @Field("what the plan is about, as a hash to confirm") String digest,
        @Field("true if nothing forbids it") boolean allowed,
        @Field("true if it discards work, which needs the digest as confirm") boolean needsConfirm,
        @Field("sessions") long sessions,
        @Field("runs") long runs,
        @Field("runs that have not ended") long liveRuns,
        @Field("runs that a runner holds") long leases,
        @Field("processes of agents and what they have started") long processes,
        @Field("callbacks owed to the tree") long openCallbacks,
        @Field("callbacks the tree owes to its parent") long owedCallbacks,
        @Field("events") long events,
        @Field("bytes of events") long eventBytes,
        @Field("bytes of output of agents, on their hosts") long outputBytes,
        @Field("bytes of the directories that Coppice created, which a removal deletes")
                long freedBytes,
        @Field("sessions by their state") Map<String, Long> sessionsByState,
        @Field("what was asked for") ChoicesView choices,
        @Field("the sessions that are alive, the first of them") List<RunningView> running,
        @Field("the processes of programs that Coppice did not start, the first of them")
                List<OutsideView> outside,
        @Field("what must not be interrupted") List<CriticalView> criticalOperations,
        @Field("the directories of the tree") List<WorkView> work,
        @Field("hosts on which no runner answered") List<String> notLookedAt,
        @Field("why a runner could not look, by host") Map<String, String> looksFailed,
        @Field("removals below that would go along") List<EarlierView> earlierRemovals,
        @Field("what forbids it") List<RefusalView> refusals) {

    /** The choices of the request. */
    public record ChoicesView(
            @Field("the sessions below") String children,
            @Field("what runs") String running,
            @Field("what must not be interrupted") String critical,
            @Field("when it is gone for good") String purge,
            @Field("what cannot be stopped in time") String unreachable,
            @Field("how long stopping may take") String deadline,
            @Field("unsaved work") String work,
            @Field("whether a backup is written") String backup,
            @Field("files that git ignores") String ignored,
            @Field("which directories are deleted") String directories) {}

    /** A live session. */
    public record RunningView(
            @Field(Descriptions.SESSION) String sessionId,
            @Field(Descriptions.NAME) String sessionName,
            @Field("its state") String state) {}

    /** The process of a program that Coppice did not start. */
    public record OutsideView(
            @Field(Descriptions.SESSION) String sessionId,
            @Field("its host") String hostname,
            @Field("its process id") long pid,
            @Field("the program") String program,
            @Field("whether the removal ends it; otherwise it goes on") boolean mayStop) {}

    /** An operation that must not be interrupted. */
    public record CriticalView(
            @Field(Descriptions.NAME) String sessionName, @Field("what it is") String what) {}

    /** An earlier removal below, which this one would include. */
    public record EarlierView(
            @Field("the removal") String removalId,
            @Field("the name of its top") String sessionName,
            @Field("its sessions") long sessions,
            @Field("until when it can be undone") @Nullable String undoUntil,
            @Field("whether it has a backup") boolean backedUp) {}

    /** An objection to the removal. */
    public record RefusalView(
            @Field("validation_error, security_error or operation_error") String kind,
            @Field(value = "what it is, for programs", example = "still_running") String code,
            @Field("what it is") String said,
            @Field("what to do about it") String advice) {
        /** The advice, in the words of the command line. */
        public String commandAdvice() {
            return Code.forCommands(code, advice);
        }
    }
}
