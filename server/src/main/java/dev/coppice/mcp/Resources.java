package dev.coppice.mcp;

import dev.coppice.kernel.Cursor.BadCursor;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Refusal;
import dev.coppice.operation.Context;
import dev.coppice.operation.Inputs;
import dev.coppice.operation.Operation;
import dev.coppice.operation.Rejected;
import dev.coppice.web.RoleCheck;
import dev.coppice.wire.Json;
import dev.coppice.wire.removal.RemovalCalls;
import dev.coppice.wire.session.EventCalls;
import dev.coppice.wire.session.SessionCalls;
import dev.coppice.wire.session.TreeCalls;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** What can be read of sessions and removals by an address, each with an operation. */
final class Resources {
    private static final String SCHEME = "coppice://";
    private static final String JSON = "application/json";
    private static final int PAGE = 50;

    /** The protocol's limit. */
    private static final int COMPLETIONS_MAX = 100;

    private static final Set<String> COMPLETED = Set.of("session", "session_id");
    private static final Pattern FIELD = Pattern.compile("\\{(\\w+)}");

    private final RoleCheck roles;
    private final List<Template> templates;
    private final Operation<?, ?> sessions;

    Resources(List<Operation<?, ?>> operations, RoleCheck roles) {
        this.roles = roles;
        this.sessions = OperationTools.operation(operations, SessionCalls.LIST);
        this.templates =
                List.of(
                        template(operations, "sessions/{session_id}", "session", SessionCalls.READ),
                        template(operations, "sessions/{session_id}/tree", "tree", TreeCalls.TREE),
                        template(
                                operations,
                                "sessions/{session_id}/events",
                                "events",
                                EventCalls.LIST),
                        template(
                                operations,
                                "sessions/{session_id}/result",
                                "result",
                                SessionCalls.RESULT),
                        template(
                                operations, "removals/{removal_id}", "removal", RemovalCalls.READ));
    }

    private static Template template(
            List<Operation<?, ?>> operations,
            String path,
            String name,
            dev.coppice.wire.Call<?, ?> call) {
        return new Template(SCHEME + path, name, OperationTools.operation(operations, call));
    }

    /** An address with a field, and the operation that reads what is there. */
    private record Template(String uri, String name, Operation<?, ?> operation) {
        /** The value of the field in an address of this form. */
        Optional<String> in(String address) {
            var form = FIELD.matcher(uri).replaceAll("([^/]+)");
            var found = Pattern.compile(form).matcher(address);
            return found.matches() ? Optional.of(found.group(1)) : Optional.empty();
        }

        String field() {
            var field = FIELD.matcher(uri);
            if (!field.find()) throw new IllegalStateException(uri);
            return field.group(1);
        }
    }

    ObjectNode templates() {
        var all = Json.object();
        var list = all.putArray("resourceTemplates");
        for (var template : templates) {
            list.addObject()
                    .put("uriTemplate", template.uri())
                    .put("name", template.name())
                    .put("description", template.operation().call().says() + ".")
                    .put("mimeType", JSON);
        }
        return all;
    }

    /** The sessions that the caller sees, newest first. */
    ObjectNode list(Context context, JsonNode params) throws Call.Broken {
        var cursor = params.get("cursor");
        var asked = Json.object().put("limit", PAGE);
        if (cursor != null) asked.set("after", cursor);
        var page = read(context, sessions, asked);
        var all = Json.object();
        var list = all.putArray("resources");
        for (var session : page.get("sessions")) {
            list.addObject()
                    .put("uri", SCHEME + "sessions/" + session.get("session_id").asString())
                    .put("name", session.get("session_name").asString())
                    .put("mimeType", JSON);
        }
        var next = page.get("next");
        if (next != null && !next.isNull()) all.set("nextCursor", next);
        return all;
    }

    /** Completes the name of a session in a prompt, or finds its id by its name in an address. */
    ObjectNode complete(Context context, JsonNode params) throws Call.Broken {
        var argument = params.path("argument");
        var name = Json.text(argument, "name");
        var field = "session".equals(name) ? "session_name" : "session_id";
        var values = Json.object().putArray("values");
        boolean isMore = false;
        if (name != null && COMPLETED.contains(name)) {
            var asked = Json.object().put("limit", COMPLETIONS_MAX);
            asked.put("name", Json.text(argument, "value"));
            var page = read(context, sessions, asked);
            page.get("sessions").forEach(session -> values.add(session.get(field)));
            isMore = page.hasNonNull("next");
        }
        var result = Json.object();
        result.putObject("completion").put("hasMore", isMore).set("values", values);
        return result;
    }

    ObjectNode read(Context context, Call call) throws Call.Broken {
        var uri = String.valueOf(Json.text(call.params(), "uri"));
        for (var template : templates) {
            var value = template.in(uri);
            if (value.isEmpty()) continue;
            var asked = Json.object().put(template.field(), value.get());
            JsonNode found;
            try {
                found = read(context, template.operation(), asked);
            } catch (Call.Broken e) {
                throw missing(call, uri, String.valueOf(e.getMessage()));
            }
            var result = Json.object();
            result.putArray("contents")
                    .addObject()
                    .put("uri", uri)
                    .put("mimeType", JSON)
                    .put("text", Json.write(found));
            return result;
        }
        var forms = templates.stream().map(Template::uri).toList();
        throw missing(call, uri, "an address is one of " + forms);
    }

    private static Call.Broken missing(Call call, String uri, String why) {
        int code = call.era() == Call.Era.STATELESS ? -32602 : -32002;
        return new Call.Broken(
                200, code, "cannot read %s: %s".formatted(uri, why), Map.of("uri", uri));
    }

    private <I extends Record, O> JsonNode read(
            Context context, Operation<I, O> operation, JsonNode asked) throws Call.Broken {
        var forbidden = roles.forbids(context.caller(), operation.call(), operation.need());
        if (forbidden.isPresent()) throw refused(forbidden.get());
        Inputs.Source source = part -> asked.get(part.name());
        try {
            return switch (operation.perform(context, source).outcome()) {
                case Outcome.Refused<O>(var refusal) -> throw refused(refusal);
                case Outcome.Done<O>(var answer) -> Json.tree(answer);
            };
        } catch (BadCursor e) {
            throw refused(Rejected.of(e).refusal());
        } catch (Rejected e) {
            throw refused(e.refusal());
        }
    }

    private static Call.Broken refused(Refusal refusal) {
        return new Call.Broken(200, -32602, refusal.said());
    }
}
