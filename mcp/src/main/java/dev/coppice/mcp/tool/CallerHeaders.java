package dev.coppice.mcp.tool;

import dev.coppice.web.Exchange;
import dev.coppice.wire.Json;
import dev.coppice.wire.blueprint.BlueprintCalls;
import dev.coppice.wire.run.RunCalls;
import dev.coppice.wire.wave.WaveCalls;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/** Arguments that the headers of a request give, as configurations of clients send them. */
final class CallerHeaders {
    private static final System.Logger LOG = System.getLogger("mcp");
    private static final String TAGS = "tags";
    private static final String MEMBERS = "members";
    private static final String DEMANDS = "additional_demands";

    private CallerHeaders() {}

    static Arguments added(Exchange x, Tool<?, ?> tool, Arguments sent) {
        var call = tool.operation().call().name();
        if (call.equals(BlueprintCalls.LIST.name())) return withTags(x, sent);
        if (call.equals(WaveCalls.START.name())) return ofMembers(x, sent);
        return call.equals(RunCalls.START.name()) ? withDemands(x, sent) : sent;
    }

    /** A session that is confined to some tags sees no other blueprints. */
    private static Arguments withTags(Exchange x, Arguments sent) {
        var header = x.header("X-Agent-Tags");
        if (header == null) return sent;
        var tags = Stream.of(header.split(",", -1)).map(String::strip).filter(t -> !t.isEmpty());
        var own = sent.values().get(TAGS);
        var more =
                own == null
                        ? Stream.<String>of()
                        : Stream.of(own)
                                .flatMap(t -> t.isArray() ? t.valueStream() : Stream.of(t))
                                .filter(JsonNode::isString)
                                .map(JsonNode::asString);
        return sent.with(TAGS, List.copyOf(Stream.concat(tags, more).distinct().toList()));
    }

    private static Arguments withDemands(Exchange x, Arguments sent) {
        var demands = demands(x);
        return demands == null
                ? sent
                : sent.with(DEMANDS, merged(demands, sent.values().get(DEMANDS)));
    }

    /** Adds the demands to each member of a wave, as to a start. */
    private static Arguments ofMembers(Exchange x, Arguments sent) {
        var demands = demands(x);
        var members = sent.values().get(MEMBERS);
        if (demands == null || members == null || !members.isArray()) return sent;
        var all = new ArrayList<Object>();
        for (var member : members) {
            if (!member.isObject()) return sent;
            var fields = new LinkedHashMap<String, Object>();
            for (var field : member.properties()) fields.put(field.getKey(), field.getValue());
            fields.put(DEMANDS, merged(demands, member.get(DEMANDS)));
            all.add(fields);
        }
        return sent.with(MEMBERS, all);
    }

    private static @Nullable JsonNode demands(Exchange x) {
        var header = x.header("X-Additional-Demands");
        if (header == null) return null;
        var demands = Json.valueOf(header);
        if (demands != null && demands.isObject()) return demands;
        LOG.log(System.Logger.Level.WARNING, "X-Additional-Demands is not a JSON object; ignored");
        return null;
    }

    /** Merges demands. Tags are joined; of any other field, the caller's value wins. */
    private static Map<String, JsonNode> merged(JsonNode header, @Nullable JsonNode own) {
        var all = new LinkedHashMap<String, JsonNode>();
        for (var field : header.properties()) all.put(field.getKey(), field.getValue());
        if (own == null || !own.isObject()) return all;
        for (var field : own.properties()) all.put(field.getKey(), field.getValue());
        var tags = Stream.concat(tags(header), tags(own)).distinct().toList();
        if (!tags.isEmpty()) all.put(TAGS, Json.tree(tags));
        return all;
    }

    private static Stream<JsonNode> tags(JsonNode demands) {
        return demands.path(TAGS).valueStream();
    }
}
