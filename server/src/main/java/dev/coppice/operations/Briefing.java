package dev.coppice.operations;

import dev.coppice.blueprint.Blueprint;
import dev.coppice.blueprint.Blueprints;
import dev.coppice.blueprint.PlaceholderCheck;
import dev.coppice.blueprint.Schemas;
import dev.coppice.blueprints.BlueprintText;
import dev.coppice.blueprints.Resolution;
import dev.coppice.kernel.BlueprintRefusal;
import dev.coppice.kernel.BlueprintRefusal.Presence;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Demands;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Transactions;
import dev.coppice.run.Run;
import dev.coppice.run.Runs;
import dev.coppice.run.Task;
import dev.coppice.session.ParentReference;
import dev.coppice.session.Session;
import dev.coppice.session.Sessions;
import dev.coppice.view.Views;
import dev.coppice.wire.Json;
import dev.coppice.word.BlueprintStatus;
import dev.coppice.word.RunType;

import tools.jackson.databind.node.ObjectNode;

import java.util.HashSet;
import java.util.Set;
import java.util.function.Function;
import java.util.stream.Collectors;

/**
 * Assembles the task of a run before anything is stored: the current blueprint, the parameters
 * checked against its schema, the scope merged with the parent's, and the combined demands. Every
 * placeholder must have a value.
 */
public final class Briefing {
    /** The schema of blueprints without one, and of resumes: a prompt and nothing else. */
    private static final JsonText PROMPT_ONLY =
            new JsonText(
                    """
                    {"type":"object","properties":{"prompt":{"type":"string","minLength":1}},\
                    "required":["prompt"],"additionalProperties":false}\
                    """);

    private static final JsonText ANY = new JsonText("{\"type\":\"object\"}");

    private final Blueprints blueprints;
    private final Resolution resolution;
    private final Schemas schemas;
    private final Set<String> environment;
    private final Past past;

    /** The earlier runs, whose scope and parameters are passed on. */
    public record Past(Transactions transactions, Sessions sessions, Runs runs) {}

    public Briefing(
            Blueprints blueprints,
            Resolution resolution,
            Schemas schemas,
            Set<String> environment,
            Past past) {
        this.blueprints = blueprints;
        this.resolution = resolution;
        this.schemas = schemas;
        this.environment = Set.copyOf(environment);
        this.past = past;
    }

    record Input(JsonText parameters, JsonText scope, Demands demands, Presence presence) {
        Input with(JsonText others) {
            return new Input(others, scope, demands, presence);
        }
    }

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

    Outcome<Brief> forStart(String name, Input input, ParentReference parent) {
        return active(name)
                .then(resolution::described)
                .then(b -> checked(b, input.parameters(), schema(b), input.presence()))
                .then(b -> brief(b, input, scope(parent, input)));
    }

    /** Keeps the earlier parameters and scope for placeholders; a resume sends only a prompt. */
    Outcome<Brief> forResume(Session session, String name, Input input) {
        var scope = merged(earlier(session.id(), Task::scope), input.scope());
        var parameters = merged(earlier(session.id(), Task::parameters), input.parameters());
        return active(name)
                .then(Briefing::resumable)
                .then(resolution::described)
                .then(b -> checked(b, input.parameters(), PROMPT_ONLY, input.presence()))
                .then(b -> brief(b, input.with(parameters), scope));
    }

    /** The task of a hook: it gets what the run has, and need not have asked for it. */
    Outcome<Brief> forHook(String name, JsonText parameters, JsonText scope) {
        var input = new Input(parameters, scope, Demands.NONE, Presence.GIVEN);
        return active(name).then(resolution::described).then(b -> brief(b, input, scope));
    }

    /** The parameters of a run after its hook has given it these, or why it cannot have them. */
    Outcome<JsonText> fitting(Run run, JsonText given) {
        boolean isResume = run.type() == RunType.RESUME_SESSION;
        var parameters = isResume ? merged(run.task().parameters(), given) : given;
        int size = Bounds.bytesOf(parameters.value());
        if (size > Bounds.PARAMETERS_BYTES_MAX) {
            return Outcome.refused(
                    new RequestRefusal.TooLarge("parameters", size, Bounds.PARAMETERS_BYTES_MAX));
        }
        var blueprint = BlueprintText.read(Views.json(run.task().definition()));
        var known = known(parameters, run.task().scope());
        var checked = isResume ? promptOf(parameters) : parameters;
        var schema = isResume ? PROMPT_ONLY : schema(blueprint);
        return checked(blueprint, checked, schema, Presence.GIVEN)
                .then(b ->
                        PlaceholderCheck.unresolved(b, known)
                                .<Outcome<JsonText>>map(Outcome::refused)
                                .orElse(Outcome.done(parameters)));
    }

    private static JsonText promptOf(JsonText parameters) {
        var only = Json.object();
        only.set("prompt", Json.read(parameters.value()).path("prompt"));
        return new JsonText(only.toString());
    }

    /** A script without a schema takes any parameters. */
    private static JsonText schema(Blueprint blueprint) {
        var own = blueprint.contract().parameters();
        if (own != null) return own;
        return blueprint.kind() == Blueprint.Kind.PROCEDURAL ? ANY : PROMPT_ONLY;
    }

    private Outcome<Blueprint> active(String name) {
        var found = blueprints.find(name);
        if (found.isEmpty()) return Outcome.refused(new BlueprintRefusal.BlueprintUnknown(name));
        return found.get().standing() == BlueprintStatus.ACTIVE
                ? Outcome.done(found.get())
                : Outcome.refused(new BlueprintRefusal.BlueprintInactive(name));
    }

    private Outcome<Blueprint> checked(
            Blueprint b, JsonText parameters, JsonText schema, Presence presence) {
        // The check against a schema runs on another thread, which costs 0.3 ms.
        if (schema.equals(PROMPT_ONLY) && isPrompt(parameters)) return Outcome.done(b);
        var violations = schemas.violations(schema, parameters);
        return violations.isEmpty()
                ? Outcome.done(b)
                : Outcome.refused(
                        new BlueprintRefusal.ParametersInvalid(
                                b.name(), violations, schema, presence));
    }

    /** True if the parameters are a prompt and nothing else, which {@link #PROMPT_ONLY} admits. */
    private static boolean isPrompt(JsonText parameters) {
        var read = Json.read(parameters.value());
        var prompt = read.get("prompt");
        return read.size() == 1
                && prompt != null
                && prompt.isString()
                && !prompt.stringValue().isEmpty();
    }

    private static Outcome<Blueprint> resumable(Blueprint b) {
        return BlueprintText.isProcedural(Views.json(b.definition()))
                ? Outcome.refused(new BlueprintRefusal.ProceduralNotResumed(b.name()))
                : Outcome.done(b);
    }

    private Outcome<Brief> brief(Blueprint described, Input input, JsonText scope) {
        var known = known(input.parameters(), scope);
        return resolution
                .connected(described, text -> PlaceholderCheck.isResolved(text, known))
                .then(b -> brief(b, input, scope, known));
    }

    private static Outcome<Brief> brief(
            Blueprint b, Input input, JsonText scope, Set<String> known) {
        var unresolved = PlaceholderCheck.unresolved(b, known);
        if (unresolved.isPresent()) return Outcome.refused(unresolved.get());
        var type = BlueprintText.executorType(Views.json(b.definition()));
        var byType = new Demands(null, null, null, type, Set.of());
        var demands = b.demands().and(input.demands()).and(byType);
        if (demands.bytes() > Bounds.DEMANDS_BYTES_MAX) {
            return Outcome.refused(
                    new RequestRefusal.TooLarge(
                            "additional_demands (with those of the blueprint)",
                            demands.bytes(),
                            Bounds.DEMANDS_BYTES_MAX));
        }
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

    /** A child inherits its parent's scope; its own values win. */
    private JsonText scope(ParentReference parent, Input input) {
        return parent.isMade() ? merged(inherited(parent), input.scope()) : input.scope();
    }

    private JsonText inherited(ParentReference claim) {
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
