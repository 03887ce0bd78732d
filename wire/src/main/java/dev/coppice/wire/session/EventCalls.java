package dev.coppice.wire.session;

import dev.coppice.wire.Call;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;
import dev.coppice.wire.Sizes;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;

/** The events of sessions. */
public final class EventCalls {
    public static final Call<Find, Page> LIST =
            Call.get(
                            "list_events",
                            "/sessions/{session_id}/events",
                            Find.class,
                            Page.class,
                            "List events of a session in ascending order; without a cursor, the"
                                    + " latest ones")
                    .original();
    public static final Call<Report, Done> REPORT =
            Call.post(
                            "report_event",
                            "/sessions/{session_id}/events",
                            Report.class,
                            Done.class,
                            "Report an event of a session")
                    .creates()
                    .repeatable()
                    .original();
    public static final Call<Follow, Call.Stream> FOLLOW =
            Call.get(
                            "follow_events",
                            "/sse/sessions",
                            Follow.class,
                            Call.Stream.class,
                            "Follow events as they happen, as server-sent events")
                    .original();

    private EventCalls() {}

    /** Selects a part of the events of a session. */
    public record Find(
            @Field(value = Descriptions.SESSION, example = "s1") String sessionId,
            @Field(value = "events after this number, oldest first", min = 0) @Nullable Long after,
            @Field(value = "the latest events before this number", min = 1) @Nullable Long before,
            @Field(
                            value = "the maximum number of events",
                            fallback = "100",
                            min = 1,
                            max = Sizes.PAGE_ITEMS_MAX)
                    int limit,
            @Field(value = "include the events of all sessions below", fallback = "false")
                    boolean tree) {}

    /** A page of events. */
    public record Page(
            @Field("the events") List<EventView> events,
            @Field(
                            "the value of 'after' for the next page; null at the newest event, and"
                                    + " without 'after'")
                    @Nullable String next,
            @Field(
                            "the value of 'before' for the page before; null at the oldest event,"
                                    + " and with 'after'")
                    @Nullable String previous) {}

    /** An event that an agent reports: an object with event_type and any other fields. */
    public record Report(
            @Field(value = Descriptions.SESSION, example = "s1") String sessionId,
            @Field(value = "the event; event_type is required", in = Field.In.WHOLE_BODY)
                    JsonNode event) {}

    /** The request was carried out. */
    public record Done(@Field("always true") boolean ok) {
        public static final Done OK = new Done(true);
    }

    /** Selects the events to follow. */
    public record Follow(
            @Field("only this session") @Nullable String sessionId,
            @Field("only this session id and all below it") @Nullable String subtree,
            @Field("only frames or events of these types, comma-separated")
                    @Nullable List<String> types,
            @Field(value = "first replay the events after this number; 0 replays all", min = 0)
                    @Nullable Long after,
            @Field(value = "begin with the list of sessions", fallback = "true")
                    boolean includeInit) {}
}
