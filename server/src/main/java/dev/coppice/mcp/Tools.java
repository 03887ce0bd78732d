package dev.coppice.mcp;

import dev.coppice.kernel.Cursor.BadCursor;
import dev.coppice.kernel.Outcome;
import dev.coppice.mcp.Messages.ToolResult;
import dev.coppice.operation.Context;
import dev.coppice.operation.Operation;
import dev.coppice.operation.Rejected;
import dev.coppice.operation.Reply;
import dev.coppice.operation.WireSchema;
import dev.coppice.web.Exchange;
import dev.coppice.web.RoleCheck;
import dev.coppice.wire.Call.Trait;
import dev.coppice.wire.Json;
import dev.coppice.wire.Shape;
import dev.coppice.wire.session.SessionBody;
import dev.coppice.wire.session.SessionCalls;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;

/** Lists the tools and calls them. */
final class Tools {
    /** The field that holds an answer that is a list. */
    static final String ITEMS = "items";

    private final Map<String, Tool<?, ?>> byName = new LinkedHashMap<>();
    private final Operation<SessionCalls.Named, SessionBody> find;
    private final RoleCheck roles;

    Tools(List<Tool<?, ?>> all, Operation<SessionCalls.Named, SessionBody> find, RoleCheck roles) {
        for (var tool : all) byName.put(tool.listing().name(), tool);
        this.find = find;
        this.roles = roles;
    }

    List<Messages.ToolView> list() {
        return byName.values().stream().map(Tools::view).toList();
    }

    private static Messages.ToolView view(Tool<?, ?> tool) {
        var listing = tool.listing();
        var call = tool.operation().call();
        boolean reads =
                call.method() == dev.coppice.wire.Method.GET
                        || listing.fixed().containsKey("dry_run");
        boolean destroys = !reads && call.is(Trait.DESTRUCTIVE);
        var hints =
                new Messages.Hints(
                        reads ? true : null,
                        reads ? null : Boolean.valueOf(destroys),
                        destroys ? true : null);
        var output = listing.output();
        return new Messages.ToolView(
                listing.name(),
                listing.title(),
                listing.description(),
                hints,
                output == null ? null : output(output),
                input(tool));
    }

    private static JsonNode input(Tool<?, ?> tool) {
        var offered = Arguments.offered(tool);
        var schema = schema(tool.operation().call().input(), offered::contains);
        schema.put("additionalProperties", false);
        if (!Arguments.isNamed(tool)) return schema;
        var required = Json.object().putArray("required");
        for (var name : schema.path("required")) {
            if (!name.asString().equals(Arguments.SESSION_ID)) required.add(name);
        }
        schema.set("required", required);
        ((ObjectNode) schema.get("properties"))
                .putObject(Arguments.SESSION_NAME)
                .put("type", "string")
                .put("description", "the name of the session, in place of its id");
        return schema;
    }

    private static JsonNode output(Class<?> type) {
        var schema = schema(type, _ -> true);
        if (!"array".equals(Json.text(schema, "type"))) return schema;
        var whole = Json.object().put("type", "object");
        var definitions = schema.remove("$defs");
        whole.putObject("properties").set(ITEMS, schema);
        whole.putArray("required").add(ITEMS);
        if (definitions != null) whole.set("$defs", definitions);
        return whole;
    }

    private static ObjectNode schema(Class<?> type, Predicate<Shape.Part> wanted) {
        var schemas = new WireSchema("#/$defs/");
        var schema = schemas.object(type, wanted);
        if (!schemas.named().isEmpty()) {
            schemas.named().forEach(schema.putObject("$defs")::set);
        }
        return schema;
    }

    /** Calls a tool; with progress if the client asked for it and accepts event streams. */
    Reply call(Exchange x, Call call, UnaryOperator<ToolResult> finish) throws Call.Broken {
        var name = Json.text(call.params(), "name");
        var tool = name == null ? null : byName.get(name);
        if (tool == null) {
            var rule = "there is no tool %s; there are %s".formatted(name, byName.keySet());
            throw new Call.Broken(200, -32602, rule);
        }
        return call(x, call, tool, finish);
    }

    private <I extends Record, O> Reply call(
            Exchange x, Call call, Tool<I, O> tool, UnaryOperator<ToolResult> finish) {
        var result = new Result<>(tool, finish);
        var given = call.params().path("arguments");
        boolean none = given.isMissingNode() || given.isNull();
        try {
            var arguments = Arguments.read(tool, none ? Json.object() : given);
            var accepts = x.header("Accept");
            var token = call.progressToken();
            boolean streams = accepts != null && accepts.contains("text/event-stream");
            if (token == null || !streams) {
                return asked(x.context(Result.ADVICE), tool, arguments).reply(result, call);
            }
            return new Reply.Stream(out ->
                    new Progress(token, tool.result().steps(arguments::text), out)
                            .all(
                                    () -> asked(x.context(Result.ADVICE), tool, arguments),
                                    result,
                                    call));
        } catch (Rejected e) {
            return Reply.ok(call.answer(result.refused(e.refusal())));
        }
    }

    /** Performs the tool's operation; finds the session first if it is given by name. */
    private <I extends Record, O> Asked<O> asked(
            Context context, Tool<I, O> tool, Arguments arguments) {
        try {
            var name = arguments.text(Arguments.SESSION_NAME);
            if (name == null || !Arguments.isNamed(tool))
                return performed(context, tool, arguments);
            return switch (find.action().on(context, new SessionCalls.Named(name))) {
                case Outcome.Refused<SessionBody>(var refusal) -> new Asked.Refused<>(refusal);
                case Outcome.Done<SessionBody>(var body) ->
                        performed(
                                context,
                                tool,
                                arguments.with(Arguments.SESSION_ID, body.session().sessionId()));
            };
        } catch (BadCursor e) {
            return new Asked.Refused<>(Rejected.of(e).refusal());
        } catch (Rejected e) {
            return new Asked.Refused<>(e.refusal());
        }
    }

    private <I extends Record, O> Asked<O> performed(
            Context context, Tool<I, O> tool, Arguments arguments) {
        var operation = tool.operation();
        var forbidden = roles.forbids(context.caller(), operation.call(), operation.need());
        if (forbidden.isPresent()) return new Asked.Refused<>(forbidden.get());
        var done = operation.perform(context, arguments);
        return switch (done.outcome()) {
            case Outcome.Refused<O>(var refusal) -> new Asked.Refused<>(refusal);
            case Outcome.Done<O>(var first) ->
                    operation
                            .waiting()
                            .after(context, done.input(), first)
                            .<Asked<O>>map(Asked.Later::new)
                            .orElseGet(() -> new Asked.Now<>(first));
        };
    }
}
