package dev.coppice.mcp.tool;

import dev.coppice.access.Access;
import dev.coppice.access.Caller;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.mcp.call.BrokenCall;
import dev.coppice.mcp.call.Call;
import dev.coppice.mcp.call.Cancelled;
import dev.coppice.mcp.call.Channel;
import dev.coppice.mcp.call.Channel.Action;
import dev.coppice.mcp.call.Unanswered;
import dev.coppice.mcp.message.Lists.Hints;
import dev.coppice.mcp.message.Lists.ToolResult;
import dev.coppice.mcp.message.Lists.ToolView;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.request.WireSchema;
import dev.coppice.request.Wording;
import dev.coppice.web.Exchange;
import dev.coppice.web.RoleCheck;
import dev.coppice.wire.Call.Trait;
import dev.coppice.wire.Json;
import dev.coppice.wire.Shape;
import dev.coppice.wire.session.SessionBody;
import dev.coppice.wire.session.SessionCalls;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Lists the tools and calls them. */
public final class Tools {
    private static final String WAIT = "wait";
    private static final String LONGEST = "1h";

    private final Map<String, Tool<?, ?>> byName = new LinkedHashMap<>();
    private final Operation<SessionCalls.Named, SessionBody> find;
    private final RoleCheck roles;

    public Tools(
            List<Tool<?, ?>> all,
            Operation<SessionCalls.Named, SessionBody> find,
            RoleCheck roles) {
        for (var tool : all) byName.put(tool.listing().name(), tool);
        this.find = find;
        this.roles = roles;
    }

    /** The tools that the caller's role may use. */
    public List<ToolView> list(Caller caller) {
        return byName.values().stream()
                .filter(tool -> Access.may(caller, tool.operation().need()))
                .map(Tools::view)
                .toList();
    }

    private static ToolView view(Tool<?, ?> tool) {
        var listing = tool.listing();
        var call = tool.operation().call();
        boolean reads =
                call.method() == dev.coppice.wire.Method.GET
                        || listing.fixed().containsKey("dry_run");
        boolean destroys = !reads && call.is(Trait.DESTRUCTIVE);
        var hints =
                new Hints(
                        reads ? true : null,
                        reads ? null : Boolean.valueOf(destroys),
                        destroys ? true : null);
        var output = listing.output();
        return new ToolView(
                listing.name(),
                listing.title(),
                listing.description(),
                hints,
                output == null ? null : output(output, tool.result().others()),
                input(tool));
    }

    private static JsonNode input(Tool<?, ?> tool) {
        var offered = tool.offered();
        var schema =
                schema(
                        tool.operation().call().input(),
                        offered::contains,
                        WireSchema.Optionals.ABSENT);
        schema.put("additionalProperties", false);
        var listing = tool.listing();
        boolean isNamed = tool.isNamed();
        var properties = Json.object();
        for (var field : schema.path("properties").properties()) {
            properties.set(listing.shown(field.getKey()), field.getValue());
        }
        var required = Json.object().putArray("required");
        for (var field : schema.path("required")) {
            // Programs that offer tools to a model reject 'anyOf' at the top of a schema.
            boolean isReplaced =
                    isNamed && !listing.isById() && field.asString().equals(Arguments.SESSION_ID);
            if (!isReplaced) required.add(listing.shown(field.asString()));
        }
        if (isNamed) {
            properties
                    .putObject(listing.shown(Arguments.SESSION_NAME))
                    .put("type", "string")
                    .put("description", "the name of the session; may be sent in place of its id");
        }
        schema.set("properties", properties);
        schema.set("required", required);
        return schema;
    }

    private static JsonNode output(Class<?> type, List<Class<?>> others) {
        var forms = new ArrayList<Class<?>>(others);
        if (type.isSealed()) forms.addAll(List.of(type.getPermittedSubclasses()));
        else forms.addFirst(type);
        if (forms.size() > 1) return anyOf(forms);
        var schema = schema(type, _ -> true, WireSchema.Optionals.BRANCHES);
        if (!"array".equals(Json.text(schema, "type"))) return schema;
        var whole = Json.object().put("type", "object");
        var definitions = schema.remove("$defs");
        whole.putObject("properties").set(Tool.Answer.ITEMS, schema);
        whole.putArray("required").add(Tool.Answer.ITEMS);
        if (definitions != null) whole.set("$defs", definitions);
        return whole;
    }

    /** An answer that has one of several forms. */
    private static JsonNode anyOf(List<Class<?>> forms) {
        var schemas = new WireSchema("#/$defs/", WireSchema.Optionals.BRANCHES);
        var schema = Json.object().put("type", "object");
        var options = schema.putArray("anyOf");
        for (var form : forms) options.add(schemas.reference(form));
        schemas.named().forEach(schema.putObject("$defs")::set);
        return schema;
    }

    private static ObjectNode schema(
            Class<?> type, Predicate<Shape.Part> wanted, WireSchema.Optionals optional) {
        var schemas = new WireSchema("#/$defs/", optional);
        var schema = schemas.object(type, wanted);
        if (!schemas.named().isEmpty()) {
            schemas.named().forEach(schema.putObject("$defs")::set);
        }
        return schema;
    }

    /** Finds the tool that a request calls. The caller's role must be allowed to use it. */
    public Action action(Exchange x, Call call) throws BrokenCall {
        var name = Json.text(call.params(), "name");
        var tool = name == null ? null : byName.get(name);
        if (tool == null) {
            var rule = "there is no tool %s; there are %s".formatted(name, byName.keySet());
            throw new BrokenCall(200, -32602, rule);
        }
        return action(x, call, tool);
    }

    /** True if the call only reads, and does not wait. */
    public boolean isRead(Call call) {
        var tool = byName.get(String.valueOf(Json.text(call.params(), "name")));
        return tool != null
                && tool.operation().call().method() == dev.coppice.wire.Method.GET
                && !call.params().path("arguments").has(WAIT);
    }

    private <I extends Record, O> Action action(Exchange x, Call call, Tool<I, O> tool)
            throws BrokenCall {
        var operation = tool.operation();
        var forbidden = roles.forbids(x.caller(), operation.call(), operation.need());
        if (forbidden.isPresent()) {
            var refusal = forbidden.get();
            boolean isForced = call.params().path("arguments").path("force").asBoolean(false);
            var missing = Scope.missing(x.caller(), operation.call(), isForced);
            if (missing.isEmpty()) return _ -> new Result<>(tool).refused(refusal);
            throw Scope.challenge(x, missing, refusal.said());
        }
        var given = call.params().path("arguments");
        boolean none = given.isMissingNode() || given.isNull();
        return channel -> {
            var context = x.context(Wording.MCP);
            var result = new Result<>(tool);
            try {
                var read = tool.read(none ? Json.object() : given);
                var arguments = CallerHeaders.added(x, tool, read);
                return result(context, tool, arguments, channel);
            } catch (Rejected e) {
                return refused(context, tool, e.refusal());
            } catch (Json.Unreadable e) {
                var why = String.valueOf(e.getMessage());
                return result.refused(new RequestRefusal.BadValue("arguments", why, "readable"));
            } catch (Tool.Declined e) {
                return result.declined(String.valueOf(e.getMessage()));
            }
        };
    }

    private <I extends Record, O> ToolResult result(
            Context context, Tool<I, O> tool, Arguments given, Channel channel)
            throws BrokenCall, Unanswered, Cancelled, Tool.Declined, InterruptedException {
        var operation = tool.operation();
        var result = new Result<>(tool);
        var arguments = tool.manner().confirmed(context, identified(context, tool, given), channel);
        if (channel.isCancelled()) throw new Cancelled();
        var steps = tool.result().steps(arguments::text);
        // A client polls a task for its result, so no connection waits.
        boolean isPatient = arguments.text(WAIT) != null && channel.client().hasTasks();
        var done =
                operation.perform(context, isPatient ? arguments.with(WAIT, LONGEST) : arguments);
        return switch (done.outcome()) {
            case Outcome.Refused<O>(var refusal) -> refused(context, tool, refusal);
            case Outcome.Done<O>(var first) -> {
                var wait = operation.waiting().after(context, done.input(), first);
                yield wait.isEmpty()
                        ? result.of(result.answer(first))
                        : new Progress<>(tool, steps, context, channel).until(wait.get(), first);
            }
        };
    }

    private static <O> ToolResult refused(Context context, Tool<?, O> tool, Refusal refusal) {
        var over = tool.manner().over(context, refusal);
        return over == null ? new Result<>(tool).refused(refusal) : Result.shown(over);
    }

    /** Finds the id of a session that is given by its name. */
    private Arguments identified(Context context, Tool<?, ?> tool, Arguments arguments) {
        var name = arguments.text(Arguments.SESSION_NAME);
        if (name == null || !tool.isNamed()) return arguments;
        return switch (find.action().on(context, new SessionCalls.Named(name))) {
            case Outcome.Refused<SessionBody>(var refusal) -> throw new Rejected(refusal);
            case Outcome.Done<SessionBody>(var body) ->
                    arguments.with(Arguments.SESSION_ID, body.session().sessionId());
        };
    }
}
