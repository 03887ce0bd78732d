package dev.coppice.operations;

import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.Demands;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.session.Limits;
import dev.coppice.session.ParentReference;
import dev.coppice.session.SessionName;
import dev.coppice.wire.Paging;
import dev.coppice.wire.run.DemandsView;
import dev.coppice.wire.session.LimitsView;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.List;
import java.util.Set;

/** Converts inputs to domain values, and rejects malformed ones. */
public final class Given {
    private Given() {}

    public static SessionId sessionId(String field, String value) {
        if (!SessionId.isValid(value)) throw bad(field, value, SessionId.RULE);
        return new SessionId(value);
    }

    /** The session of a path; a malformed id is refused as unknown. */
    public static SessionId path(String value) {
        if (SessionId.isValid(value)) return new SessionId(value);
        throw new Rejected(new SessionRefusal.SessionUnknown(value));
    }

    public static @Nullable SessionId sessionId(@Nullable String value) {
        return value == null ? null : sessionId("session_id", value);
    }

    public static @Nullable String sessionName(@Nullable String value) {
        if (value != null && !SessionName.isValid(value)) {
            throw bad("session_name", value, SessionName.RULE);
        }
        return value;
    }

    public static ParentReference parent(@Nullable String id, @Nullable String name) {
        return new ParentReference(id, name);
    }

    public static JsonText object(@Nullable JsonNode value) {
        return value == null ? JsonText.EMPTY_OBJECT : new JsonText(value.toString());
    }

    public static Cursor cursor(Paging page) {
        return new Cursor(page.after(), page.limit());
    }

    public static Limits limits(@Nullable LimitsView asked) {
        if (asked == null) return Limits.NONE;
        var limits = Limits.NONE;
        for (var kind : Limits.Kind.values()) limits = limits.with(kind, limit(kind, asked));
        return limits;
    }

    private static @Nullable Long limit(Limits.Kind kind, LimitsView asked) {
        return switch (kind) {
            case DEPTH -> asked.depth();
            case CHILDREN -> asked.children();
            case DESCENDANTS -> asked.descendants();
            case RUNS -> asked.runs();
            case EVENT_BYTES -> asked.eventBytes();
            case METADATA_BYTES -> asked.metadataBytes();
            case OUTPUT_BYTES -> asked.outputBytes();
            case PROCESSES -> asked.processes();
            case MEMORY_BYTES -> asked.memoryBytes();
        };
    }

    public static Demands demands(@Nullable DemandsView asked) {
        if (asked == null) return Demands.NONE;
        return new Demands(
                asked.hostname(),
                asked.projectDir(),
                asked.executorProfile(),
                asked.executorType(),
                set(asked.tags()));
    }

    public static Set<String> set(@Nullable List<String> words) {
        return words == null ? Set.of() : Set.copyOf(words);
    }

    public static @Nullable Instant time(String field, @Nullable String value) {
        try {
            return value == null ? null : Instant.parse(value);
        } catch (DateTimeParseException _) {
            throw bad(field, value, "a time such as 2026-01-31T12:00:00Z");
        }
    }

    public static Rejected bad(String field, String value, String rule) {
        return new Rejected(new RequestRefusal.BadValue(field, value, rule));
    }
}
