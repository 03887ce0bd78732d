package dev.coppice.telemetry;

import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.Message;
import com.google.protobuf.Parser;

import dev.coppice.access.Need;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.observe.RecordObservations;
import dev.coppice.request.Reply;
import dev.coppice.run.Ports;
import dev.coppice.usage.RecordUse;
import dev.coppice.web.Exchange;
import dev.coppice.web.Route;
import dev.coppice.wire.Call;
import dev.coppice.wire.observe.TelemetryCalls;

import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceResponse;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/**
 * The receiver of OTLP over HTTP: protobuf or JSON, answered in the same. In protobuf, the three
 * answers are the same bytes, so one class serves all.
 */
final class OtlpRoutes {
    private final Telemetry telemetry;

    OtlpRoutes(Ports ports, RecordObservations observe, RecordUse uses) {
        this.telemetry = new Telemetry(ports.transactions(), observe, uses, ports.clock());
    }

    List<Route> routes() {
        return List.of(
                route(
                        TelemetryCalls.TRACES,
                        ExportTraceServiceRequest.parser(),
                        ExportTraceServiceRequest.getDefaultInstance(),
                        Exported::of,
                        "rejectedSpans"),
                route(
                        TelemetryCalls.LOGS,
                        ExportLogsServiceRequest.parser(),
                        ExportLogsServiceRequest.getDefaultInstance(),
                        Exported::of,
                        "rejectedLogRecords"),
                route(
                        TelemetryCalls.METRICS,
                        ExportMetricsServiceRequest.parser(),
                        ExportMetricsServiceRequest.getDefaultInstance(),
                        Exported::of,
                        "rejectedDataPoints"));
    }

    private <M extends Message> Route route(
            Call<?, ?> call,
            Parser<M> parser,
            M empty,
            Function<M, List<Exported>> read,
            String field) {
        return new Route(
                call,
                Need.TELL,
                x -> {
                    int rejected = telemetry.take(read.apply(read(x, parser, empty)), x.caller());
                    return answer(x, field, rejected);
                },
                new OtlpWeight(empty.getDescriptorForType()));
    }

    private static boolean isProtobuf(Exchange x) {
        return OtlpWeight.isProtobuf(x.header("Content-Type"));
    }

    @SuppressWarnings("unchecked")
    private static <M extends Message> M read(Exchange x, Parser<M> parser, M empty) {
        try {
            if (isProtobuf(x)) {
                return parser.parseFrom(x.request().body().getBytes(StandardCharsets.ISO_8859_1));
            }
            var into = empty.newBuilderForType();
            OtlpJson.read(x.json(), into);
            return (M) into.build();
        } catch (InvalidProtocolBufferException | OtlpJson.Malformed e) {
            var why = String.valueOf(e.getMessage());
            throw new Rejected(new RequestRefusal.BadValue("body", why, "an export of OTLP"));
        }
    }

    private static Reply answer(Exchange x, String field, int rejected) {
        var why = "their session is unknown here, or is none that this token may touch";
        if (!isProtobuf(x)) {
            var part = Map.of(field, Integer.toString(rejected), "errorMessage", why);
            return Reply.ok(rejected == 0 ? Map.of() : Map.of("partialSuccess", part));
        }
        var answer = ExportTraceServiceResponse.newBuilder();
        if (rejected > 0) {
            answer.getPartialSuccessBuilder().setRejectedSpans(rejected).setErrorMessage(why);
        }
        return new Reply.Document(OtlpWeight.PROTOBUF, out -> answer.build().writeTo(out));
    }
}
