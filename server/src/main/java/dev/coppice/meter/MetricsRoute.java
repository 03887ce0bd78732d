package dev.coppice.meter;

import dev.coppice.access.Need;
import dev.coppice.health.Figures;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.Transactions;
import dev.coppice.request.Reply;
import dev.coppice.thread.Loops;
import dev.coppice.usage.ModelUses;
import dev.coppice.web.Exchange;
import dev.coppice.web.Route;
import dev.coppice.wire.observe.TelemetryCalls;

import java.math.BigDecimal;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Map;

/** Metrics in the text format of Prometheus. */
public record MetricsRoute(
        Transactions transactions,
        Figures figures,
        ModelUses uses,
        Journal journal,
        Loops loops,
        InstantSource clock) {
    private static final String TYPE = "text/plain; version=0.0.4; charset=utf-8";
    private static final Duration SEEN = Duration.ofMinutes(2);

    public Route route() {
        return new Route(TelemetryCalls.SCRAPE, Need.READ_FLEET, this::scrape);
    }

    private Reply scrape(Exchange x) {
        return new Reply.Text(200, TYPE, transactions.read(this::text));
    }

    /** Writes one metric after the other. */
    private static final class Lines {
        private final StringBuilder text = new StringBuilder();

        void begin(String name, String type, String help) {
            text.append(
                    "# HELP coppice_%s %s\n# TYPE coppice_%s %s\n"
                            .formatted(name, help, name, type));
        }

        void value(String name, String labels, Object value) {
            text.append("coppice_").append(name);
            if (!labels.isEmpty()) text.append('{').append(labels).append('}');
            text.append(' ').append(value).append('\n');
        }

        void gauge(String name, String help, long value) {
            begin(name, "gauge", help);
            value(name, "", value);
        }

        void gauges(String name, String help, String label, Map<String, Long> counts) {
            begin(name, "gauge", help);
            counts.forEach((word, count) -> value(name, label(label, word), count));
        }

        static String label(String name, String value) {
            var escaped = value.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n");
            return "%s=\"%s\"".formatted(name, escaped);
        }
    }

    private String text() {
        var lines = new Lines();
        lines.gauges("sessions", "Sessions by state.", "state", figures.sessions());
        lines.gauges("runs", "Runs that have not ended, by state.", "state", figures.runs());
        lines.gauges("callbacks", "Callbacks by state.", "state", figures.callbacks());
        lines.gauges("alerts", "Alerts by kind.", "kind", figures.alerts());
        lines.gauge(
                "runners",
                "Runners that were heard within two minutes.",
                figures.runners(clock.instant().minus(SEEN)));
        lines.gauge("open_questions", "Programs that wait for a person.", figures.openQuestions());
        lines.gauge("open_removals", "Removals that are not over.", figures.openRemovals());
        lines.begin("events_total", "counter", "The number of the newest event.");
        lines.value("events_total", "", journal.head());
        lines.begin("slow_writes_total", "counter", "Writes that held up others.");
        lines.value("slow_writes_total", "", transactions.slowWrites());
        lines.begin("loop_failures_total", "counter", "Failed rounds of the coordinator's loops.");
        loops.failures()
                .forEach((loop, count) ->
                        lines.value("loop_failures_total", Lines.label("loop", loop), count));
        models(lines);
        return lines.text.toString();
    }

    private void models(Lines lines) {
        var sums = uses.totals();
        lines.begin("tokens_total", "gauge", "Tokens of unpurged sessions, by model and kind.");
        for (var sum : sums) {
            var tokens = sum.tokens();
            var kinds =
                    Map.of(
                            "input", tokens.input(),
                            "output", tokens.output(),
                            "cache_read", tokens.cacheRead(),
                            "cache_write", tokens.cacheWrite() + tokens.cacheWriteHour());
            kinds.entrySet().stream()
                    .sorted(Map.Entry.comparingByKey())
                    .forEach(kind ->
                            lines.value(
                                    "tokens_total",
                                    Lines.label("model", sum.model())
                                            + ","
                                            + Lines.label("kind", kind.getKey()),
                                    kind.getValue()));
        }
        lines.begin("cost_dollars", "gauge", "Cost of unpurged sessions, by model.");
        for (var sum : sums) {
            var dollars = BigDecimal.valueOf(sum.costMicros(), 6).toPlainString();
            lines.value("cost_dollars", Lines.label("model", sum.model()), dollars);
        }
        lines.begin("unpriced_tokens", "gauge", "Tokens whose price is not known, by model.");
        for (var sum : sums) {
            lines.value("unpriced_tokens", Lines.label("model", sum.model()), sum.unpriced());
        }
    }
}
