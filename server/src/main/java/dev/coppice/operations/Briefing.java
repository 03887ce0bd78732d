package dev.coppice.operations;

import dev.coppice.blueprint.Blueprint;
import dev.coppice.blueprint.PlaceholderCheck;
import dev.coppice.blueprints.AllBlueprints;
import dev.coppice.blueprints.BlueprintText;
import dev.coppice.blueprints.Definition;
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
import dev.coppice.schema.JsonSchemas;
import dev.coppice.session.ParentReference;
import dev.coppice.session.Session;
import dev.coppice.session.Sessions;
import dev.coppice.view.Views;
import dev.coppice.wire.Json;
import dev.coppice.word.BlueprintStatus;
import dev.coppice.word.RunType;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

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

    private final AllBlueprints blueprints;
    private final Resolution resolution;
    private final JsonSchemas schemas;
    private final Set<String> environment;
    private final Transactions transactions;
    private final Sessions sessions;
    private final Runs runs;

    public Briefing(
            AllBlueprints blueprints,
            Resolution resolution,
            JsonSchemas schemas,
            Set<String> environment,
            Transactions transactions,
            Sessions sessions,
            Runs runs) {
        this.blueprints = blueprints;
        this.resolution = resolution;
        this.schemas = schemas;
        this.environment = Set.copyOf(environment);
        this.transactions = transactions;
        this.sessions = sessions;
        this.runs = runs;
    }

    record Input(Parsed parameters, Parsed scope, Demands demands, Presence presence) {
        Input with(Parsed others) {
            return new Input(others, scope, demands, presence);
        }
    }

    record Brief(Definition definition, Parsed parameters, Parsed scope, Demands demands) {
        String blueprint() {
            return definition.name();
        }

        Task.Terms terms() {
            return definition.blueprint().terms();
        }

        Brief on(Demands affine) {
            return new Brief(definition, parameters, scope, affine);
        }

        /** The task in the form that is stored. */
        Task task(@Nullable String projectDir, Task.Terms terms) {
            return new Task(
                    blueprint(),
                    definition.text(),
                    parameters.text(),
                    scope.text(),
                    projectDir,
                    terms);
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
        var earlier = earlier(session.id());
        var scope = merged(earlier.map(Task::scope), input.scope());
        var parameters = merged(earlier.map(Task::parameters), input.parameters());
        return active(name)
                .then(Briefing::resumable)
                .then(resolution::described)
                .then(b -> checked(b, input.parameters(), PROMPT_ONLY, input.presence()))
                .then(b -> brief(b, input.with(parameters), scope));
    }

    /** The task of a hook. The parameters of its run are not checked against its schema. */
    Outcome<Brief> forHook(String name, JsonText parameters, JsonText scope) {
        var input =
                new Input(
                        Parsed.read(parameters), Parsed.read(scope), Demands.NONE, Presence.GIVEN);
        return active(name).then(resolution::described).then(b -> brief(b, input, input.scope()));
    }

    /** The parameters of a run with those that its hook returned, or the refusal of them. */
    Outcome<JsonText> fitting(Run run, JsonText given) {
        boolean isResume = run.type() == RunType.RESUME_SESSION;
        var own = Parsed.read(given);
        var merged = isResume ? merged(Optional.of(run.task().parameters()), own) : own;
        var parameters = merged.text();
        int size = Bounds.bytesOf(parameters.value());
        if (size > Bounds.PARAMETERS_BYTES_MAX) {
            return Outcome.refused(
                    new RequestRefusal.TooLarge("parameters", size, Bounds.PARAMETERS_BYTES_MAX));
        }
        var blueprint = BlueprintText.read(Views.json(run.task().definition()));
        var known = known(merged, Parsed.read(run.task().scope()));
        var checked = isResume ? promptOf(merged) : merged;
        var schema = isResume ? PROMPT_ONLY : schema(blueprint);
        return checked(blueprint, checked, schema, Presence.GIVEN)
                .then(b ->
                        PlaceholderCheck.unresolved(b.blueprint(), known)
                                .<Outcome<JsonText>>map(Outcome::refused)
                                .orElse(Outcome.done(parameters)));
    }

    private static Parsed promptOf(Parsed parameters) {
        var only = Json.object();
        only.set("prompt", parameters.tree().get("prompt"));
        return Parsed.of(only);
    }

    /** A script without a schema takes any parameters. */
    private static JsonText schema(Definition definition) {
        var blueprint = definition.blueprint();
        var own = blueprint.contract().parameters();
        if (own != null) return own;
        return blueprint.kind() == Blueprint.Kind.PROCEDURAL ? ANY : PROMPT_ONLY;
    }

    private Outcome<Definition> active(String name) {
        var found = blueprints.find(name);
        if (found.isEmpty()) return Outcome.refused(new BlueprintRefusal.BlueprintUnknown(name));
        return found.get().blueprint().standing() == BlueprintStatus.ACTIVE
                ? Outcome.done(found.get())
                : Outcome.refused(new BlueprintRefusal.BlueprintInactive(name));
    }

    private Outcome<Definition> checked(
            Definition b, Parsed parameters, JsonText schema, Presence presence) {
        // The check against a schema runs on another thread, which costs 0.3 ms.
        if (schema.equals(PROMPT_ONLY) && isPrompt(parameters.tree())) return Outcome.done(b);
        var violations = schemas.violations(schema, parameters.tree());
        return violations.isEmpty()
                ? Outcome.done(b)
                : Outcome.refused(
                        new BlueprintRefusal.ParametersInvalid(
                                BlueprintRefusal.Whose.AGENT,
                                b.name(),
                                violations,
                                schema,
                                presence));
    }

    /** True if the parameters are a prompt and nothing else, which {@link #PROMPT_ONLY} admits. */
    private static boolean isPrompt(JsonNode parameters) {
        var prompt = parameters.get("prompt");
        return parameters.size() == 1
                && prompt != null
                && prompt.isString()
                && !prompt.stringValue().isEmpty();
    }

    private static Outcome<Definition> resumable(Definition b) {
        return b.blueprint().program().isProcedural()
                ? Outcome.refused(new BlueprintRefusal.ProceduralNotResumed(b.name()))
                : Outcome.done(b);
    }

    private Outcome<Brief> brief(Definition described, Input input, Parsed scope) {
        var known = known(input.parameters(), scope);
        return resolution
                .connected(described, text -> PlaceholderCheck.isResolved(text, known))
                .then(b -> brief(b, input, scope, known));
    }

    private static Outcome<Brief> brief(
            Definition definition, Input input, Parsed scope, Set<String> known) {
        var b = definition.blueprint();
        var unresolved = PlaceholderCheck.unresolved(b, known);
        if (unresolved.isPresent()) return Outcome.refused(unresolved.get());
        var type = BlueprintText.executorType(b);
        var byType = new Demands(null, null, null, type, Set.of());
        var demands = b.demands().and(input.demands()).and(byType);
        if (demands.bytes() > Bounds.DEMANDS_BYTES_MAX) {
            return Outcome.refused(
                    new RequestRefusal.TooLarge(
                            "additional_demands (with those of the blueprint)",
                            demands.bytes(),
                            Bounds.DEMANDS_BYTES_MAX));
        }
        return Outcome.done(new Brief(definition, input.parameters(), scope, demands));
    }

    private Set<String> known(Parsed parameters, Parsed scope) {
        var known = new HashSet<String>();
        for (var name : parameters.tree().propertyNames()) known.add("params." + name);
        for (var name : scope.tree().propertyNames()) known.add("scope." + name);
        environment.forEach(name -> known.add("env." + name));
        return known;
    }

    /** A child inherits its parent's scope; its own values win. */
    private Parsed scope(ParentReference parent, Input input) {
        return parent.isMade() ? merged(inherited(parent), input.scope()) : input.scope();
    }

    private Optional<JsonText> inherited(ParentReference claim) {
        return transactions.read(
                () -> claim.in(sessions).flatMap(parent -> earlier(parent.id())).map(Task::scope));
    }

    private Optional<Task> earlier(SessionId session) {
        return transactions.read(() -> runs.latestOf(session).map(Run::task));
    }

    private static Parsed merged(Optional<JsonText> earlier, Parsed over) {
        if (earlier.isEmpty()) return over;
        var under = Parsed.read(earlier.get());
        if (over.tree().isEmpty()) return under;
        var both = (ObjectNode) under.tree().deepCopy();
        both.setAll((ObjectNode) over.tree());
        return Parsed.of(both);
    }
}
