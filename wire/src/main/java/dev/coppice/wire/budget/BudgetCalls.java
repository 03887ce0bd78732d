package dev.coppice.wire.budget;

import dev.coppice.wire.Call;
import dev.coppice.wire.Field;
import dev.coppice.wire.Inline;
import dev.coppice.wire.Method;
import dev.coppice.wire.Said;
import dev.coppice.wire.session.SessionCalls;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.List;

/** Budgets: what a tree may spend and has spent. */
public final class BudgetCalls {
    /** More than anything has ever cost, and far from where numbers end. */
    public static final long AMOUNT_MAX = 1_000_000_000_000_000L;

    public static final long DOLLARS_MAX = 1_000_000_000L;

    public static final Call<SessionCalls.At, BudgetView> READ =
            Call.get(
                    "read_budget",
                    "/sessions/{session_id}/budget",
                    SessionCalls.At.class,
                    BudgetView.class,
                    "Read what a session and all below it may spend and have spent");
    public static final Call<Set, BudgetView> SET =
            Call.post(
                            "set_budget",
                            "/sessions/{session_id}/budget",
                            Set.class,
                            BudgetView.class,
                            "Set what a session and all below it may spend")
                    .by(Method.PUT);
    public static final Call<Usage, Spent> REPORT =
            Call.post(
                            "report_usage",
                            "/sessions/{session_id}/usage",
                            Usage.class,
                            Spent.class,
                            "Report what a session has spent since its last report")
                    .repeatable();

    private BudgetCalls() {}

    /** A budget for a session; it replaces the whole budget. */
    public record Set(
            @Field(value = Said.SESSION, example = "s1") String sessionId,
            @Inline BudgetRequest budget) {}

    /** What a session has spent since its last report. */
    public record Usage(
            @Field(value = Said.SESSION, example = "s1") String sessionId,
            @Field(value = "tokens of unknown direction", min = 0, max = AMOUNT_MAX)
                    @Nullable Long tokens,
            @Field(value = "tokens read", min = 0, max = AMOUNT_MAX) @Nullable Long inputTokens,
            @Field(value = "tokens written", min = 0, max = AMOUNT_MAX) @Nullable Long outputTokens,
            @Field(value = "dollars", min = 0, max = DOLLARS_MAX, example = "0.02")
                    @Nullable BigDecimal costUsd) {}

    /** A report was taken. */
    public record Spent(@Field("always true") boolean ok, @Field(Said.SESSION) String sessionId) {}

    /** What a session may spend and has spent. */
    public record BudgetView(
            @Field(Said.SESSION) String sessionId,
            @Field(Said.NAME) String sessionName,
            @Field("what happens once its own budget is spent; null without one")
                    @Nullable String policy,
            @Field("what it has spent itself") AmountsView own,
            @Field("what it and all below it have spent") AmountsView spent,
            @Field("every limit that holds for it") List<LimitView> limits,
            @Field("its first children") List<ChildView> children) {}

    /** How much of each kind. */
    public record AmountsView(
            @Field("tokens") long tokens,
            @Field("millionths of a dollar") long costMicros,
            @Field("milliseconds of runs") long wallMillis,
            @Field("runs") long runs,
            @Field("sessions") long sessions) {}

    /** One limit, its own or of a session above. */
    public record LimitView(
            @Field(value = "which kind", example = "tokens") String kind,
            @Field("the limit") long max,
            @Field("how much of it is spent") long spent,
            @Field("how much is left") long left,
            @Field("what happens once it is spent") String policy,
            @Field("the session whose budget it is") String setBy) {}

    /** What a child has spent. */
    public record ChildView(
            @Field(Said.SESSION) String sessionId,
            @Field(Said.NAME) String sessionName,
            @Field("what it has spent itself") AmountsView own,
            @Field("what it and all below it have spent") AmountsView spent) {}
}
