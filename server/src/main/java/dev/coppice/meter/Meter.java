package dev.coppice.meter;

import dev.coppice.access.Caller;
import dev.coppice.access.Role;
import dev.coppice.observe.Observation;
import dev.coppice.observe.Observation.Moment;
import dev.coppice.observe.Observations;
import dev.coppice.observe.Observations.Evidence;
import dev.coppice.observe.RecordObservations;
import dev.coppice.run.Ports;
import dev.coppice.usage.RecordUse;

import java.nio.file.Path;
import java.util.List;

/** Counts uses of models: commands, transcripts and prices. */
public final class Meter {
    private final PriceFile prices;
    private final RecordUse record;
    private final Transcripts transcripts;

    /** Reads transcripts below these directories alone. */
    public Meter(
            Ports ports,
            RecordUse record,
            PriceFile prices,
            Observations observations,
            RecordObservations observe,
            List<Path> directories) {
        this.prices = prices;
        this.record = record;
        this.transcripts =
                new Transcripts(ports, record, edges(ports, observations, observe), directories);
    }

    /** Records an edge that a transcript shows, unless it is already certain. */
    private static Transcripts.Edges edges(
            Ports ports, Observations observations, RecordObservations observe) {
        return (main, agent, parent, at) -> {
            var seen = Observation.telemetry(main, agent, "agent", Moment.NONE, at);
            var child = main.agent(agent).orElse(null);
            var above = parent == null ? main : main.agent(parent).orElse(null);
            if (child == null || above == null) return;
            ports.transactions()
                    .write(() -> {
                        // A removed session must not come back.
                        boolean isNew =
                                ports.sessions().find(main).isPresent()
                                        && !observations.isCertain(above, child);
                        var by = Caller.as(Role.OPERATOR);
                        if (isNew) observe.relate(seen, parent, Evidence.DECLARED, by);
                        return isNew;
                    });
        };
    }

    public RecordUse record() {
        return record;
    }

    public Transcripts transcripts() {
        return transcripts;
    }

    /** Charges uses that had no price, once the file of prices has changed. */
    public int sweepPrices() {
        return prices.refresh() ? record.reprice() : 0;
    }
}
