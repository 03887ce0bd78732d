package dev.coppice.wire.look;

import dev.coppice.wire.Call;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;
import dev.coppice.wire.session.SessionCalls;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.util.List;

/** Reads the tokens and the cost of sessions by model, and the prices of models. */
public final class UsageCalls {
    public static final Call<SessionCalls.At, UsageView> READ =
            Call.get(
                    "read_usage",
                    "/sessions/{session_id}/usage",
                    SessionCalls.At.class,
                    UsageView.class,
                    "Show the tokens and the cost of a session and of all below it, by model and"
                            + " over time");
    public static final Call<Call.Nothing, PricesView> PRICES =
            Call.get(
                    "list_prices",
                    "/prices",
                    Call.Nothing.class,
                    PricesView.class,
                    "List the prices of models, those of the price file first");

    private UsageCalls() {}

    /** The uses of models of a session. */
    public record UsageView(
            @Field(Descriptions.SESSION) String sessionId,
            @Field(Descriptions.NAME) String sessionName,
            @Field("its own uses, for each model") List<ModelView> own,
            @Field("the uses of it and of all below it, for each model") List<ModelView> tree,
            @Field("the uses of it and of all below it over time; empty parts are left out")
                    List<PartView> overTime) {}

    /** The uses of a model. The kinds of tokens are disjoint. */
    public record ModelView(
            @Field(value = "the model", example = "claude-opus-5-5") String model,
            @Field("its calls; a sum that a program reports counts as one") long calls,
            @Field("tokens read, not from a cache") long inputTokens,
            @Field("tokens written") long outputTokens,
            @Field("tokens read from a cache") long cacheReadTokens,
            @Field("tokens written to a cache") long cacheWriteTokens,
            @Field("tokens written to a cache for an hour") long cacheWriteHourTokens,
            @Field("millionths of a dollar, of what has a known price") long costMicros,
            @Field("tokens whose price is not known") long unpricedTokens) {}

    /** A part of time. */
    public record PartView(
            @Field(value = "its beginning", example = Descriptions.TIME) String from,
            @Field("tokens") long tokens,
            @Field("millionths of a dollar") long costMicros) {}

    /** The prices of models. */
    public record PricesView(
            @Field("the file for prices of your own, in the data directory") String file,
            @Field("the prices; the first that matches counts") List<PriceView> prices) {}

    /** Prices in dollars for a million tokens; a null price is that of input. */
    public record PriceView(
            @Field(value = "the models: a name, or its beginning and a star", example = "gpt-5*")
                    String match,
            @Field("tokens read") BigDecimal input,
            @Field("tokens written") BigDecimal output,
            @Field("tokens read from a cache") @Nullable BigDecimal cacheRead,
            @Field("tokens written to a cache") @Nullable BigDecimal cacheWrite,
            @Field("tokens written to a cache for an hour") @Nullable BigDecimal cacheWriteHour,
            @Field("the number of prompt tokens above which the next price holds")
                    @Nullable Long above,
            @Field("tokens read by a call above that number") @Nullable BigDecimal aboveInput,
            @Field("tokens written by a call above that number")
                    @Nullable BigDecimal aboveOutput) {}
}
