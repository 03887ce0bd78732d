package dev.coppice.http;

import dev.coppice.access.Access;
import dev.coppice.access.Need;
import dev.coppice.access.Role;
import dev.coppice.view.Views;
import dev.coppice.web.Method;
import dev.coppice.web.Reply;
import dev.coppice.web.Route;
import dev.coppice.wire.Json;
import dev.coppice.wire.Problem;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.lang.reflect.ParameterizedType;
import java.lang.reflect.RecordComponent;
import java.lang.reflect.Type;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The published description of the API, made from the routes and the wire records themselves. */
public final class OpenApi {
    private static final Pattern NAMED = Pattern.compile("\\{([a-z]+)}");
    private static final String LIFE =
            """
            A session belongs to a tree: it has at most one parent, the same for as long as both are
            there. A child is born in the same transaction that looks at its parent, so nothing
            starts below a session that is being stopped or removed. Its end is told to the parent
            as its mode says: by the answer, when asked, or by waking the parent. When the parent
            ends, its living children are stopped, kept, abandoned or asked to finish.

            WARNING: removing a session takes everything below it along, its children, their
            children and so on, with their runs, events and results. Look at the removal plan first;
            it counts them. children=detach (cleanup_agents=false) lets the children stay as roots,
            which say so in detached_from; children=refuse (cascade=false) refuses while there are
            any. What runs is not stopped unless running=stop (force=true). Callbacks owed by the
            tree are settled as removed, those owed to it are given up; an undo brings them back.
            Until the time for an undo is over nothing is lost, and afterwards there is the backup.

            Every list is paged by key: send the cursor 'next' back as 'after'. Errors are
            problem+json with a stable code, and carry the original's 'detail'.
            """;
    private static final Set<String> CREATING =
            Set.of("/sessions", "/runs", "/agents", "/sessions/{id}/events");

    private final Map<String, ObjectNode> schemas = new TreeMap<>();
    private final List<Route> described;
    private final String version;

    public OpenApi(List<Route> described, String version) {
        this.described = List.copyOf(described);
        this.version = version;
    }

    public Route route() {
        return Route.get("/openapi.json", Need.READ, "This description", _ -> Reply.ok(document()));
    }

    public synchronized ObjectNode document() {
        var document = Json.object().put("openapi", "3.1.0");
        document.set(
                "info",
                Json.object()
                        .put("title", "Coppice")
                        .put("version", version)
                        .put("description", LIFE));
        var paths = Json.object();
        for (var route : described) {
            var item =
                    paths.has(route.path()) ? (ObjectNode) paths.get(route.path()) : Json.object();
            item.set(Views.word(route.method()), operation(route));
            paths.set(route.path(), item);
        }
        document.set("paths", paths);
        schema(Problem.class);
        var named = Json.object();
        schemas.forEach(named::set);
        var scheme = Json.object().put("type", "http").put("scheme", "bearer");
        var components = Json.object();
        components.set("schemas", named);
        components.set("securitySchemes", Json.object().set("token", scheme));
        document.set("components", components);
        return document;
    }

    private ObjectNode operation(Route route) {
        var operation = Json.object().put("summary", route.about().summary());
        operation.put("operationId", id(route));
        operation.put("description", "For: " + roles(route.need()));
        var parameters = operation.putArray("parameters");
        var matcher = NAMED.matcher(route.path());
        while (matcher.find()) parameters.add(parameter(matcher.group(1), "path", ""));
        for (var query : route.about().queries()) {
            parameters.add(parameter(query.name(), "query", query.meaning()));
        }
        if (route.method() == Method.POST && CREATING.contains(route.path())) {
            parameters.add(parameter("Idempotency-Key", "header", "repeats the answer for a day"));
        }
        if (route.about().takes() != null) {
            operation.set("requestBody", content(schema(route.about().takes())));
        }
        var responses = Json.object();
        var good =
                content(
                        route.about().gives() == null
                                ? Json.object()
                                : schema(route.about().gives()));
        responses.set("2XX", good.put("description", "Done"));
        responses.set("default", problem());
        operation.set("responses", responses);
        if (route.need() != Need.NOTHING) {
            var token = Json.object();
            token.putArray("token");
            operation.putArray("security").add(token);
        }
        return operation;
    }

    private static String roles(Need need) {
        if (need == Need.NOTHING) return "anyone";
        return Arrays.stream(Role.values())
                .filter(role -> Access.may(role, need))
                .map(Views::word)
                .collect(Collectors.joining(", "));
    }

    private static String id(Route route) {
        return Views.word(route.method())
                + route.path().replaceAll("[{}]", "").replaceAll("[/.-]+", "_");
    }

    private static ObjectNode parameter(String name, String in, String meaning) {
        var parameter = Json.object().put("name", name).put("in", in);
        if (in.equals("path")) parameter.put("required", true);
        if (!meaning.isEmpty()) parameter.put("description", meaning);
        parameter.set("schema", Json.object().put("type", "string"));
        return parameter;
    }

    private static ObjectNode content(ObjectNode schema) {
        var body = Json.object();
        body.set(
                "content",
                Json.object().set("application/json", Json.object().set("schema", schema)));
        return body;
    }

    private ObjectNode problem() {
        var response = Json.object().put("description", "Not done, and why");
        var typed =
                Json.object()
                        .set(
                                Problem.MEDIA_TYPE,
                                Json.object().set("schema", schema(Problem.class)));
        response.set("content", typed);
        return response;
    }

    private ObjectNode schema(Class<?> type) {
        var name = type.getName().substring(type.getPackageName().length() + 1).replace("$", "");
        if (!schemas.containsKey(name)) {
            var schema = Json.object().put("type", "object");
            schemas.put(name, schema);
            var properties = Json.object();
            for (var component : type.getRecordComponents()) {
                properties.set(snake(component.getName()), property(component));
            }
            schema.set("properties", properties);
        }
        return Json.object().put("$ref", "#/components/schemas/" + name);
    }

    private ObjectNode property(RecordComponent component) {
        var schema = schemaOf(component.getGenericType());
        boolean nullable = component.getAnnotatedType().isAnnotationPresent(Nullable.class);
        if (nullable && schema.has("type")) {
            var type = schema.get("type").asString();
            schema.putArray("type").add(type).add("null");
        }
        return schema;
    }

    private ObjectNode schemaOf(Type type) {
        if (type instanceof ParameterizedType list) {
            var array = Json.object().put("type", "array");
            array.set("items", schemaOf(list.getActualTypeArguments()[0]));
            return array;
        }
        return switch (type) {
            case Class<?> c when c == String.class -> Json.object().put("type", "string");
            case Class<?> c when c == boolean.class -> Json.object().put("type", "boolean");
            case Class<?> c when JsonNode.class.isAssignableFrom(c) -> Json.object();
            case Class<?> c when c.isRecord() -> schema(c);
            default -> Json.object().put("type", "integer");
        };
    }

    private static String snake(String name) {
        return name.replaceAll("(?<=[a-z])(?=[A-Z])", "_").toLowerCase(Locale.ROOT);
    }
}
