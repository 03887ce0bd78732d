package dev.coppice.boot;

import dev.coppice.access.IssuedTokens;
import dev.coppice.access.PeopleOnly;
import dev.coppice.access.Tokens;
import dev.coppice.alert.Alerts;
import dev.coppice.alerts.AlertFile;
import dev.coppice.ask.Asks;
import dev.coppice.follow.Followers;
import dev.coppice.follow.Tail;
import dev.coppice.health.Figures;
import dev.coppice.health.Healths;
import dev.coppice.journal.EventIndex;
import dev.coppice.meter.PriceFile;
import dev.coppice.observe.Exports;
import dev.coppice.observe.Observations;
import dev.coppice.observe.Relations;
import dev.coppice.observe.Spawns;
import dev.coppice.operations.token.Invites;
import dev.coppice.outline.Nodes;
import dev.coppice.outline.Spans;
import dev.coppice.request.TopicNotifier;
import dev.coppice.thread.Loops;
import dev.coppice.usage.ModelUses;
import dev.coppice.wave.Waves;

import java.nio.file.Path;
import java.util.function.Supplier;

/** The parts that the faces share, besides the store. */
record FaceParts(
        Settings settings,
        Supplier<Invites.Address> address,
        Files files,
        TopicNotifier notifier,
        Tail tail,
        Followers followers,
        Tokens tokens,
        IssuedTokens issuedTokens,
        Queries queries,
        Path registries,
        StoreCheck check,
        PriceFile prices,
        AlertFile alerts,
        Loops loops) {
    /** The stores that only faces read. */
    record Queries(
            EventIndex index,
            Observations observations,
            Spawns spawns,
            Waves waves,
            Healths healths,
            Nodes nodes,
            Spans spans,
            Relations relations,
            Alerts alerts,
            Asks asks,
            ModelUses modelUses,
            Figures figures,
            Exports exports,
            PeopleOnly peopleOnly) {}
}
