package dev.coppice.originals.page;

import dev.coppice.wire.Call;
import dev.coppice.wire.Field;
import dev.coppice.wire.Sizes;

import java.util.List;

/** The calls of the hook server's pages. */
public final class PageCalls {
    public static final int RECENT_MAX = Sizes.PAGE_ITEMS_MAX;
    static final int OPTIONS_MAX = 300;

    static final Call<Recent, Call.Bytes> RECENT =
            Call.get(
                            "recent_events",
                            "/events/recent",
                            Recent.class,
                            Call.Bytes.class,
                            "List the newest sent events by the time of their senders, oldest"
                                    + " first")
                    .older();
    static final Call<Call.Nothing, Options> OPTIONS =
            Call.get(
                            "event_filter_options",
                            "/events/filter-options",
                            Call.Nothing.class,
                            Options.class,
                            "List values that sent events can be filtered by")
                    .older();
    static final Call<Call.Nothing, Call.Stream> STREAM =
            Call.get(
                            "stream_events",
                            "/stream",
                            Call.Nothing.class,
                            Call.Stream.class,
                            "Follow sent events over a WebSocket, from the newest ones on")
                    .older();

    private PageCalls() {}

    /** Limits the list of the newest events. */
    record Recent(@Field(value = "the maximum number of events", fallback = "300") int limit) {}

    /** Values that sent events have. */
    record Options(
            @Field("names of applications") List<String> sourceApps,
            @Field("the last 300 session ids in descending order") List<String> sessionIds,
            @Field("types of events") List<String> hookEventTypes) {}
}
