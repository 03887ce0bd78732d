package dev.coppice.boot;

import dev.coppice.rules.Rules;
import dev.coppice.telemetry.PriceFile;
import dev.coppice.telemetry.Transcripts;
import dev.coppice.usage.RecordUse;

/** What counts the uses of models: the commands, the transcripts and the prices. */
final class Meter {
    private final PriceFile prices;
    private final RecordUse record;
    private final Transcripts transcripts;

    Meter(Rules rules, FaceParts parts) {
        this.prices = parts.prices();
        this.record =
                new RecordUse(rules.ports, rules.spending, parts.queries().modelUses(), prices);
        this.transcripts = new Transcripts(rules.ports, record, parts.settings().transcripts());
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
