package dev.coppice.telemetry;

import com.google.protobuf.ByteString;

import dev.coppice.kernel.Bounds;
import dev.coppice.telemetry.Attributes.Resource;

import io.opentelemetry.proto.collector.logs.v1.ExportLogsServiceRequest;
import io.opentelemetry.proto.collector.metrics.v1.ExportMetricsServiceRequest;
import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.metrics.v1.AggregationTemporality;
import io.opentelemetry.proto.metrics.v1.Metric;
import io.opentelemetry.proto.metrics.v1.NumberDataPoint;
import io.opentelemetry.proto.trace.v1.Status.StatusCode;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;

/** A record that a program exported, without the wrapping of OTLP. */
sealed interface Exported {
    Attributes attributes();

    Instant at();

    /** A span that has ended. Ids are hexadecimal, and begin with that of the trace. */
    record Span(
            Attributes attributes,
            String name,
            String id,
            @Nullable String parent,
            Instant from,
            Instant at,
            Outcome outcome)
            implements Exported {
        private static final int TRACE_ID_CHARS = 32;
        private static final int ID_CHARS = TRACE_ID_CHARS + 16;

        /** False if an id of the sender does not have the 16 or 8 bytes that OTLP demands. */
        boolean hasIds() {
            return id.length() == ID_CHARS && (parent == null || parent.length() == ID_CHARS);
        }

        String trace() {
            return id.substring(0, TRACE_ID_CHARS);
        }

        /** The end of the span. */
        enum Outcome {
            GOOD,
            FAILED
        }
    }

    /** A log record. {@code name} is that of its event. */
    record Log(Attributes attributes, String name, Instant at) implements Exported {}

    /** A point of a metric, which replaces earlier ones of its {@code series}. */
    record Point(Attributes attributes, String name, double value, String series, Instant at)
            implements Exported {}

    static List<Exported> of(ExportTraceServiceRequest request) {
        var found = new ArrayList<Exported>();
        for (var resource : request.getResourceSpansList()) {
            var about = Resource.of(resource.getResource().getAttributesList());
            for (var scope : resource.getScopeSpansList()) {
                for (var span : scope.getSpansList()) {
                    boolean hasFailed = span.getStatus().getCode() == StatusCode.STATUS_CODE_ERROR;
                    found.add(
                            new Span(
                                    Attributes.of(about, span.getAttributesList()),
                                    span.getName(),
                                    hex(span.getTraceId()) + hex(span.getSpanId()),
                                    span.getParentSpanId().isEmpty()
                                            ? null
                                            : hex(span.getTraceId()) + hex(span.getParentSpanId()),
                                    time(span.getStartTimeUnixNano()),
                                    time(span.getEndTimeUnixNano()),
                                    hasFailed ? Span.Outcome.FAILED : Span.Outcome.GOOD));
                }
            }
        }
        return found;
    }

    static List<Exported> of(ExportLogsServiceRequest request) {
        var found = new ArrayList<Exported>();
        for (var resource : request.getResourceLogsList()) {
            var about = Resource.of(resource.getResource().getAttributesList());
            for (var scope : resource.getScopeLogsList()) {
                for (var one : scope.getLogRecordsList()) {
                    var attributes = Attributes.of(about, one.getAttributesList());
                    var name = one.getEventName();
                    if (name.isEmpty()) name = attributes.text("event.name");
                    if (name == null) name = one.getBody().getStringValue();
                    name = Bounds.firstOf(name, Bounds.LABEL_CHARS_MAX);
                    long nanos = one.getTimeUnixNano();
                    if (nanos == 0) nanos = one.getObservedTimeUnixNano();
                    found.add(new Log(attributes, name, time(nanos)));
                }
            }
        }
        return found;
    }

    static List<Exported> of(ExportMetricsServiceRequest request) {
        var found = new ArrayList<Exported>();
        for (var resource : request.getResourceMetricsList()) {
            var about = Resource.of(resource.getResource().getAttributesList());
            for (var scope : resource.getScopeMetricsList()) {
                for (var metric : scope.getMetricsList()) points(metric, about, found);
            }
        }
        return found;
    }

    private static void points(Metric metric, Resource about, List<Exported> into) {
        var sum = metric.getSum();
        for (var point : sum.getDataPointsList()) {
            var attributes = Attributes.of(about, point.getAttributesList());
            var time =
                    Time.of(
                            sum.getAggregationTemporality(),
                            point.getStartTimeUnixNano(),
                            point.getTimeUnixNano());
            into.add(point(metric.getName(), attributes, value(point), time));
        }
        var histogram = metric.getHistogram();
        for (var point : histogram.getDataPointsList()) {
            var attributes = Attributes.of(about, point.getAttributesList());
            var time =
                    Time.of(
                            histogram.getAggregationTemporality(),
                            point.getStartTimeUnixNano(),
                            point.getTimeUnixNano());
            into.add(point(metric.getName(), attributes, point.getSum(), time));
        }
    }

    private static double value(NumberDataPoint point) {
        return point.hasAsInt() ? point.getAsInt() : point.getAsDouble();
    }

    /** The end of a point, and its part of the name of the series. */
    record Time(String mark, Instant at) {
        /** A delta has a series of its own; a cumulative point replaces those before it. */
        static Time of(AggregationTemporality temporality, long from, long to) {
            boolean isDelta = temporality == AggregationTemporality.AGGREGATION_TEMPORALITY_DELTA;
            return new Time(":" + from + (isDelta ? ":" + to : ""), time(to));
        }
    }

    private static Point point(String name, Attributes attributes, double value, Time time) {
        var series = name + attributes.digest() + time.mark();
        return new Point(attributes, name, value, series, time.at());
    }

    private static String hex(ByteString bytes) {
        return HexFormat.of().formatHex(bytes.toByteArray());
    }

    private static Instant time(long nanos) {
        return Instant.ofEpochMilli(nanos / 1_000_000);
    }
}
