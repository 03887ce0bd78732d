package dev.coppice.wire.observe;

import dev.coppice.wire.Call;
import dev.coppice.wire.Field;

import tools.jackson.databind.JsonNode;

/** The paths of OpenTelemetry. */
public final class TelemetryCalls {
    public static final Call<Export, Call.Bytes> TRACES = otlp("traces", "spans");
    public static final Call<Export, Call.Bytes> LOGS = otlp("logs", "log records");
    public static final Call<Export, Call.Bytes> METRICS = otlp("metrics", "metrics");

    public static final Call<Call.Nothing, Call.Bytes> SCRAPE =
            Call.get(
                    "scrape_metrics",
                    "/metrics",
                    Call.Nothing.class,
                    Call.Bytes.class,
                    "Show what there is in numbers, in the text format of Prometheus");

    private TelemetryCalls() {}

    private static Call<Export, Call.Bytes> otlp(String what, String says) {
        return Call.post(
                "export_" + what,
                "/v1/" + what,
                Export.class,
                Call.Bytes.class,
                "Take the %s of an agent program, as OTLP over HTTP sends them".formatted(says));
    }

    /** A record as a program exports it. */
    public record Export(
            @Field(
                            value = "an export request of OTLP, in protobuf or JSON",
                            in = Field.In.WHOLE_BODY)
                    JsonNode export) {}
}
