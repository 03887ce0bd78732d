package dev.coppice.wire.look;

import dev.coppice.wire.Call;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;
import dev.coppice.wire.Sizes;
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

    public static final Call<Spent, SpendingView> SPENT =
            Call.get(
                    "read_spending",
                    "/usage",
                    Spent.class,
                    SpendingView.class,
                    "Show what all visible sessions used in a time: by model, blueprint, label,"
                            + " tree or host, and over time");

    private UsageCalls() {}

    /** Selects what was spent. */
    public record Spent(
            @Field(value = "since then; by default for a day", example = Descriptions.TIME)
                    @Nullable String since,
            @Field(value = "until then; by default until now", example = Descriptions.TIME)
                    @Nullable String until,
            @Field(value = "what each row is of", fallback = "model") By by,
            @Field(value = "by label: the name of the label", chars = Sizes.LABEL_CHARS_MAX)
                    @Nullable String label,
            @Field("only this session and all below it") @Nullable String sessionId) {}

    /** The properties by which spending is grouped. */
    public enum By {
        MODEL,
        BLUEPRINT,
        LABEL,
        TREE,
        HOST
    }

    /** The spending of a time. */
    public record SpendingView(
            @Field(value = "its beginning", example = Descriptions.TIME) String from,
            @Field(value = "its end", example = Descriptions.TIME) String until,
            @Field("the rows, the most expensive first") List<SpentView> rows,
            @Field("their sum") SpentView total,
            @Field("models with uses whose price is not known") List<String> unpricedModels,
            @Field("the length of each part of it, in milliseconds") long partMs,
            @Field("the uses in the parts; empty parts are left out") List<PartView> overTime,
            @Field("true if there was too much to read; then the rows lack some of it")
                    boolean cut) {}

    /** The spending of a group. */
    public record SpentView(
            @Field("what it was spent on; empty if it has no such property") String name,
            @Field("calls of models") long calls,
            @Field("tokens of all kinds") long tokens,
            @Field("of these, tokens written") long outputTokens,
            @Field("millionths of a dollar, of what has a known price") long costMicros,
            @Field("tokens whose price is not known") long unpricedTokens) {}

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
