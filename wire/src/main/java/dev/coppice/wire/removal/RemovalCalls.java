package dev.coppice.wire.removal;

import dev.coppice.wire.Call;
import dev.coppice.wire.Field;
import dev.coppice.wire.Inline;
import dev.coppice.wire.Length;
import dev.coppice.wire.Method;
import dev.coppice.wire.Paging;
import dev.coppice.wire.Patience;
import dev.coppice.wire.Said;
import dev.coppice.wire.Sizes;
import dev.coppice.wire.session.SessionView;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Removing trees and putting them back, in our words and in those of the seeds. */
public final class RemovalCalls {
    public static final Call<Plan, PlanView> PLAN =
            Call.get(
                    "plan_removal",
                    "/sessions/{session_id}/removal-plan",
                    Plan.class,
                    PlanView.class,
                    "Show what a removal would take, and what forbids it");
    public static final Call<Remove, RemovalView> REMOVE =
            Call.post(
                            "remove_session",
                            "/sessions/{session_id}/removal",
                            Remove.class,
                            RemovalView.class,
                            "Remove a session and, unless 'children' says otherwise, all below it")
                    .destructive()
                    .takesLong();
    public static final Call<Delete, DeletionAnswer> DELETE =
            Call.get(
                            "delete_session",
                            "/sessions/{session_id}",
                            Delete.class,
                            DeletionAnswer.class,
                            "Delete a session and, unless cascade=false, all below it; can be"
                                    + " undone for a while")
                    .by(Method.DELETE)
                    .destructive()
                    .takesLong();
    public static final Call<Choose, Chosen> CHOOSE =
            Call.get(
                            "choose_trees",
                            "/removal-candidates",
                            Choose.class,
                            Chosen.class,
                            "Choose the highest sessions that fit with everything below them")
                    .takesLong();
    public static final Call<Paged, Page> LIST =
            Call.get(
                    "list_removals",
                    "/removals",
                    Paged.class,
                    Page.class,
                    "List removals, newest first");
    public static final Call<Await, RemovalView.Whole> READ =
            Call.get(
                            "read_removal",
                            "/removals/{removal_id}",
                            Await.class,
                            RemovalView.Whole.class,
                            "Read a removal")
                    .takesLong();
    public static final Call<Within, Members> MEMBERS =
            Call.get(
                    "list_removed_sessions",
                    "/removals/{removal_id}/sessions",
                    Within.class,
                    Members.class,
                    "List the sessions that a removal takes");
    public static final Call<Undo, RemovalView.Undone> UNDO =
            Call.post(
                            "undo_removal",
                            "/removals/{removal_id}/undo",
                            Undo.class,
                            RemovalView.Undone.class,
                            "Put back what is hidden, exactly as it was")
                    .takesLong();
    public static final Call<Decide, RemovalView> CANCEL =
            Call.post(
                    "cancel_removal",
                    "/removals/{removal_id}/cancel",
                    Decide.class,
                    RemovalView.class,
                    "Call off a removal that has hidden nothing yet");
    public static final Call<Decide, RemovalView> ABANDON =
            Call.post(
                            "abandon_unreachable",
                            "/removals/{removal_id}/abandon",
                            Decide.class,
                            RemovalView.class,
                            "Continue a removal without what cannot be reached; needs a reason")
                    .destructive();
    public static final Call<Await, RemovalView> PURGE =
            Call.post(
                            "purge_removal",
                            "/removals/{removal_id}/purge",
                            Await.class,
                            RemovalView.class,
                            "Delete what is hidden for good, before its undo window closes")
                    .destructive()
                    .takesLong();
    public static final Call<Within, Kept> WORK =
            Call.get(
                    "list_preserved_work",
                    "/removals/{removal_id}/work",
                    Within.class,
                    Kept.class,
                    "List the unsaved work that was preserved, and where");
    public static final Call<WorkFile, Call.Bytes> WORK_FILE =
            Call.get(
                    "fetch_preserved_work",
                    "/removals/{removal_id}/work/file",
                    WorkFile.class,
                    Call.Bytes.class,
                    "Fetch a file of preserved work");

    private RemovalCalls() {}

    /** The removal in the path. */
    public record At(@Field(value = "the removal", example = Said.REMOVAL_ID) String removalId) {}

    /** Which trees to choose; several conditions hold together. */
    public record Choose(
            @Field(value = "only where everything below has ended, too", fallback = "false")
                    boolean ended,
            @Field(value = "only where everything ended so long ago", example = "7d")
                    @Nullable Length olderThan,
            @Field(
                            value = "only names with this beginning, or with * that fit whole",
                            example = "test-*",
                            chars = Sizes.LABEL_CHARS_MAX)
                    @Nullable String match,
            @Field("only below this session id") @Nullable String below) {}

    /** The tops of the chosen trees. */
    public record Chosen(@Field("the sessions") List<SessionView> sessions) {}

    /** A page of all removals. */
    public record Paged(@Inline Paging page) {}

    /** A page of what belongs to a removal. */
    public record Within(
            @Field(value = "the removal", example = Said.REMOVAL_ID) String removalId,
            @Inline Paging page) {}

    /** A removal, and how long to wait for it to be hidden or over. */
    public record Await(
            @Field(value = "the removal", example = Said.REMOVAL_ID) String removalId,
            @Inline Patience patience) {}

    /** What a plan is made for, in our words or in those of the seeds. */
    public record Plan(
            @Field(value = Said.SESSION, example = "s1") String sessionId,
            @Inline Choices choices,
            @Inline SeedChoices seeds) {}

    /** What to remove. */
    public record Remove(
            @Field(value = Said.SESSION, example = "s1") String sessionId,
            @Inline Choices choices,
            @Field(value = Said.REASON, chars = Sizes.LABEL_CHARS_MAX) @Nullable String reason,
            @Field("the digest of the plan that was looked at; refused if it has changed")
                    @Nullable String confirm,
            @Inline Patience patience) {}

    /** What to delete, in the words of the seeds. */
    public record Delete(
            @Field(value = Said.SESSION, example = "s1") String sessionId,
            @Inline SeedChoices seeds,
            @Field("the digest of the plan that was looked at") @Nullable String confirm,
            @Field(
                            value = "how long stopping may take; 60s unless configured",
                            max = Sizes.DEADLINE_SECONDS_MAX)
                    @Nullable Length deadline,
            @Inline Patience patience,
            @Field(value = "true answers with the plan and changes nothing", fallback = "false")
                    boolean dryRun) {}

    /** What to put back. */
    public record Undo(
            @Field(value = "the removal", example = Said.REMOVAL_ID) String removalId,
            @Field(
                            value = "give new names to sessions whose names were taken",
                            fallback = "false",
                            in = Field.In.EITHER)
                    boolean rename,
            @Inline Patience patience) {}

    /** A decision about a removal under way. */
    public record Decide(
            @Field(value = "the removal", example = Said.REMOVAL_ID) String removalId,
            @Field(value = Said.REASON, chars = Sizes.LABEL_CHARS_MAX) @Nullable String reason) {}

    /** A file of preserved work. */
    public record WorkFile(
            @Field(value = "the removal", example = Said.REMOVAL_ID) String removalId,
            @Field("the name of the file, as the list has it") String file) {}

    /** A page of removals. */
    public record Page(
            @Field("the removals") List<RemovalView> removals,
            @Field(Said.NEXT) @Nullable String next) {}

    /** A page of the sessions of a removal. */
    public record Members(
            @Field("the removal") String removalId,
            @Field("the sessions") List<MemberView> sessions,
            @Field(Said.NEXT) @Nullable String next) {}

    /** A page of preserved work. */
    public record Kept(
            @Field("the removal") String removalId,
            @Field("the directories") List<WorkView> work,
            @Field(Said.NEXT) @Nullable String next) {}

    /** The plan of a dry run, or what was deleted. */
    public sealed interface DeletionAnswer permits PlanView, DeletionView {}
}
