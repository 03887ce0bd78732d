package dev.coppice.operations.registry;

import dev.coppice.access.Access;
import dev.coppice.access.Need;
import dev.coppice.blueprints.BlueprintDocument;
import dev.coppice.blueprints.Registries;
import dev.coppice.blueprints.RegistryEntry;
import dev.coppice.kernel.BlueprintRefusal;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Transactions;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.wire.Call;
import dev.coppice.wire.blueprint.BlueprintCalls.Document;
import dev.coppice.wire.blueprint.BlueprintCalls.Documents;
import dev.coppice.wire.registry.RegistryCalls;

import tools.jackson.databind.JsonNode;

import java.time.InstantSource;
import java.util.List;

/** The operations on the entries of one registry. */
final class RegistryOperations<T extends RegistryEntry> {
    private final Catalog<T> catalog;
    private final RegistryCalls calls;
    private final References references;
    private final Registries registries;
    private final InstantSource clock;
    private final Transactions transactions;

    RegistryOperations(
            Catalog<T> catalog,
            RegistryCalls calls,
            References references,
            Registries registries,
            InstantSource clock,
            Transactions transactions) {
        this.catalog = catalog;
        this.calls = calls;
        this.references = references;
        this.registries = registries;
        this.clock = clock;
        this.transactions = transactions;
    }

    List<Operation<?, ?>> all() {
        return List.of(
                Operation.of(calls.list(), Need.READ, (x, _) -> list(x)),
                Operation.changingOutside(
                        calls.create(),
                        Need.DEFINE,
                        transactions,
                        (_, in) -> create(in.document())),
                Operation.of(
                        calls.read(),
                        Need.READ,
                        (x, in) -> found(in.name()).map(e -> shown(x, e.document()))),
                Operation.changingOutside(
                        calls.change(), Need.DEFINE, transactions, (_, in) -> change(in)),
                Operation.changingOutside(
                        calls.remove(), Need.DEFINE, transactions, (_, in) -> remove(in.name())));
    }

    private Outcome<Documents> list(Context x) {
        return Outcome.done(
                new Documents(
                        catalog.registry().all().values().stream()
                                .map(entry -> shown(x, entry.summary()))
                                .toList()));
    }

    /** Shows values of headers only to callers that may set them. */
    private static Document shown(Context x, JsonNode document) {
        return new Document(
                Access.may(x.caller().role(), Need.DEFINE)
                        ? document
                        : BlueprintDocument.withoutValues(document));
    }

    private Outcome<T> found(String name) {
        return catalog.registry()
                .find(name)
                .<Outcome<T>>map(Outcome::done)
                .orElseGet(() ->
                        Outcome.refused(new BlueprintRefusal.EntryUnknown(catalog.what(), name)));
    }

    private Outcome<Document> create(JsonNode sent) {
        var document = catalog.layout().created(sent, clock.instant());
        return registries.alone(() -> {
            var entry = catalog.checked(document);
            if (catalog.registry().has(entry.name())) {
                return Outcome.refused(
                        new BlueprintRefusal.EntryTaken(catalog.what(), entry.name()));
            }
            return saved(entry);
        });
    }

    private Outcome<Document> change(RegistryCalls.Change in) {
        return registries.alone(() ->
                found(in.name())
                        .then(before ->
                                saved(
                                        catalog.checked(
                                                catalog.layout()
                                                        .changed(
                                                                before.document(),
                                                                in.changes(),
                                                                clock.instant())))));
    }

    private Outcome<Document> saved(T entry) {
        catalog.registry().save(entry.name(), entry.document());
        return Outcome.done(new Document(entry.document()));
    }

    private Outcome<Call.Empty> remove(String name) {
        return registries.alone(() -> {
            if (!catalog.registry().has(name)) return found(name).map(_ -> new Call.Empty());
            var by = references.to(catalog.what(), name);
            if (!by.isEmpty()) {
                return Outcome.refused(new BlueprintRefusal.EntryInUse(catalog.what(), name, by));
            }
            catalog.registry().remove(name);
            return Outcome.done(new Call.Empty());
        });
    }
}
