package dev.coppice.wire.look;

import dev.coppice.wire.Call;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;
import dev.coppice.wire.Inline;
import dev.coppice.wire.Paging;
import dev.coppice.word.AlertKind;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Alerts about sessions, and the rules by which they reach people. */
public final class AlertCalls {
    public static final Call<Find, Page> LIST =
            Call.get(
                    "list_alerts",
                    "/alerts",
                    Find.class,
                    Page.class,
                    "List alerts, newest first: what a person should know of sessions");

    public static final Call<Call.Nothing, RulesView> RULES =
            Call.get(
                    "list_alert_rules",
                    "/alerts/rules",
                    Call.Nothing.class,
                    RulesView.class,
                    "Show who hears of which alerts, and when");
    public static final Call<Test, Tested> TEST =
            Call.post(
                            "test_alerts",
                            "/alerts/test",
                            Test.class,
                            Tested.class,
                            "Send a test to everybody who would hear of such an alert, at once")
                    .audited();

    private AlertCalls() {}

    public record Test(
            @Field(value = "the kind of alert", fallback = "asks") AlertKind kind,
            @Field(value = "the session that it is about; none in particular by default")
                    @Nullable String sessionId,
            @Field("only this channel, whatever the rules say") @Nullable String channel) {}

    /** The channels that were sent a test. */
    public record Tested(@Field("the channels") List<TestView> channels) {}

    /** The outcome of a test. */
    public record TestView(
            @Field(value = "the channel", example = "desktop") String channel,
            @Field("whether it took the test") boolean ok,
            @Field("why it did not") @Nullable String error,
            @Field(
                            value = "until when the quiet hours would hold it back",
                            example = Descriptions.TIME)
                    @Nullable String waitsUntil) {}

    public record RulesView(
            @Field("the file with the rules, in the data directory") String file,
            @Field("why the file is not used, if it is not") @Nullable String fault,
            @Field("the channels that rules can name") List<String> channels,
            @Field(value = "the quiet hours", example = "22:00 to 07:00, Europe/Berlin")
                    @Nullable String quietHours,
            @Field("the rules; all that match count") List<RuleView> rules) {}

    public record RuleView(
            @Field("the kinds of alerts") List<String> on,
            @Field("the session, and all below it; null for all") @Nullable String below,
            @Field("the channels") List<String> to,
            @Field("in quiet hours: wait, send or drop") String quiet) {}

    /** A delivery to a channel. */
    public record DeliveryView(
            @Field(value = "the channel", example = "webhook") String channel,
            @Field("due, delivered or dead") String state,
            @Field("how often it was sent") int tries,
            @Field("why the last try failed") @Nullable String error) {}

    /** Selects alerts. */
    public record Find(
            @Field("only those of this session and of all below it") @Nullable String sessionId,
            @Inline Paging page) {}

    /** A page of alerts. */
    public record Page(
            @Field("the alerts") List<AlertView> alerts,
            @Field(Descriptions.NEXT) @Nullable String next) {}

    /** An alert, as lists show it and as a webhook receives it. */
    public record AlertView(
            @Field(
                            value = "its id; a repeated delivery has the same",
                            example = "alert_0123456789ab")
                    String alertId,
            @Field(
                            value =
                                    "failed, timed_out, lost, asks, silent, over_budget or"
                                            + " quota_met",
                            example = "failed")
                    String kind,
            @Field(Descriptions.SESSION) String sessionId,
            @Field(Descriptions.NAME) String sessionName,
            @Field("what happened") @Nullable String reason,
            @Field(value = "when it was raised", example = Descriptions.TIME) String raisedAt,
            @Field("unsent if nobody hears of it; due, delivered or dead") String delivery,
            @Field("how often it was sent") int tries,
            @Field("why the last delivery failed") @Nullable String error,
            @Field("the delivery to each channel") List<DeliveryView> deliveries) {}
}
