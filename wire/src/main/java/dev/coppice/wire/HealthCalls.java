package dev.coppice.wire;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The health of the coordinator. */
public final class HealthCalls {
    public static final Call<Call.Nothing, Health> HEALTH =
            Call.get(
                    "read_health",
                    "/health",
                    Call.Nothing.class,
                    Health.class,
                    "Check that the coordinator can work, and list its problems");
    public static final Call<Call.Nothing, Health> LIVE =
            Call.get(
                    "read_liveness",
                    "/health/live",
                    Call.Nothing.class,
                    Health.class,
                    "Check that the process answers, without its database");

    private HealthCalls() {}

    /** The state of the coordinator. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Health(
            @Field("healthy, unhealthy or live") String status,
            @Field("always true") boolean live,
            @Field("always coppice") String service,
            @Field("its version") String version,
            @Field("true if it can work") @Nullable Boolean ready,
            @Field("the problems that keep it from working") @Nullable List<String> problems)
            implements Call.WithStatus {
        @Override
        public int httpStatus() {
            return Boolean.FALSE.equals(ready) ? 503 : 200;
        }
    }
}
