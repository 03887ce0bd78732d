package dev.coppice.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.protobuf.CodedOutputStream;

import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;

import org.junit.jupiter.api.Test;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.Arrays;

/** The memory that an export takes is known before anything of it is made. */
class OtlpWeightTest {
    private static final OtlpWeight WEIGHT =
            new OtlpWeight(ExportTraceServiceRequest.getDescriptor());
    private static final int SPANS = 1_000_000;

    private static byte[] field(int number, byte[] content) throws IOException {
        var bytes = new ByteArrayOutputStream();
        var out = CodedOutputStream.newInstance(bytes);
        out.writeByteArray(number, content);
        out.flush();
        return bytes.toByteArray();
    }

    private static byte[] emptySpans() throws IOException {
        var spans = new byte[2 * SPANS];
        for (int i = 0; i < spans.length; i += 2) spans[i] = 2 << 3 | 2;
        return field(1, field(2, spans));
    }

    private static long weight(byte[] export) throws IOException {
        return WEIGHT.of("application/x-protobuf", new ByteArrayInputStream(export));
    }

    /** 68 KB on the wire became seven million messages, and ended the coordinator. */
    @Test
    void a_million_empty_spans_weigh_hundreds_of_megabytes() throws IOException {
        var export = emptySpans();
        assertThat(ExportTraceServiceRequest.parseFrom(export).getResourceSpans(0).getScopeSpans(0))
                .satisfies(scope -> assertThat(scope.getSpansCount()).isEqualTo(SPANS));
        assertThat(weight(export)).isGreaterThan(300L * SPANS);
    }

    @Test
    void what_comes_before_a_malformed_part_weighs_as_much() throws IOException {
        var export = emptySpans();
        var broken = Arrays.copyOf(export, export.length - 1);
        assertThat(weight(broken)).isGreaterThan(300L * (SPANS - 1));
        assertThat(weight(new byte[] {(byte) 0xff})).isLessThan(1_000);
    }

    @Test
    void unknown_fields_weigh_too_because_messages_keep_them() throws IOException {
        var unknown = new byte[2 * SPANS];
        for (int i = 0; i < unknown.length; i += 2) unknown[i] = 15 << 3;
        assertThat(weight(unknown)).isGreaterThan(300L * SPANS);
    }
}
