package dev.coppice.boot;

import dev.coppice.access.Caller;
import dev.coppice.access.Role;
import dev.coppice.observe.Observation;
import dev.coppice.observe.Observation.Moment;
import dev.coppice.observe.Observations.Evidence;
import dev.coppice.observe.RecordObservations;
import dev.coppice.telemetry.ExportTrees;
import dev.coppice.telemetry.PriceFile;
import dev.coppice.telemetry.Transcripts;
import dev.coppice.usage.RecordUse;
import dev.coppice.wiring.Rules;

import org.jspecify.annotations.Nullable;

/** Counts the uses of models: the commands, the transcripts and the prices. */
final class Meter {
    private final PriceFile prices;
    private final RecordUse record;
    private final Transcripts transcripts;
    private final @Nullable ExportTrees export;

    Meter(Rules rules, FaceParts parts, RecordObservations observe) {
        this.prices = parts.prices();
        this.record =
                new RecordUse(rules.ports, rules.spending, parts.queries().modelUses(), prices);
        this.transcripts =
                new Transcripts(
                        rules.ports,
                        record,
                        edges(rules, parts, observe),
                        parts.settings().transcripts());
        var collector = parts.settings().collector();
        var queries = parts.queries();
        this.export =
                collector == null
                        ? null
                        : new ExportTrees(
                                rules.ports, queries.exports(), queries.modelUses(), collector);
    }

    /** Records an edge from a transcript, unless the answer to a call has told it before. */
    private static Transcripts.Edges edges(
            Rules rules, FaceParts parts, RecordObservations observe) {
        var observations = parts.queries().observations();
        return (main, agent, parent, at) -> {
            var seen = Observation.telemetry(main, agent, "agent", Moment.NONE, at);
            var child = main.agent(agent).orElse(null);
            var above = parent == null ? main : main.agent(parent).orElse(null);
            if (child == null || above == null) return;
            rules.ports
                    .transactions()
                    .write(() -> {
                        // A session that was removed meanwhile stays removed.
                        boolean isNew =
                                rules.ports.sessions().find(main).isPresent()
                                        && !observations.isCertain(above, child);
                        var by = Caller.as(Role.OPERATOR);
                        if (isNew) observe.relate(seen, parent, Evidence.DECLARED, by);
                        return isNew;
                    });
        };
    }

    /** Sends ended sessions to a collector, if there is one. */
    int sweepExport() {
        return export == null ? 0 : export.sweep();
    }

    void close() {
        if (export != null) export.close();
    }

    RecordUse record() {
        return record;
    }

    Transcripts transcripts() {
        return transcripts;
    }

    /** Charges what had no price, once the file of prices has one. */
    int sweepPrices() {
        return prices.refresh() ? record.reprice() : 0;
    }
}
