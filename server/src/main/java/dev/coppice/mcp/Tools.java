package dev.coppice.mcp;

import dev.coppice.web.Exchange;
import dev.coppice.web.Method;
import dev.coppice.web.Problems;
import dev.coppice.web.Rejected;
import dev.coppice.web.Reply;
import dev.coppice.web.Switchboard;
import dev.coppice.wire.Json;

import tools.jackson.databind.node.ObjectNode;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.UnaryOperator;

/** Which tools there are, and what calling one comes to. */
final class Tools {
    private static final List<Tool> ALL = List.of(Deletion.PLAN, Deletion.DELETE, new Undo());

    private final Map<String, Tool> byName = new LinkedHashMap<>();
    private final Switchboard switchboard;

    Tools(Switchboard switchboard) {
        this.switchboard = switchboard;
        for (var tool : ALL) byName.put(name(tool), tool);
    }

    private static String name(Tool tool) {
        return String.valueOf(Json.text(tool.shown(), "name"));
    }

    ObjectNode list() {
        var list = Json.object();
        var shown = list.putArray("tools");
        for (var tool : ALL) {
            var one = tool.shown();
            one.set("inputSchema", tool.takes().shown());
            shown.add(one);
        }
        return list;
    }

    /** With progress, where the client has asked for it and reads streams. */
    Reply call(Exchange x, Call call, UnaryOperator<ObjectNode> finish) throws Call.Broken {
        var name = Json.text(call.params(), "name");
        var tool = name == null ? null : byName.get(name);
        if (tool == null) {
            var rule = "there is no tool %s; there are %s".formatted(name, byName.keySet());
            throw new Call.Broken(200, -32602, rule);
        }
        var result = new Result(tool, r -> call.answer(finish.apply(r)));
        var given = call.params().path("arguments");
        boolean none = given.isMissingNode() || given.isNull();
        try {
            var arguments = Arguments.read(tool.takes(), none ? Json.object() : given);
            var accepts = x.header("Accept");
            var token = call.progressToken();
            boolean streams = accepts != null && accepts.contains("text/event-stream");
            if (token == null || !streams) return result.of(asked(x, tool, arguments));
            return new Reply.Stream(out ->
                    new Progress(token, tool.steps(arguments), out)
                            .all(
                                    () -> asked(x, tool, arguments),
                                    result,
                                    why -> new Call.Broken(500, -32603, why).answer(call.id())));
        } catch (Rejected e) {
            return result.of(Problems.reply(e.refusal()));
        }
    }

    /** What the route that the tool stands for answers. */
    private Reply asked(Exchange x, Tool tool, Arguments arguments) {
        var name = arguments.text("session_name");
        if (name == null) return answered(x, tool, arguments);
        var byName = "/sessions/by-name/" + Tool.segment(name);
        var found = pass(x, new Tool.Asked(Method.GET, byName, Map.of()));
        if (!(found instanceof Reply.Body(_, var session))) return found;
        var id = String.valueOf(Json.text(Json.tree(session).path("session"), "session_id"));
        return answered(x, tool, arguments.with("session_id", id));
    }

    private Reply answered(Exchange x, Tool tool, Arguments arguments) {
        try {
            return pass(x, tool.asks(arguments));
        } catch (Rejected e) {
            return Problems.reply(e.refusal());
        }
    }

    private Reply pass(Exchange x, Tool.Asked asked) {
        return switchboard.pass(x.caller(), asked.with(x.request().headers()));
    }
}
