package dev.coppice.boot;

import dev.coppice.rules.Rules;
import dev.coppice.telemetry.ExportTrees;
import dev.coppice.telemetry.PriceFile;
import dev.coppice.telemetry.Transcripts;
import dev.coppice.usage.RecordUse;

import org.jspecify.annotations.Nullable;

/** Counts the uses of models: the commands, the transcripts and the prices. */
final class Meter {
    private final PriceFile prices;
    private final RecordUse record;
    private final Transcripts transcripts;
    private final @Nullable ExportTrees export;

    Meter(Rules rules, FaceParts parts) {
        this.prices = parts.prices();
        this.record =
                new RecordUse(rules.ports, rules.spending, parts.queries().modelUses(), prices);
        this.transcripts = new Transcripts(rules.ports, record, parts.settings().transcripts());
        var collector = parts.settings().collector();
        var queries = parts.queries();
        this.export =
                collector == null
                        ? null
                        : new ExportTrees(
                                rules.ports, queries.exports(), queries.modelUses(), collector);
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
