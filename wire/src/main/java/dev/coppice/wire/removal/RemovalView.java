package dev.coppice.wire.removal;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** A removal as callers see it. */
public record RemovalView(
        @Field(value = "the removal", example = Descriptions.REMOVAL_ID) String removalId,
        @Field("the session at the top") String sessionId,
        @Field("the name of the session at the top") String sessionName,
        @Field(value = "its state", example = "hidden") String state,
        @Field("true once it does nothing any more") boolean over,
        @Field("how far it is") int percent,
        @Field("what it waits for, if it takes longer than it should") @Nullable String waitsFor,
        @Field("why it was called off") @Nullable String calledOff,
        @Field("why it was asked for") @Nullable String reason,
        @Field("who asked for it") String askedBy,
        @Field("the digest of its plan") String digest,
        @Field("how many sessions were told, while they are told") @Nullable TellingView telling,
        @Field("what was asked for") PlanView.ChoicesView choices,
        @Field("how much it takes") TakenView taken,
        @Field("its steps") List<StepView> steps,
        @Field("its backup") @Nullable BackupView backup,
        @Field(value = "when it began", example = Descriptions.TIME) String beganAt,
        @Field("when it was hidden") @Nullable String hiddenAt,
        @Field("until when it can be undone") @Nullable String undoUntil,
        @Field("when it was over") @Nullable String endedAt,
        @Field("directories that nobody could look at or preserve")
                List<NotPreservedView> notPreserved) {

    /** A removal with the first of its sessions and of its preserved work. */
    public record Whole(
            @JsonUnwrapped RemovalView removal,
            @Field("the first of its sessions, with their outcomes") List<MemberView> outcomes,
            @Field("the path of the list of all its sessions, if there are more")
                    @Nullable String moreOutcomes,
            @Field("the first of its preserved work") List<WorkView> preserved,
            @Field("the path of the list of all preserved work, if there is more")
                    @Nullable String morePreserved) {}

    /** A removal that was undone. */
    public record Undone(
            @JsonUnwrapped RemovalView removal,
            @Field("sessions that stay where they are: they found another parent")
                    List<String> notReattached) {}

    /** The number of sessions that were told of their outcome, and the next one. */
    public record TellingView(
            @Field("told") long told,
            @Field("all") long all,
            @Field("the name of the next") @Nullable String next) {}

    /** The amounts that a removal covers. */
    public record TakenView(
            @Field("sessions") long sessions,
            @Field("runs") long runs,
            @Field("events") long events,
            @Field("bytes of events") long eventBytes) {}

    /** A step of a removal. */
    public record StepView(
            @Field(value = "its name", example = "quiesce") String step,
            @Field("to_come, under_way, done or taken_back") String state) {}

    /** Directories that could not be inspected or preserved. */
    public record NotPreservedView(
            @Field("the host") String host,
            @Field("why") String why,
            @Field("the directories") List<String> directories) {}
}
