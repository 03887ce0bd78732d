package dev.coppice.originals.family;

import com.fasterxml.jackson.annotation.JsonProperty;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

/**
 * The health of the figures about agents, with the parts of the original's answer. Its store is
 * called {@code sqlite} whatever the database is. It has neither Redis nor a cache, and needs none.
 */
record ServerHealth(
        String status,
        Part sqlite,
        Absent redis,
        @JsonProperty("lastCacheWarmup") long lastCacheWarmup,
        Cache cache,
        boolean metricsAvailable,
        long timestamp) {

    record Part(String status) {}

    record Absent(String status, String error) {}

    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    record Cache(
            boolean redisAvailable,
            boolean cacheWarmupInProgress,
            long lastCacheWarmup,
            long timeSinceLastWarmup) {}

    /** The health at a time at which the database was just read. */
    static ServerHealth at(long now) {
        return new ServerHealth(
                "healthy",
                new Part("healthy"),
                new Absent("unhealthy", "Coppice has no Redis and needs none"),
                now,
                new Cache(false, false, now, 0),
                true,
                now);
    }
}
