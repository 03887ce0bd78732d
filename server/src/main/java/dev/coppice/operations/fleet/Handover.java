package dev.coppice.operations.fleet;

import dev.coppice.access.Tokens;
import dev.coppice.blueprint.PlaceholderCheck;
import dev.coppice.blueprint.Placeholders;
import dev.coppice.fleet.ClaimRun;
import dev.coppice.run.RunWord;
import dev.coppice.run.Task;
import dev.coppice.session.Limits.Kind;
import dev.coppice.view.Views;
import dev.coppice.view.Words;
import dev.coppice.wire.Json;
import dev.coppice.wire.fleet.ClaimedRun;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;

/**
 * Makes the message that hands a claimed run to its runner: the blueprint with its placeholders
 * resolved, and a token for the session's own subtree. Values from the environment leave the
 * coordinator only here; the store has only their names.
 */
public final class Handover {
    private static final String[] RESOLVED = {
        "command", "env", "system_prompt", "script", "mcp_servers"
    };
    private final Tokens tokens;
    private final Map<String, String> environment;
    private final Duration lease;

    public Handover(Tokens tokens, Map<String, String> environment, Duration lease) {
        this.tokens = tokens;
        this.environment = Map.copyOf(environment);
        this.lease = lease;
    }

    int leaseSeconds() {
        return (int) lease.toSeconds();
    }

    ClaimedRun claimed(ClaimRun.Claim claim) {
        var run = claim.run();
        var session = claim.session();
        var parent = session.place().parent();
        var parameters = Views.json(run.task().parameters());
        var scope = Views.json(run.task().scope());
        return new ClaimedRun(
                run.id().value(),
                session.id().value(),
                session.name(),
                Views.word(run.type()),
                run.task().blueprint(),
                parameters,
                run.task().projectDir(),
                parent == null ? null : parent.id().value(),
                parent == null ? null : parent.name(),
                Views.word(run.mode()),
                Words.ofRun(RunWord.of(run.state())),
                scope,
                resolved(run.task(), name -> value(name, claim, parameters, scope)),
                claim.lease().holder().fence(),
                leaseSeconds(),
                tokens.issue(session.id(), session.times().created()),
                new ClaimedRun.Share(
                        claim.limits().of(Kind.OUTPUT_BYTES),
                        claim.limits().of(Kind.PROCESSES),
                        claim.limits().of(Kind.MEMORY_BYTES)));
    }

    private static JsonNode resolved(Task task, Function<String, Optional<String>> values) {
        var document = (ObjectNode) Views.json(task.definition());
        for (var field : RESOLVED) {
            var node = document.get(field);
            if (node != null) document.set(field, resolved(node, values));
        }
        return document;
    }

    private static JsonNode resolved(JsonNode node, Function<String, Optional<String>> values) {
        return switch (node) {
            case ArrayNode list -> {
                var filled = Json.object().putArray("filled");
                for (var item : list) filled.add(resolved(item, values));
                yield filled;
            }
            case ObjectNode object -> {
                var filled = Json.object();
                object.properties()
                        .forEach(f -> filled.set(f.getKey(), resolved(f.getValue(), values)));
                yield filled;
            }
            default ->
                    node.isString()
                            ? Json.tree(Placeholders.resolved(node.asString(), values))
                            : node;
        };
    }

    private Optional<String> value(
            String name, ClaimRun.Claim claim, JsonNode parameters, JsonNode scope) {
        var session = claim.session();
        return switch (name) {
            case "AGENT_SESSION_NAME", "runtime.session_name" -> Optional.of(session.name());
            case "AGENT_SESSION_ID", "runtime.session_id" -> Optional.of(session.id().value());
            case "runtime.run_id" -> Optional.of(claim.run().id().value());
            default ->
                    name.startsWith(PlaceholderCheck.OF_RUNNER)
                            ? Optional.of(ClaimedRun.marked(name, claim.run().id().value()))
                            : given(name, parameters, scope);
        };
    }

    private Optional<String> given(String name, JsonNode parameters, JsonNode scope) {
        int dot = name.indexOf('.');
        if (dot < 0) return Optional.empty();
        var key = name.substring(dot + 1);
        return switch (name.substring(0, dot)) {
            case "params" -> field(parameters, key);
            case "scope" -> field(scope, key);
            case "env" -> Optional.ofNullable(environment.get(key));
            default -> Optional.empty();
        };
    }

    private static Optional<String> field(JsonNode object, String key) {
        @Nullable JsonNode value = object.get(key);
        if (value == null) return Optional.empty();
        return Optional.of(value.isString() ? value.asString() : value.toString());
    }
}
