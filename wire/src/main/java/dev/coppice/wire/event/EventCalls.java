package dev.coppice.wire.event;

import dev.coppice.wire.Call;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;
import dev.coppice.wire.Inline;
import dev.coppice.wire.Sizes;
import dev.coppice.word.Ending;

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
                    .older();
    public static final Call<Report, Done> REPORT =
            Call.post(
                            "report_event",
                            "/sessions/{session_id}/events",
                            Report.class,
                            Done.class,
                            "Report an event of a session")
                    .creates()
                    .repeatable()
                    .older();
    public static final Call<Follow, Call.Stream> FOLLOW =
            Call.get(
                            "follow_events",
                            "/sse/sessions",
                            Follow.class,
                            Call.Stream.class,
                            "Follow events as they happen, as server-sent events")
                    .older();

    public static final Call<Search, Found> FIND =
            Call.get(
                    "find_events",
                    "/events",
                    Search.class,
                    Found.class,
                    "Find events of any session by their words, types, tools and outcomes; newest"
                            + " first unless 'after' is given");

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
                    @Nullable String previous,
            @Field("true if there were earlier events, which are not kept any more") boolean cut) {}

    /** An event that an agent reports: an object with event_type and any other fields. */
    public record Report(
            @Field(value = Descriptions.SESSION, example = "s1") String sessionId,
            @Field(value = "the event; event_type is required", in = Field.In.WHOLE_BODY)
                    JsonNode event) {}

    /** The request was carried out. */
    public record Done(@Field("always true") boolean ok) {
        public static final Done OK = new Done(true);
    }

    /** Selects events by what they are about. All conditions must be met. */
    public record Kinds(
            @Field(value = "only events of this wave", chars = Sizes.LABEL_CHARS_MAX)
                    @Nullable String waveId,
            @Field(
                            "only events of these types, comma-separated; a stream takes names of"
                                    + " frames too")
                    @Nullable List<String> types,
            @Field(value = "only events about this tool", chars = Sizes.LABEL_CHARS_MAX)
                    @Nullable String tool,
            @Field("only events that report this outcome") @Nullable Ending status) {
        public static final Kinds ALL = new Kinds(null, null, null, null);
    }

    /** Selects the events to follow. */
    public record Follow(
            @Field("only this session") @Nullable String sessionId,
            @Field("only this session id and all below it") @Nullable String subtree,
            @Inline Kinds kinds,
            @Field(value = "first replay the events after this number; 0 replays all", min = 0)
                    @Nullable Long after,
            @Field(value = "begin with the list of sessions", fallback = "true")
                    boolean includeInit) {}

    /** Selects events. All conditions must be met. */
    public record Search(
            @Field(
                            value =
                                    "words that must all occur; \"several words\" are a phrase,"
                                            + " begin* is the beginning of a word, and -word must"
                                            + " not occur",
                            chars = Sizes.PATH_CHARS_MAX)
                    @Nullable String text,
            @Field("only events of this session") @Nullable String sessionId,
            @Field("only events of this session and all below it") @Nullable String subtree,
            @Inline Kinds kinds,
            @Field(value = "events after this number, oldest first", min = 0) @Nullable Long after,
            @Field(value = "events before this number, newest first", min = 1)
                    @Nullable Long before,
            @Field(
                            value = "the maximum number of events",
                            fallback = "50",
                            min = 1,
                            max = Sizes.PAGE_ITEMS_MAX)
                    int limit) {}

    /** A page of events that were found. */
    public record Found(
            @Field("the events") List<Hit> events,
            @Field(
                            "the number for the next page, as 'before', or as 'after' if that was"
                                    + " given; null if there are no more events so far. A search"
                                    + " within sessions may find few or none on a page")
                    @Nullable String next,
            @Field("events up to this number can be found by text and conditions")
                    long indexedUpTo) {}

    /** An event that was found. */
    public record Hit(
            @Field("the event") EventView event,
            @Field("the tool that it is about") @Nullable String tool,
            @Field("the outcome that it reports") @Nullable Ending status,
            @Field("the part of its text that fits best") String excerpt,
            @Field("pairs of the first character of a match in the excerpt and the one after it")
                    List<List<Integer>> matches) {}
}
