package dev.coppice.usage;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/**
 * The use of a model, as one source reports it.
 *
 * @param costMicros the cost that its program reports; null if it reports none
 */
public record ModelUse(
        Key key,
        String model,
        TokenCounts tokens,
        @Nullable Long costMicros,
        Source source,
        Instant at) {
    /** A million dollars. */
    private static final long COST_MAX = 1_000_000_000_000L;

    public ModelUse {
        if (costMicros != null) costMicros = Math.clamp(costMicros, 0, COST_MAX);
    }

    /**
     * The ids of a call: that of the model's message, and that of the request. Sources know one or
     * both; two uses with an id in common are one.
     */
    public record Key(@Nullable String message, @Nullable String request) {
        public Key {
            if (message == null && request == null) {
                throw new IllegalArgumentException("a use of a model without any id");
            }
        }

        Key and(Key other) {
            return new Key(
                    message == null ? other.message : message,
                    request == null ? other.request : request);
        }
    }

    /**
     * Sources, from the one that knows least which agent made a call to the one that knows most.
     */
    public enum Source {
        /** A sum of many calls, which counts only if no source reports single ones. */
        METRIC,
        /** The sum of all calls of a session, which counts in place of the metrics. */
        TOTAL,
        HOOK,
        LOG,
        SPAN,
        TRANSCRIPT;

        boolean isSum() {
            return this == METRIC || this == TOTAL;
        }
    }
}
