package dev.coppice.operations.registry;

import dev.coppice.access.Access;
import dev.coppice.access.Need;
import dev.coppice.blueprints.AllBlueprints;
import dev.coppice.blueprints.BlueprintDocument;
import dev.coppice.blueprints.Definition;
import dev.coppice.blueprints.Registries;
import dev.coppice.blueprints.Resolution;
import dev.coppice.blueprints.RunnerBlueprints;
import dev.coppice.kernel.BlueprintRefusal;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.Transactions;
import dev.coppice.operations.Given;
import dev.coppice.registry.Fault;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.schema.JsonSchemas;
import dev.coppice.wire.Call;
import dev.coppice.wire.Shape;
import dev.coppice.wire.blueprint.BlueprintCalls;
import dev.coppice.wire.blueprint.BlueprintCalls.Document;
import dev.coppice.word.BlueprintStatus;

import tools.jackson.databind.JsonNode;

import java.time.InstantSource;
import java.util.List;

/** The operations on blueprints, which callers know as agents. */
public final class BlueprintOperations {
    private final AllBlueprints blueprints;
    private final Registries registries;
    private final Resolution resolution;
    private final References references;
    private final Checks checks;
    private final InstantSource clock;
    private final Transactions transactions;

    public BlueprintOperations(
            AllBlueprints blueprints,
            Registries registries,
            JsonSchemas schemas,
            InstantSource clock,
            Transactions transactions) {
        this.blueprints = blueprints;
        this.registries = registries;
        this.resolution = new Resolution(registries);
        this.references = new References(blueprints, registries);
        this.checks = new Checks(schemas);
        this.clock = clock;
        this.transactions = transactions;
    }

    public List<Operation<?, ?>> all() {
        return List.of(
                Operation.of(BlueprintCalls.LIST, Need.READ, this::list),
                Operation.changingOutside(
                        BlueprintCalls.CREATE,
                        Need.DEFINE,
                        transactions,
                        (_, in) -> registries.alone(() -> create(in))),
                Operation.of(
                        BlueprintCalls.READ,
                        Need.READ,
                        (x, in) -> found(in.name()).then(b -> read(x, b, in.raw()))),
                Operation.of(
                        BlueprintCalls.CHECK,
                        Need.DEFINE,
                        (_, in) ->
                                Outcome.done(
                                        new Document(
                                                BlueprintDocument.shown(
                                                        checked(created(in.document())))))),
                Operation.changingOutside(
                        BlueprintCalls.CHANGE,
                        Need.DEFINE,
                        transactions,
                        (_, in) -> registries.alone(() -> change(in))),
                Operation.changingOutside(
                        BlueprintCalls.REMOVE,
                        Need.DEFINE,
                        transactions,
                        (_, in) -> registries.alone(() -> remove(in.name()))),
                Operation.changingOutside(
                        BlueprintCalls.ACTIVATE,
                        Need.DEFINE,
                        transactions,
                        (_, in) -> registries.alone(() -> activate(in))));
    }

    private Outcome<BlueprintCalls.Documents> list(Context x, BlueprintCalls.Find in) {
        var tags = Given.set(in.tags());
        return Outcome.done(
                new BlueprintCalls.Documents(
                        blueprints.all().stream()
                                .filter(b -> b.blueprint().tags().containsAll(tags))
                                .filter(b ->
                                        in.after() == null || b.name().compareTo(in.after()) > 0)
                                .limit(in.limit() == null ? Long.MAX_VALUE : in.limit())
                                .map(b -> listed(x, b))
                                .toList()));
    }

    private Outcome<Document> read(Context x, Definition b, boolean isRaw) {
        return isRaw
                ? Outcome.done(view(x, b))
                : resolution.described(b).map(whole -> view(x, whole));
    }

    /** A blueprint in a list; without its references, and with the reason, if unresolvable. */
    private Document listed(Context x, Definition b) {
        var whole = resolution.described(b);
        var shown = view(x, whole instanceof Outcome.Done<Definition>(var found) ? found : b);
        return resolution
                .unknown(b)
                .map(why ->
                        new Document(BlueprintDocument.unresolved(shown.document(), why.said())))
                .orElse(shown);
    }

    /** Refuses changes of a runner's blueprint: each registration brings it again. */
    private Outcome<Definition> changeable(String name) {
        return found(name)
                .then(b -> {
                    var runner = RunnerBlueprints.owner(b);
                    return runner == null
                            ? Outcome.done(b)
                            : Outcome.refused(new BlueprintRefusal.BlueprintOfRunner(name, runner));
                });
    }

    private Outcome<Document> change(BlueprintCalls.Change in) {
        return changeable(in.name())
                .map(b -> saved(BlueprintDocument.changed(b, in.changes(), clock.instant())));
    }

    /** Shows values of environments and headers only to callers that may set them. */
    private static Document view(Context x, Definition b) {
        return new Document(
                Access.may(x.caller().role(), Need.DEFINE)
                        ? BlueprintDocument.shown(b)
                        : BlueprintDocument.withoutValues(BlueprintDocument.shown(b)));
    }

    private Outcome<Definition> found(String name) {
        return blueprints
                .find(name)
                .<Outcome<Definition>>map(Outcome::done)
                .orElseGet(() -> Outcome.refused(new BlueprintRefusal.BlueprintUnknown(name)));
    }

    private Outcome<Document> create(BlueprintCalls.Create in) {
        var blueprint = checked(created(in.document()));
        var name = blueprint.name();
        if (blueprints.find(name).isPresent() && !blueprints.isBuiltIn(name)) {
            return Outcome.refused(new BlueprintRefusal.BlueprintTaken(name));
        }
        return Outcome.done(stored(blueprint));
    }

    private JsonNode created(JsonNode document) {
        return BlueprintDocument.created(document, clock.instant());
    }

    private Document saved(JsonNode document) {
        return stored(checked(document));
    }

    private Document stored(Definition blueprint) {
        blueprints.save(blueprint);
        return new Document(BlueprintDocument.shown(blueprint));
    }

    private Outcome<Document> activate(BlueprintCalls.Activate in) {
        var status = Shape.word(in.status());
        return changeable(in.name())
                .map(b -> {
                    // A blueprint with unknown references can still be deactivated.
                    var document = BlueprintDocument.withStatus(b, status, clock.instant());
                    return in.status() == BlueprintStatus.ACTIVE
                            ? saved(document)
                            : stored(read(document));
                });
    }

    private Outcome<Call.Empty> remove(String name) {
        if (blueprints.isBuiltIn(name)) {
            return Outcome.refused(new BlueprintRefusal.BlueprintBuiltIn(name));
        }
        // An unreadable file can be removed, too.
        var found =
                blueprints.isFile(name)
                        ? Outcome.done(name)
                        : changeable(name).map(Definition::name);
        return found.then(known -> {
            var by = references.to(BlueprintRefusal.Registered.AGENT, known);
            if (!by.isEmpty()) {
                return Outcome.refused(
                        new BlueprintRefusal.EntryInUse(
                                BlueprintRefusal.Registered.AGENT, known, by));
            }
            blueprints.remove(known);
            return Outcome.done(new Call.Empty());
        });
    }

    private Definition checked(JsonNode document) {
        var blueprint = read(document);
        resolution.unknown(blueprint).ifPresent(BlueprintOperations::reject);
        Checks.hooks(blueprint, name -> blueprints.find(name).isPresent());
        return blueprint;
    }

    private static void reject(Refusal refusal) {
        throw new Rejected(refusal);
    }

    private Definition read(JsonNode document) {
        try {
            return checks.blueprint(document);
        } catch (Fault e) {
            throw Given.bad(e.field(), e.value(), e.rule());
        }
    }
}
