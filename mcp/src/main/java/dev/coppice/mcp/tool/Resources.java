package dev.coppice.mcp.tool;

import dev.coppice.journal.Fact;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.Rejected;
import dev.coppice.mcp.call.BrokenCall;
import dev.coppice.mcp.call.Client;
import dev.coppice.mcp.message.Lists.Completed;
import dev.coppice.mcp.message.Lists.Completion;
import dev.coppice.mcp.message.Lists.ResourceForm;
import dev.coppice.mcp.message.Lists.ResourceList;
import dev.coppice.mcp.message.Lists.ResourceRead;
import dev.coppice.mcp.message.Lists.ResourceText;
import dev.coppice.mcp.message.Lists.ResourceView;
import dev.coppice.request.Context;
import dev.coppice.request.Inputs;
import dev.coppice.request.Operation;
import dev.coppice.web.RoleCheck;
import dev.coppice.wire.Json;
import dev.coppice.wire.event.EventCalls;
import dev.coppice.wire.look.TreeCalls;
import dev.coppice.wire.removal.RemovalCalls;
import dev.coppice.wire.session.SessionCalls;

import tools.jackson.databind.JsonNode;

import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** Resources are sessions and removals by their addresses; an operation reads each. */
public final class Resources {
    private static final String SCHEME = "coppice://";
    private static final String JSON = "application/json";
    private static final int PAGE = 50;

    /** The protocol's limit. */
    private static final int COMPLETIONS_MAX = 100;

    private static final Set<String> COMPLETED = Set.of("session", "session_id");
    private static final Pattern FIELD = Pattern.compile("\\{(\\w+)}");

    /** The resources of an object. Different facts change each of them. */
    public enum Kind {
        SESSION("session"),
        TREE("tree"),
        EVENTS("events"),
        RESULT("result"),
        REMOVAL("removal");

        private final String word;

        Kind(String word) {
            this.word = word;
        }

        /**
         * True if a fact about the object changes the resource. Removals have facts of their own.
         */
        public boolean isChangedBy(Fact fact) {
            return switch (this) {
                case SESSION, TREE -> !(fact instanceof Fact.Reported);
                case EVENTS -> true;
                case RESULT ->
                        fact instanceof Fact.ResultGiven
                                || fact instanceof Fact.RunCompleted
                                || fact instanceof Fact.RunStopped
                                || fact instanceof Fact.RunFailed;
                case REMOVAL -> false;
            };
        }
    }

    /** The session or removal that an address names, and which view of it. */
    public record Target(Kind kind, String id) {}

    private final RoleCheck roles;
    private final List<Form> forms;
    private final Operation<?, ?> sessions;

    public Resources(List<Operation<?, ?>> operations, RoleCheck roles) {
        this.roles = roles;
        this.sessions = OperationTools.operation(operations, SessionCalls.LIST);
        this.forms =
                List.of(
                        form(operations, "sessions/{session_id}", Kind.SESSION, SessionCalls.READ),
                        form(operations, "sessions/{session_id}/tree", Kind.TREE, TreeCalls.TREE),
                        form(
                                operations,
                                "sessions/{session_id}/events",
                                Kind.EVENTS,
                                EventCalls.LIST),
                        form(
                                operations,
                                "sessions/{session_id}/result",
                                Kind.RESULT,
                                SessionCalls.RESULT),
                        form(operations, "removals/{removal_id}", Kind.REMOVAL, RemovalCalls.READ));
    }

    private static Form form(
            List<Operation<?, ?>> operations,
            String path,
            Kind kind,
            dev.coppice.wire.Call<?, ?> call) {
        return new Form(SCHEME + path, kind, OperationTools.operation(operations, call));
    }

    /** An address with a field, and the operation that reads what is there. */
    private record Form(String uri, Kind kind, Operation<?, ?> operation) {
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

    public List<ResourceForm> forms() {
        return forms.stream()
                .map(form ->
                        new ResourceForm(
                                form.uri(),
                                form.kind().word,
                                form.operation().call().says() + ".",
                                JSON))
                .toList();
    }

    /** The sessions that the caller sees, newest first. */
    public ResourceList list(Context context, JsonNode params) throws BrokenCall {
        var asked = new HashMap<String, Object>(Map.of("limit", PAGE));
        if (params.has("cursor")) asked.put("after", params.get("cursor"));
        var page = read(context, sessions, asked);
        return new ResourceList(
                page.get("sessions")
                        .valueStream()
                        .map(session ->
                                new ResourceView(
                                        SCHEME + "sessions/" + session.get("session_id").asString(),
                                        session.get("session_name").asString(),
                                        JSON))
                        .toList(),
                Json.text(page, "next"));
    }

    public JsonNode removal(Context context, String id) throws BrokenCall {
        var form = forms.stream().filter(f -> f.kind() == Kind.REMOVAL).findFirst().orElseThrow();
        return read(context, form.operation(), Map.of(form.field(), id));
    }

    /** Completes the name of a session in a prompt, or finds its id by its name in an address. */
    public Completed complete(Context context, JsonNode params) throws BrokenCall {
        var argument = params.path("argument");
        var name = Json.text(argument, "name");
        if (name == null || !COMPLETED.contains(name)) {
            return new Completed(new Completion(List.of(), false));
        }
        var field = "session".equals(name) ? "session_name" : "session_id";
        var typed = Json.text(argument, "value");
        var asked =
                Map.<String, Object>of(
                        "limit", COMPLETIONS_MAX, "name", typed == null ? "" : typed);
        var page = read(context, sessions, asked);
        var values = page.get("sessions").valueStream().map(s -> s.get(field).asString()).toList();
        return new Completed(new Completion(values, page.hasNonNull("next")));
    }

    /** The target of an address, if its caller can read it. */
    public Target target(Context context, Client client, String uri) throws BrokenCall {
        read(context, client, uri);
        return forms.stream()
                .flatMap(form -> form.in(uri).map(id -> new Target(form.kind(), id)).stream())
                .findFirst()
                .orElseThrow();
    }

    public ResourceRead read(Context context, Client client, String uri) throws BrokenCall {
        for (var form : forms) {
            var value = form.in(uri);
            if (value.isEmpty()) continue;
            JsonNode found;
            try {
                found = read(context, form.operation(), Map.of(form.field(), value.get()));
            } catch (BrokenCall e) {
                throw missing(client, uri, String.valueOf(e.getMessage()));
            }
            return new ResourceRead(List.of(new ResourceText(uri, JSON, Json.write(found))));
        }
        var known = forms.stream().map(Form::uri).toList();
        throw missing(client, uri, "an address is one of " + known);
    }

    private static BrokenCall missing(Client client, String uri, String why) {
        int code = client.isStateless() ? -32602 : -32002;
        return new BrokenCall(
                200, code, "cannot read %s: %s".formatted(uri, why), Map.of("uri", uri));
    }

    private <I extends Record, O> JsonNode read(
            Context context, Operation<I, O> operation, Map<String, Object> asked)
            throws BrokenCall {
        var forbidden = roles.forbids(context.caller(), operation.call(), operation.need());
        if (forbidden.isPresent()) throw refused(forbidden.get());
        Inputs.Source source =
                part -> asked.containsKey(part.name()) ? Json.tree(asked.get(part.name())) : null;
        try {
            return switch (operation.perform(context, source).outcome()) {
                case Outcome.Refused<O>(var refusal) -> throw refused(refusal);
                case Outcome.Done<O>(var answer) -> Json.tree(answer);
            };
        } catch (Rejected e) {
            throw refused(e.refusal());
        }
    }

    private static BrokenCall refused(Refusal refusal) {
        return new BrokenCall(200, -32602, refusal.said());
    }
}
