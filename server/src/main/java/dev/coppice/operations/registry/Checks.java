package dev.coppice.operations.registry;

import dev.coppice.blueprints.BlueprintText;
import dev.coppice.blueprints.Definition;
import dev.coppice.blueprints.RunHook;
import dev.coppice.blueprints.Script;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.operations.Given;
import dev.coppice.registry.Fault;
import dev.coppice.schema.JsonSchemas;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.Optional;
import java.util.function.Predicate;

/** The checks of documents that come from callers, one by one or in an archive. */
final class Checks {
    private final JsonSchemas schemas;

    Checks(JsonSchemas schemas) {
        this.schemas = schemas;
    }

    /** The blueprint of a document; its references are not checked. */
    Definition blueprint(JsonNode document) {
        int size = Bounds.bytesOf(document.toString());
        if (size > Bounds.BLUEPRINT_BYTES_MAX) {
            throw new Rejected(
                    new RequestRefusal.TooLarge("blueprint", size, Bounds.BLUEPRINT_BYTES_MAX));
        }
        BlueprintText.checkSpelling(document);
        var read = BlueprintText.read(document);
        var contract = read.blueprint().contract();
        checkSchema("parameters_schema", contract.parameters());
        checkSchema("output_schema", contract.output());
        return read;
    }

    private void checkSchema(String field, @Nullable JsonText schema) {
        if (schema == null) return;
        var faults = schemas.faults(schema);
        if (!faults.isEmpty()) throw new Fault(field, faults.getFirst(), "a usable JSON Schema");
    }

    /** Refuses a hook whose blueprint is unknown. */
    static void hooks(Definition blueprint, Predicate<String> isKnown) {
        for (var hook : RunHook.all(blueprint.copy())) {
            if (!hook.agent().equals(blueprint.name()) && !isKnown.test(hook.agent())) {
                throw Given.bad(hook.place(), hook.agent(), "the name of an existing agent");
            }
        }
    }

    Optional<Refusal> unusable(Script script) {
        var schema = script.parameters();
        if (schema == null) return Optional.empty();
        var faults = schemas.faults(new JsonText(schema.toString()));
        return faults.isEmpty()
                ? Optional.empty()
                : Optional.of(
                        new RequestRefusal.BadValue(
                                "parameters_schema", faults.getFirst(), "a usable JSON Schema"));
    }
}
