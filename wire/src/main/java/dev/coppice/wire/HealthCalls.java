package dev.coppice.wire;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Whether the coordinator can work. */
public final class HealthCalls {
    public static final Call<Call.Nothing, Health> HEALTH =
            Call.get(
                    "read_health",
                    "/health",
                    Call.Nothing.class,
                    Health.class,
                    "Whether the coordinator can do its work, and what keeps it from it");
    public static final Call<Call.Nothing, Health> LIVE =
            Call.get(
                    "read_liveness",
                    "/health/live",
                    Call.Nothing.class,
                    Health.class,
                    "Whether the process answers at all, whatever its database does");

    private HealthCalls() {}

    /** How the coordinator is. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Health(
            @Field("healthy, unhealthy or live") String status,
            @Field("always true") boolean live,
            @Field("always coppice") String service,
            @Field("its version") String version,
            @Field("true if it can do its work") @Nullable Boolean ready,
            @Field("what keeps it from its work") @Nullable List<String> problems)
            implements Call.WithStatus {
        @Override
        public int httpStatus() {
            return Boolean.FALSE.equals(ready) ? 503 : 200;
        }
    }
}
