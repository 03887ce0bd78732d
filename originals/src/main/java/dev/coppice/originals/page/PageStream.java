package dev.coppice.originals.page;

import dev.coppice.access.Caller;

import java.util.function.Function;

/** The stream by which pages follow events: how it begins, and its messages besides events. */
public record PageStream(int newestMax, Order order, Function<Caller, Tidings> tidings) {
    /** The order of the newest events, with which a stream begins. */
    public enum Order {
        OLDEST_FIRST,
        NEWEST_FIRST
    }

    /** The pages of the hook server. */
    public static final PageStream OF_HOOK_SERVER =
            new PageStream(300, Order.OLDEST_FIRST, _ -> Tidings.NONE);
}
