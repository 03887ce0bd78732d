package dev.coppice.telemetry;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.access.Caller;
import dev.coppice.access.Role;
import dev.coppice.kernel.SessionId;

import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;

import org.junit.jupiter.api.Test;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** The spans that are remembered, and for whom. */
class SpanTreeTest {
    private static final Caller ADMIN = Caller.as(Role.ADMIN);
    private static final Caller OTHER = Caller.agent(new SessionId("a"));
    private final SpanTree tree = new SpanTree();

    private static Exported.Span span(int trace, int id, int parent) {
        var agent =
                KeyValue.newBuilder()
                        .setKey("gen_ai.operation.name")
                        .setValue(AnyValue.newBuilder().setStringValue("invoke_agent"));
        return new Exported.Span(
                Attributes.of(Attributes.Resource.of(List.of()), List.of(agent.build())),
                "invoke_agent x",
                id(trace, id),
                id(trace, parent),
                Instant.EPOCH,
                Instant.EPOCH,
                Exported.Span.Outcome.GOOD);
    }

    private static String id(int trace, int span) {
        return "%032x%016x".formatted(trace, span);
    }

    /** Sixty-three requests, each answered with 200, ended the coordinator. */
    @Test
    void spans_that_no_session_owns_are_not_kept() {
        for (int i = 0; i < 100; i++) {
            var export = List.of(span(i, 1, 2), span(i, 2, 3));
            tree.saw(export, ADMIN);
            tree.keep(export, Set.of(), ADMIN);
        }
        assertThat(tree.size()).isZero();
    }

    @Test
    void a_trace_stays_known_once_a_session_owns_it() {
        var first = List.of(span(1, 1, 2));
        tree.saw(first, ADMIN);
        tree.keep(first, Set.of(first.getFirst().trace()), ADMIN);
        var parent = List.of(span(1, 2, 3));
        tree.saw(parent, ADMIN);
        tree.keep(parent, Set.of(), ADMIN);
        assertThat(tree.agents(first.getFirst(), ADMIN)).hasSize(2);
    }

    @Test
    void a_caller_sees_no_spans_of_another_and_pushes_out_only_its_own() {
        var own = List.of(span(1, 1, 2));
        tree.saw(own, ADMIN);
        tree.keep(own, Set.of(own.getFirst().trace()), ADMIN);
        var many = new ArrayList<Exported.Span>();
        for (int i = 0; i < 15_000; i++) many.add(span(2, i, i + 1));
        tree.saw(many, OTHER);
        tree.keep(many, Set.of(many.getFirst().trace()), OTHER);
        assertThat(tree.size()).isLessThanOrEqualTo(10_001);
        assertThat(tree.agents(own.getFirst(), ADMIN)).hasSize(1);
        assertThat(tree.agents(own.getFirst(), OTHER)).isEmpty();
    }

    @Test
    void a_record_has_its_first_256_attributes() {
        var sent = new ArrayList<KeyValue>();
        for (int i = 0; i < 300; i++) {
            var value = AnyValue.newBuilder().setStringValue("v");
            sent.add(KeyValue.newBuilder().setKey("k" + i).setValue(value).build());
        }
        var read = Attributes.of(Attributes.Resource.of(sent), sent);
        assertThat(read.own()).hasSize(256);
        assertThat(read.resource().values()).hasSize(256);
        assertThat(read.text("k255")).isEqualTo("v");
        assertThat(read.text("k256")).isNull();
    }

    @Test
    void ids_of_other_lengths_are_refused() {
        assertThat(span(1, 1, 2).hasIds()).isTrue();
        var known = span(1, 1, 2);
        var odd =
                new Exported.Span(
                        known.attributes(),
                        "x",
                        known.id() + "00",
                        null,
                        Instant.EPOCH,
                        Instant.EPOCH,
                        Exported.Span.Outcome.GOOD);
        assertThat(odd.hasIds()).isFalse();
    }
}
