package dev.coppice.view;

import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.run.Demands;
import dev.coppice.session.Limits;
import dev.coppice.session.ParentClaim;
import dev.coppice.session.SessionName;
import dev.coppice.wire.DemandsView;
import dev.coppice.wire.LimitsView;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.Set;
import java.util.function.Function;

/** Reads what callers ask for, field by field, and turns down what no rule could accept. */
public final class Asked {
    private static final int TAGS_MAX = 64;
    private final Function<Refusal, RuntimeException> turnDown;

    public Asked(Function<Refusal, RuntimeException> turnDown) {
        this.turnDown = turnDown;
    }

    public @Nullable SessionId sessionId(@Nullable String value) {
        if (value == null) return null;
        if (!SessionId.isShapely(value)) throw bad("session_id", value, SessionId.RULE);
        return new SessionId(value);
    }

    public @Nullable String sessionName(@Nullable String value) {
        if (value != null && !SessionName.isShapely(value)) {
            throw bad("session_name", value, SessionName.RULE);
        }
        return value;
    }

    public ParentClaim parent(@Nullable String id, @Nullable String name) {
        var givenId = id == null || id.isEmpty() ? null : id;
        var givenName = name == null || name.isEmpty() ? null : name;
        return new ParentClaim(givenId, givenName);
    }

    public <E extends Enum<E>> @Nullable E word(
            String field, @Nullable String value, Class<E> type) {
        if (value == null) return null;
        for (var constant : type.getEnumConstants()) {
            if (Views.word(constant).equals(value)) return constant;
        }
        var words =
                String.join(
                        ", ",
                        java.util.Arrays.stream(type.getEnumConstants()).map(Views::word).toList());
        throw bad(field, value, "one of " + words);
    }

    public @Nullable String label(String field, @Nullable String value) {
        return text(field, value, Bounds.LABEL_CHARS_MAX);
    }

    public @Nullable String path(String field, @Nullable String value) {
        return text(field, value, Bounds.PATH_CHARS_MAX);
    }

    private @Nullable String text(String field, @Nullable String value, int max) {
        if (value == null || value.isEmpty()) return null;
        if (value.length() > max || value.chars().anyMatch(Character::isISOControl)) {
            throw bad(field, value, "at most %d characters, no control characters".formatted(max));
        }
        return value;
    }

    /** An object, or nothing; kept as it was sent. */
    public JsonText object(String field, @Nullable JsonNode value, int bytesMax) {
        if (value == null || value.isNull()) return JsonText.EMPTY_OBJECT;
        if (!value.isObject()) throw bad(field, value.toString(), "a JSON object");
        var text = value.toString();
        int size = Bounds.bytesOf(text);
        if (size > bytesMax)
            throw turnDown.apply(new RequestRefusal.TooLarge(field, size, bytesMax));
        return new JsonText(text);
    }

    public Limits limits(@Nullable LimitsView asked) {
        if (asked == null) return Limits.NONE;
        var limits = Limits.NONE;
        for (var kind : Limits.Kind.values()) limits = limits.with(kind, limit(kind, asked));
        return limits;
    }

    private @Nullable Long limit(Limits.Kind kind, LimitsView asked) {
        var value =
                switch (kind) {
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
        if (value != null && value < 0) {
            throw bad("limits." + kind.word(), value.toString(), "zero or more");
        }
        return value;
    }

    public Demands demands(@Nullable DemandsView asked) {
        if (asked == null) return Demands.NONE;
        return new Demands(
                label("additional_demands.hostname", asked.hostname()),
                path("additional_demands.project_dir", asked.projectDir()),
                label("additional_demands.executor_profile", asked.executorProfile()),
                label("additional_demands.executor_type", asked.executorType()),
                tags("additional_demands.tags", asked.tags()));
    }

    public Set<String> tags(String field, java.util.@Nullable List<String> tags) {
        if (tags == null) return Set.of();
        if (tags.size() > TAGS_MAX) {
            throw bad(field, tags.size() + " tags", "at most " + TAGS_MAX);
        }
        for (var tag : tags) {
            if (label(field, tag) == null) throw bad(field, "", "words that are not empty");
        }
        return Set.copyOf(tags);
    }

    public RuntimeException bad(String field, String value, String rule) {
        return turnDown.apply(new RequestRefusal.BadValue(field, value, rule));
    }
}
