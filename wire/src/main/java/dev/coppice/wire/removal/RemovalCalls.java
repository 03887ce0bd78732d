package dev.coppice.wire.removal;

import dev.coppice.wire.Call;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;
import dev.coppice.wire.Inline;
import dev.coppice.wire.Length;
import dev.coppice.wire.Paging;
import dev.coppice.wire.Patience;
import dev.coppice.wire.Sizes;
import dev.coppice.wire.session.SessionView;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Removals of trees and their undo. */
public final class RemovalCalls {
    public static final Call<Plan, PlanView> PLAN =
            Call.get(
                    "plan_removal",
                    "/sessions/{session_id}/removal-plan",
                    Plan.class,
                    PlanView.class,
                    "Show the plan of a removal, with the objections to it");
    public static final Call<Remove, RemovalView> REMOVE =
            Call.post(
                            "remove_session",
                            "/sessions/{session_id}/removal",
                            Remove.class,
                            RemovalView.class,
                            "Remove a session and, depending on 'children', all below it")
                    .destructive()
                    .takesLong();
    public static final Call<Choose, Chosen> CHOOSE =
            Call.get(
                            "choose_trees",
                            "/removal-candidates",
                            Choose.class,
                            Chosen.class,
                            "List the topmost sessions that meet the conditions for a removal")
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
                    "List the sessions of a removal");
    public static final Call<Undo, RemovalView.Undone> UNDO =
            Call.post(
                            "undo_removal",
                            "/removals/{removal_id}/undo",
                            Undo.class,
                            RemovalView.Undone.class,
                            "Undo a removal: restore its hidden sessions exactly")
                    .takesLong();
    public static final Call<Decide, RemovalView> CANCEL =
            Call.post(
                    "cancel_removal",
                    "/removals/{removal_id}/cancel",
                    Decide.class,
                    RemovalView.class,
                    "Cancel a removal that has not hidden its sessions yet");
    public static final Call<Decide, RemovalView> ABANDON =
            Call.post(
                            "abandon_unreachable",
                            "/removals/{removal_id}/abandon",
                            Decide.class,
                            RemovalView.class,
                            "Continue a removal without what it waits for; requires a reason")
                    .destructive();
    public static final Call<Await, RemovalView> PURGE =
            Call.post(
                            "purge_removal",
                            "/removals/{removal_id}/purge",
                            Await.class,
                            RemovalView.class,
                            "Purge a hidden removal before its undo window closes")
                    .destructive()
                    .takesLong();
    public static final Call<Within, Preserved> WORK =
            Call.get(
                    "list_preserved_work",
                    "/removals/{removal_id}/work",
                    Within.class,
                    Preserved.class,
                    "List the preserved work of a removal");
    public static final Call<WorkFile, Call.Bytes> WORK_FILE =
            Call.get(
                    "fetch_preserved_work",
                    "/removals/{removal_id}/work/file",
                    WorkFile.class,
                    Call.Bytes.class,
                    "Fetch a file of preserved work");

    private RemovalCalls() {}

    /** The removal in the path. */
    public record At(
            @Field(value = "the removal", example = Descriptions.REMOVAL_ID) String removalId) {}

    /** Selects trees for a removal; all given conditions have to hold. */
    public record Choose(
            @Field(value = "only trees in which every session has ended", fallback = "false")
                    boolean ended,
            @Field(value = "only trees that ended at least this long ago", example = "7d")
                    @Nullable Length olderThan,
            @Field(
                            value = "only names with this prefix; with *, a pattern of whole names",
                            example = "test-*",
                            chars = Sizes.LABEL_CHARS_MAX)
                    @Nullable String match,
            @Field("only sessions below this session id") @Nullable String below,
            @Inline Paging page) {}

    /** The tops of the selected trees. A page may have none, and not be the last. */
    public record Chosen(
            @Field("the sessions") List<SessionView> sessions,
            @Field(Descriptions.NEXT) @Nullable String next) {}

    /** Selects a page of all removals. */
    public record Paged(@Inline Paging page) {}

    /** Selects a page of the contents of a removal. */
    public record Within(
            @Field(value = "the removal", example = Descriptions.REMOVAL_ID) String removalId,
            @Inline Paging page) {}

    /** A removal, and the time to wait until it is hidden or over. */
    public record Await(
            @Field(value = "the removal", example = Descriptions.REMOVAL_ID) String removalId,
            @Inline Patience patience) {}

    /** The request for a plan. */
    public record Plan(
            @Field(value = Descriptions.SESSION, example = "s1") String sessionId,
            @Inline Choices choices,
            @Field(value = Descriptions.REASON, chars = Sizes.LABEL_CHARS_MAX)
                    @Nullable String reason) {}

    /** The request to remove a session. */
    public record Remove(
            @Field(value = Descriptions.SESSION, example = "s1") String sessionId,
            @Inline Choices choices,
            @Field(value = Descriptions.REASON, chars = Sizes.LABEL_CHARS_MAX)
                    @Nullable String reason,
            @Field("the digest of a plan; the request is refused if the plan has changed")
                    @Nullable String confirm,
            @Inline Patience patience) {}

    /** The request to undo a removal. */
    public record Undo(
            @Field(value = "the removal", example = Descriptions.REMOVAL_ID) String removalId,
            @Field(
                            value = "give new names to sessions whose names were taken",
                            fallback = "false",
                            in = Field.In.EITHER)
                    boolean rename,
            @Inline Patience patience) {}

    /** A decision about a removal in progress. */
    public record Decide(
            @Field(value = "the removal", example = Descriptions.REMOVAL_ID) String removalId,
            @Field(value = Descriptions.REASON, chars = Sizes.LABEL_CHARS_MAX)
                    @Nullable String reason) {}

    /** A file of preserved work. */
    public record WorkFile(
            @Field(value = "the removal", example = Descriptions.REMOVAL_ID) String removalId,
            @Field("the name of the file, as listed") String file) {}

    /** A page of removals. */
    public record Page(
            @Field("the removals") List<RemovalView> removals,
            @Field(Descriptions.NEXT) @Nullable String next) {}

    /** A page of the sessions of a removal. */
    public record Members(
            @Field("the removal") String removalId,
            @Field("the sessions") List<MemberView> sessions,
            @Field(Descriptions.NEXT) @Nullable String next) {}

    /** A page of preserved work. */
    public record Preserved(
            @Field("the removal") String removalId,
            @Field("the directories") List<WorkView> work,
            @Field(Descriptions.NEXT) @Nullable String next) {}
}
