package dev.coppice.wire.budget;

import dev.coppice.wire.Call;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;
import dev.coppice.wire.Inline;
import dev.coppice.wire.Method;
import dev.coppice.wire.session.SessionCalls;
import dev.coppice.word.BudgetPolicy;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.List;

/** Budgets and spending of trees. */
public final class BudgetCalls {
    /** Above any real cost, and far below an overflow. */
    public static final long AMOUNT_MAX = 1_000_000_000_000_000L;

    public static final long DOLLARS_MAX = 1_000_000_000L;

    public static final Call<SessionCalls.At, BudgetView> READ =
            Call.get(
                    "read_budget",
                    "/sessions/{session_id}/budget",
                    SessionCalls.At.class,
                    BudgetView.class,
                    "Read the budget and the spending of a session and all below it");
    public static final Call<Set, BudgetView> SET =
            Call.post(
                            "set_budget",
                            "/sessions/{session_id}/budget",
                            Set.class,
                            BudgetView.class,
                            "Set the budget of a session and all below it")
                    .by(Method.PUT)
                    .audited();
    public static final Call<Change, BudgetView> CHANGE =
            Call.post(
                            "change_budget",
                            "/sessions/{session_id}/budget",
                            Change.class,
                            BudgetView.class,
                            "Change parts of a budget, and keep the others")
                    .by(Method.PATCH)
                    .audited();
    public static final Call<SessionCalls.At, BudgetView> CLEAR =
            Call.get(
                            "clear_budget",
                            "/sessions/{session_id}/budget",
                            SessionCalls.At.class,
                            BudgetView.class,
                            "Remove the budget of a session")
                    .by(Method.DELETE)
                    .audited();
    public static final Call<Usage, Spent> REPORT =
            Call.post(
                            "report_usage",
                            "/sessions/{session_id}/usage",
                            Usage.class,
                            Spent.class,
                            "Report the spending of a session since its last report")
                    .repeatable();

    private BudgetCalls() {}

    /** A budget for a session; it replaces the whole budget. */
    public record Set(
            @Field(value = Descriptions.SESSION, example = "s1") String sessionId,
            @Inline BudgetRequest budget) {}

    /** The kinds of amounts. */
    public enum Kind {
        TOKENS,
        COST_USD,
        WALL,
        RUNS,
        SESSIONS
    }

    /** A change of a budget; absent amounts and an absent policy stay as they are. */
    public record Change(
            @Field(value = Descriptions.SESSION, example = "s1") String sessionId,
            @Inline BudgetAmounts amounts,
            @Field("the policy once it is spent") @Nullable BudgetPolicy policy,
            @Field("amounts to lift, comma-separated") @Nullable List<Kind> lift) {}

    /** The spending of a session since its last report. */
    public record Usage(
            @Field(value = Descriptions.SESSION, example = "s1") String sessionId,
            @Field(value = "tokens, if not known as read or written", min = 0, max = AMOUNT_MAX)
                    @Nullable Long tokens,
            @Field(value = "tokens read", min = 0, max = AMOUNT_MAX) @Nullable Long inputTokens,
            @Field(value = "tokens written", min = 0, max = AMOUNT_MAX) @Nullable Long outputTokens,
            @Field(value = "dollars", min = 0, max = DOLLARS_MAX, example = "0.02")
                    @Nullable BigDecimal costUsd) {}

    /** The report was recorded. */
    public record Spent(
            @Field("always true") boolean ok, @Field(Descriptions.SESSION) String sessionId) {}

    /** The budget and the spending of a session. */
    public record BudgetView(
            @Field(Descriptions.SESSION) String sessionId,
            @Field(Descriptions.NAME) String sessionName,
            @Field("the policy once its own budget is spent; null without one")
                    @Nullable String policy,
            @Field("its own spending") AmountsView own,
            @Field("the spending of it and all below it") AmountsView spent,
            @Field("every limit that applies to it") List<LimitView> limits,
            @Field("its first children") List<ChildView> children) {}

    /** An amount of each kind. */
    public record AmountsView(
            @Field("tokens") long tokens,
            @Field("millionths of a dollar") long costMicros,
            @Field("milliseconds of runs") long wallMillis,
            @Field("runs") long runs,
            @Field("sessions") long sessions) {}

    /** A limit, set on the session itself or on one above. */
    public record LimitView(
            @Field(value = "the kind of amount", example = "tokens") String kind,
            @Field("the limit") long max,
            @Field("the amount spent") long spent,
            @Field("the amount left") long left,
            @Field("the policy once it is spent") String policy,
            @Field("the session that has this budget") String setBy) {}

    /** The spending of a child. */
    public record ChildView(
            @Field(Descriptions.SESSION) String sessionId,
            @Field(Descriptions.NAME) String sessionName,
            @Field("its own spending") AmountsView own,
            @Field("the spending of it and all below it") AmountsView spent) {}
}
