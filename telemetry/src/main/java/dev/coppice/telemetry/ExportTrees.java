package dev.coppice.telemetry;

import dev.coppice.boot.Ground.Collector;
import dev.coppice.journal.Fact;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.SessionId;
import dev.coppice.observe.Exports;
import dev.coppice.run.Ports;
import dev.coppice.session.Session;
import dev.coppice.usage.ModelUses;

import io.opentelemetry.proto.collector.trace.v1.ExportTraceServiceRequest;
import io.opentelemetry.proto.common.v1.AnyValue;
import io.opentelemetry.proto.common.v1.KeyValue;
import io.opentelemetry.proto.trace.v1.Span;

import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Sends each session that has ended to a collector, as spans of OTLP, at least once. The journal is
 * read on only after the collector has accepted the spans or rejected them for good.
 */
final class ExportTrees implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("telemetry");
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final int ENTRIES_AT_ONCE = 500;
    private static final int SPANS_AT_ONCE = 1_000;
    private static final int EVENTS_MAX = 20_000;
    private static final int GOOD_LAST = 299;
    private static final Set<Integer> TRY_AGAIN = Set.of(408, 429, 500, 502, 503, 504);

    private final Ports ports;
    private final Exports exports;
    private final ModelUses uses;
    private final Collector collector;
    private final HttpClient client =
            HttpClient.newBuilder()
                    .connectTimeout(PATIENCE)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .build();

    ExportTrees(Ports ports, Exports exports, ModelUses uses, Collector collector) {
        this.ports = ports;
        this.exports = exports;
        this.uses = uses;
        this.collector = collector;
    }

    /** Returns how many sessions were sent. */
    int sweep() {
        var transactions = ports.transactions();
        long from = transactions.read(exports::number);
        var entries =
                transactions.read(
                        () -> ports.journal().after(from, Journal.Scope.ALL, ENTRIES_AT_ONCE));
        if (entries.isEmpty()) return 0;
        var ended = new LinkedHashSet<SessionId>();
        for (var entry : entries) {
            boolean isEnd =
                    switch (entry.fact()) {
                        case Fact.SessionCreated(var shot) -> shot.when().ended() != null;
                        case Fact.SessionUpdated(var shot) -> shot.when().ended() != null;
                        default -> false;
                    };
            if (isEnd) ended.add(entry.session());
        }
        for (var id : ended) {
            var session = transactions.read(() -> ports.sessions().find(id));
            if (session.isPresent() && !areTaken(of(session.get()))) return 0;
        }
        long to = entries.getLast().number();
        transactions.write(() -> exports.move(from, to));
        return ended.size();
    }

    private List<Span> of(Session session) {
        var spans = new TreeSpans(session);
        var within = Journal.Scope.of(session.id());
        long at = 0;
        for (int count = 0; count < EVENTS_MAX; ) {
            long after = at;
            var some =
                    ports.transactions()
                            .read(() ->
                                    ports.journal().after(after, within, Bounds.PAGE_ITEMS_MAX));
            if (some.isEmpty()) break;
            some.forEach(spans::read);
            at = some.getLast().number();
            count += some.size();
        }
        return ports.transactions()
                .read(() ->
                        spans.all(exports.call(session.id()).orElse(null), uses.own(session.id())));
    }

    /** Sends in parts: collectors bound the size of a request. */
    private boolean areTaken(List<Span> spans) {
        for (int from = 0; from < spans.size(); from += SPANS_AT_ONCE) {
            int to = Math.min(spans.size(), from + SPANS_AT_ONCE);
            if (!isTaken(spans.subList(from, to))) return false;
        }
        return true;
    }

    private boolean isTaken(List<Span> spans) {
        var request = ExportTraceServiceRequest.newBuilder();
        var resource = request.addResourceSpansBuilder();
        resource.getResourceBuilder()
                .addAttributes(
                        KeyValue.newBuilder()
                                .setKey("service.name")
                                .setValue(AnyValue.newBuilder().setStringValue("coppice")));
        resource.addScopeSpansBuilder().addAllSpans(spans);
        var post =
                HttpRequest.newBuilder(collector.traces())
                        .timeout(PATIENCE)
                        .header("Content-Type", "application/x-protobuf")
                        .POST(
                                HttpRequest.BodyPublishers.ofByteArray(
                                        request.build().toByteArray()));
        collector.headers().forEach(post::header);
        try {
            int status =
                    client.send(post.build(), HttpResponse.BodyHandlers.discarding()).statusCode();
            if (status <= GOOD_LAST) return true;
            var what = "the collector at {0} answered {1}";
            LOG.log(System.Logger.Level.WARNING, what, collector, status);
            return !TRY_AGAIN.contains(status);
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "cannot reach the collector at " + collector, e);
            return false;
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return false;
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
