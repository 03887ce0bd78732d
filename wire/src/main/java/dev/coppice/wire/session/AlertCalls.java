package dev.coppice.wire.session;

import dev.coppice.wire.Call;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;
import dev.coppice.wire.Inline;
import dev.coppice.wire.Paging;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Alerts: sessions that failed, timed out or were lost. */
public final class AlertCalls {
    public static final Call<Find, Page> LIST =
            Call.get(
                    "list_alerts",
                    "/alerts",
                    Find.class,
                    Page.class,
                    "List alerts, newest first: sessions that failed, timed out or were lost");

    private AlertCalls() {}

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
            @Field(value = "failed, timed_out or lost", example = "failed") String kind,
            @Field(Descriptions.SESSION) String sessionId,
            @Field(Descriptions.NAME) String sessionName,
            @Field("why the session ended") @Nullable String reason,
            @Field(value = "when the session ended", example = Descriptions.TIME) String raisedAt,
            @Field("unsent without a webhook; due, delivered or dead") String delivery,
            @Field("how often it was sent") int tries,
            @Field("why the last delivery failed") @Nullable String error) {}
}
