package dev.coppice.store.schema;

import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * An index on events for the queries of other programs. Each stored event writes about one page
 * more for it, so a database has it only on request.
 *
 * <p>An index cannot look up a session's place in its tree. An index by place therefore adds a copy
 * of the place to each event. Triggers maintain the copy, and the view {@code events} shows it.
 */
public enum ExtraIndex {
    HOOK_EVENT_TYPE("event_type", null),
    PARENT_SESSION_ID("event_parent", "parent_id"),
    SESSION_DEPTH("event_depth", "depth");

    /** Must equal the expression in the view: an index serves no other one. */
    private static final String TYPE =
            "case when substr(type, 1, 1) = '*' then substr(type, 2) else type end";

    private final String index;
    private final @Nullable String copied;

    ExtraIndex(String index, @Nullable String copied) {
        this.index = index;
        this.copied = copied;
    }

    /** The column of a view that it serves, such as {@code events.session_depth}. */
    public String column() {
        return "events." + shown();
    }

    private String shown() {
        return name().toLowerCase(Locale.ROOT);
    }

    String index() {
        return index;
    }

    /** The column of a session that each event has a copy of; null if the index needs no copy. */
    @Nullable String copied() {
        return copied;
    }

    String creation() {
        var on =
                switch (this) {
                    case HOOK_EVENT_TYPE -> "((%s))".formatted(TYPE);
                    case PARENT_SESSION_ID -> "(parent_id) where parent_id is not null";
                    case SESSION_DEPTH -> "(depth, (%s))".formatted(TYPE);
                };
        return "create index %s on event %s".formatted(index, on);
    }

    /** The view {@code events}, with the copy in place of its look-up. */
    String showing(String view) {
        if (copied == null) return view;
        var line = Pattern.compile("(?m)^.* as %s,$".formatted(shown())).matcher(view);
        if (!line.find()) throw new IllegalStateException("no line of the view has " + shown());
        return line.replaceFirst("    e.%s as %s,".formatted(copied, shown()));
    }
}
