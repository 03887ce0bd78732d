package dev.coppice.operations.look;

import dev.coppice.access.Need;
import dev.coppice.operations.Scope;
import dev.coppice.outline.Span;
import dev.coppice.outline.Spans;
import dev.coppice.request.Operation;
import dev.coppice.session.Session;
import dev.coppice.wire.look.SpanCalls;
import dev.coppice.wire.look.SpanCalls.SpanView;
import dev.coppice.wire.look.SpanCalls.WakeView;
import dev.coppice.wire.look.SpanCalls.WorkView;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** Shows the times in which the sessions of a tree worked. */
public record SpanOperations(Scope scope, Spans spans, InstantSource clock) {
    public List<Operation<?, ?>> all() {
        return List.of(
                Operation.of(
                        SpanCalls.READ,
                        Need.READ,
                        (x, in) -> scope.showing(x, in.sessionId(), top -> read(top, in))));
    }

    private SpanCalls.Spans read(Session top, SpanCalls.Show in) {
        var since = Instant.ofEpochMilli(in.since());
        var at = clock.instant();
        var found = spans.below(top.id(), since, SpanCalls.SESSIONS_MAX + 1);
        boolean isCut = found.size() > SpanCalls.SESSIONS_MAX;
        return new SpanCalls.Spans(
                scope.sessions().countDescendants(top.id()) + 1,
                isCut,
                at.toEpochMilli(),
                found.stream().limit(SpanCalls.SESSIONS_MAX).map(SpanOperations::view).toList(),
                spans.wakes(top.id(), since, SpanCalls.SESSIONS_MAX).stream()
                        .map(SpanOperations::view)
                        .toList());
    }

    private static SpanView view(Span span) {
        var parent = span.parent();
        return new SpanView(
                span.id().value(),
                span.name(),
                parent == null ? null : parent.value(),
                span.depth(),
                span.kind(),
                span.state(),
                span.from().toEpochMilli(),
                millis(span.to()),
                span.runs().stream().map(SpanOperations::view).toList());
    }

    private static WorkView view(Span.Work work) {
        return new WorkView(work.state(), work.from().toEpochMilli(), millis(work.to()));
    }

    private static WakeView view(Span.Wake wake) {
        return new WakeView(
                wake.child().value(),
                wake.parent().value(),
                wake.from().toEpochMilli(),
                wake.to().toEpochMilli());
    }

    private static @Nullable Long millis(@Nullable Instant time) {
        return time == null ? null : time.toEpochMilli();
    }
}
