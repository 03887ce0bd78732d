package dev.coppice.store.schema;

import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.regex.Pattern;

/**
 * An index on events for the queries of other programs. It costs about a page more for each event
 * that is stored, so a database has it only if it was added.
 *
 * <p>An index cannot look up the place of a session. One by place therefore comes with a copy of
 * the place on each event, which triggers keep, and the view {@code events} shows the copy.
 */
public enum ExtraIndex {
    HOOK_EVENT_TYPE("event_type", null),
    PARENT_SESSION_ID("event_parent", "parent_id"),
    SESSION_DEPTH("event_depth", "depth");

    /** As the view spells it: an index serves the same expression only. */
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

    /** The column of a session that each event has a copy of; null if it needs none. */
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

    /** The view {@code events}, with the copy in place of what it looks up. */
    String showing(String view) {
        if (copied == null) return view;
        var line = Pattern.compile("(?m)^.* as %s,$".formatted(shown())).matcher(view);
        if (!line.find()) throw new IllegalStateException("no line of the view has " + shown());
        return line.replaceFirst("    e.%s as %s,".formatted(copied, shown()));
    }
}
