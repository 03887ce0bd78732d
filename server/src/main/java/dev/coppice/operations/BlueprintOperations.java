package dev.coppice.operations;

import dev.coppice.access.Access;
import dev.coppice.access.Need;
import dev.coppice.agent.Blueprint;
import dev.coppice.agent.BlueprintName;
import dev.coppice.agent.Blueprints;
import dev.coppice.agent.Schemas;
import dev.coppice.blueprints.BlueprintDocument;
import dev.coppice.blueprints.BlueprintText;
import dev.coppice.blueprints.Registries;
import dev.coppice.blueprints.Resolution;
import dev.coppice.blueprints.RunnerBlueprints;
import dev.coppice.kernel.BlueprintRefusal;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.operation.Context;
import dev.coppice.operation.Operation;
import dev.coppice.operation.Rejected;
import dev.coppice.registry.Fault;
import dev.coppice.wire.Call;
import dev.coppice.wire.Shape;
import dev.coppice.wire.blueprint.BlueprintCalls;
import dev.coppice.wire.blueprint.BlueprintCalls.Document;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.InstantSource;
import java.util.List;

/** Blueprints, under the original's name for them. */
public final class BlueprintOperations {
    private final Blueprints blueprints;
    private final Registries registries;
    private final Resolution resolution;
    private final Schemas schemas;
    private final InstantSource clock;

    public BlueprintOperations(
            Blueprints blueprints, Registries registries, Schemas schemas, InstantSource clock) {
        this.blueprints = blueprints;
        this.registries = registries;
        this.resolution = new Resolution(registries);
        this.schemas = schemas;
        this.clock = clock;
    }

    public List<Operation<?, ?>> all() {
        return List.of(
                Operation.of(BlueprintCalls.LIST, Need.READ, this::list),
                Operation.of(
                        BlueprintCalls.CREATE,
                        Need.DEFINE,
                        (_, in) -> registries.alone(() -> create(in))),
                Operation.of(
                        BlueprintCalls.READ,
                        Need.READ,
                        (x, in) -> found(in.name()).then(b -> read(x, b, in.raw()))),
                Operation.of(
                        BlueprintCalls.CHANGE,
                        Need.DEFINE,
                        (_, in) -> registries.alone(() -> change(in))),
                Operation.of(BlueprintCalls.REMOVE, Need.DEFINE, (_, in) -> remove(in.name())),
                Operation.of(BlueprintCalls.ACTIVATE, Need.DEFINE, (_, in) -> activate(in)));
    }

    private Outcome<BlueprintCalls.Documents> list(Context x, BlueprintCalls.Find in) {
        var tags = Given.set(in.tags());
        return Outcome.done(
                new BlueprintCalls.Documents(
                        blueprints.all().stream()
                                .filter(b -> b.tags().containsAll(tags))
                                .filter(b ->
                                        in.after() == null || b.name().compareTo(in.after()) > 0)
                                .limit(in.limit() == null ? Long.MAX_VALUE : in.limit())
                                .map(b -> listed(x, b))
                                .toList()));
    }

    private Outcome<Document> read(Context x, Blueprint b, boolean isRaw) {
        return isRaw
                ? Outcome.done(view(x, b))
                : resolution.described(b).map(whole -> view(x, whole));
    }

    /** One that cannot be resolved is listed as it is, with the reason. */
    private Document listed(Context x, Blueprint b) {
        return switch (resolution.described(b)) {
            case Outcome.Done<Blueprint>(var whole) -> view(x, whole);
            case Outcome.Refused<Blueprint>(var refusal) -> {
                var document = view(x, b).document();
                yield new Document(BlueprintDocument.unresolved(document, refusal.said()));
            }
        };
    }

    /** A runner brings its blueprints again with every registration. */
    private Outcome<Blueprint> changeable(String name) {
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
    private static Document view(Context x, Blueprint b) {
        return new Document(
                Access.may(x.caller().role(), Need.DEFINE)
                        ? BlueprintDocument.shown(b)
                        : BlueprintDocument.withoutValues(BlueprintDocument.shown(b)));
    }

    private Outcome<Blueprint> found(String name) {
        return blueprints
                .find(name)
                .<Outcome<Blueprint>>map(Outcome::done)
                .orElseGet(() -> Outcome.refused(new BlueprintRefusal.BlueprintUnknown(name)));
    }

    private Outcome<Document> create(BlueprintCalls.Create in) {
        var blueprint = checked(BlueprintDocument.created(in.document(), clock.instant()));
        var name = blueprint.name();
        if (blueprints.find(name).isPresent() && !blueprints.isBuiltIn(name)) {
            return Outcome.refused(new BlueprintRefusal.BlueprintTaken(name));
        }
        blueprints.save(blueprint);
        return Outcome.done(new Document(BlueprintDocument.shown(blueprint)));
    }

    private Document saved(JsonNode document) {
        var changed = checked(document);
        blueprints.save(changed);
        return new Document(BlueprintDocument.shown(changed));
    }

    private Outcome<Document> activate(BlueprintCalls.Activate in) {
        var status = Shape.word(in.status());
        return changeable(in.name())
                .map(b -> saved(BlueprintDocument.withStatus(b, status, clock.instant())));
    }

    private Outcome<Call.Empty> remove(String name) {
        if (!BlueprintName.isValid(name) || blueprints.find(name).isEmpty()) {
            return Outcome.refused(new BlueprintRefusal.BlueprintUnknown(name));
        }
        if (blueprints.isBuiltIn(name)) {
            return Outcome.refused(new BlueprintRefusal.BlueprintBuiltIn(name));
        }
        return changeable(name)
                .map(b -> {
                    blueprints.remove(b.name());
                    return new Call.Empty();
                });
    }

    private Blueprint checked(JsonNode document) {
        int size = Bounds.bytesOf(document.toString());
        if (size > Bounds.BLUEPRINT_BYTES_MAX) {
            throw new Rejected(
                    new RequestRefusal.TooLarge("blueprint", size, Bounds.BLUEPRINT_BYTES_MAX));
        }
        var blueprint = read(document);
        checkSchema("parameters_schema", blueprint.contract().parameters());
        checkSchema("output_schema", blueprint.contract().output());
        resolution
                .unknown(blueprint)
                .ifPresent(refusal -> {
                    throw new Rejected(refusal);
                });
        for (var hook : document.path("hooks").properties()) {
            var agent = hook.getValue().path("agent_name").asString("");
            boolean isKnown = agent.equals(blueprint.name()) || blueprints.find(agent).isPresent();
            if (!isKnown) {
                var field = "hooks.%s.agent_name".formatted(hook.getKey());
                throw Given.bad(field, agent, "the name of an existing agent");
            }
        }
        return blueprint;
    }

    private static Blueprint read(JsonNode document) {
        try {
            BlueprintText.checkSpelling(document);
            return BlueprintText.read(document);
        } catch (Fault e) {
            throw Given.bad(e.field(), e.value(), e.rule());
        }
    }

    private void checkSchema(String field, @Nullable JsonText schema) {
        if (schema == null) return;
        var faults = schemas.faults(schema);
        if (!faults.isEmpty()) throw Given.bad(field, faults.getFirst(), "a usable JSON Schema");
    }
}
