package dev.coppice.operations;

import dev.coppice.agent.Blueprint;
import dev.coppice.agent.Blueprints;
import dev.coppice.agent.PlaceholderCheck;
import dev.coppice.agent.Schemas;
import dev.coppice.kernel.BlueprintRefusal;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Transactions;
import dev.coppice.run.Demands;
import dev.coppice.run.Runs;
import dev.coppice.run.Task;
import dev.coppice.session.ParentClaim;
import dev.coppice.session.Session;
import dev.coppice.session.Sessions;
import dev.coppice.wire.Json;

import tools.jackson.databind.node.ObjectNode;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Puts together what a run is to do, before anything is written: the blueprint as it is now, the
 * parameters held against its schema, the scope inherited from the parent, the demands added up,
 * and every placeholder known to have a value.
 */
public final class Briefing {
    /** What a blueprint without a schema takes, and every resume: a prompt and nothing else. */
    private static final JsonText PROMPT_ONLY =
            new JsonText(
                    """
                    {"type":"object","properties":{"prompt":{"type":"string","minLength":1}},\
                    "required":["prompt"],"additionalProperties":false}\
                    """);

    private final Blueprints blueprints;
    private final Schemas schemas;
    private final Set<String> environment;
    private final Past past;

    /** Where earlier runs are found, whose scope is passed on. */
    public record Past(Transactions transactions, Sessions sessions, Runs runs) {}

    public Briefing(Blueprints blueprints, Schemas schemas, Set<String> environment, Past past) {
        this.blueprints = blueprints;
        this.schemas = schemas;
        this.environment = Set.copyOf(environment);
        this.past = past;
    }

    record Input(JsonText parameters, JsonText scope, Demands demands) {}

    record Brief(
            String blueprint,
            JsonText definition,
            JsonText parameters,
            JsonText scope,
            Demands demands) {
        Brief on(Demands affine) {
            return new Brief(blueprint, definition, parameters, scope, affine);
        }
    }

    Outcome<Brief> forStart(String name, Input input, ParentClaim parent) {
        return active(name)
                .then(b -> {
                    var schema = b.contract().parameters();
                    return checked(b, input.parameters(), schema == null ? PROMPT_ONLY : schema);
                })
                .then(b -> brief(b, input, scope(parent, input)));
    }

    /**
     * What the session was started with is still known to its blueprint; only the prompt is new.
     */
    Outcome<Brief> forResume(Session session, String name, Input input) {
        var scope = merged(earlier(session.id(), Task::scope), input.scope());
        var parameters = merged(earlier(session.id(), Task::parameters), input.parameters());
        return active(name)
                .then(b -> checked(b, input.parameters(), PROMPT_ONLY))
                .then(b -> brief(b, new Input(parameters, input.scope(), input.demands()), scope));
    }

    private Outcome<Blueprint> active(String name) {
        var found = blueprints.find(name);
        if (found.isEmpty()) return Outcome.refused(new BlueprintRefusal.BlueprintUnknown(name));
        return found.get().standing() == Blueprint.Standing.ACTIVE
                ? Outcome.done(found.get())
                : Outcome.refused(new BlueprintRefusal.BlueprintInactive(name));
    }

    private Outcome<Blueprint> checked(Blueprint b, JsonText parameters, JsonText schema) {
        var violations = schemas.violations(schema, parameters);
        return violations.isEmpty()
                ? Outcome.done(b)
                : Outcome.refused(
                        new BlueprintRefusal.ParametersInvalid(b.name(), violations, schema));
    }

    private Outcome<Brief> brief(Blueprint b, Input input, JsonText scope) {
        var unresolved = PlaceholderCheck.unresolved(b, known(input.parameters(), scope));
        if (unresolved.isPresent()) return Outcome.refused(unresolved.get());
        var demands = b.demands().and(input.demands());
        return Outcome.done(
                new Brief(b.name(), b.definition(), input.parameters(), scope, demands));
    }

    private Set<String> known(JsonText parameters, JsonText scope) {
        var known = new HashSet<String>();
        names(parameters).forEach(name -> known.add("params." + name));
        names(scope).forEach(name -> known.add("scope." + name));
        environment.forEach(name -> known.add("env." + name));
        return known;
    }

    private static Set<String> names(JsonText object) {
        return Json.read(object.value()).properties().stream()
                .map(java.util.Map.Entry::getKey)
                .collect(Collectors.toUnmodifiableSet());
    }

    /** A child sees its parent's scope; what it is given itself goes first. */
    private JsonText scope(ParentClaim parent, Input input) {
        return parent.isMade() ? merged(inherited(parent), input.scope()) : input.scope();
    }

    private JsonText inherited(ParentClaim claim) {
        return past.transactions()
                .read(() ->
                        claim.in(past.sessions())
                                .map(parent -> earlier(parent.id(), Task::scope))
                                .orElse(JsonText.EMPTY_OBJECT));
    }

    private JsonText earlier(SessionId session, Function<Task, JsonText> part) {
        return past.transactions()
                .read(() ->
                        past.runs()
                                .latestOf(session)
                                .map(run -> part.apply(run.task()))
                                .orElse(JsonText.EMPTY_OBJECT));
    }

    private static JsonText merged(JsonText under, JsonText over) {
        var both = (ObjectNode) Json.read(under.value());
        both.setAll((ObjectNode) Json.read(over.value()));
        return new JsonText(both.toString());
    }
}
