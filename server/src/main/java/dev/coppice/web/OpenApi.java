package dev.coppice.web;

import dev.coppice.access.Access;
import dev.coppice.access.Need;
import dev.coppice.access.Role;
import dev.coppice.request.Reply;
import dev.coppice.request.WireSchema;
import dev.coppice.wire.Call;
import dev.coppice.wire.Call.Trait;
import dev.coppice.wire.Call.Where;
import dev.coppice.wire.Json;
import dev.coppice.wire.Problem;
import dev.coppice.wire.Shape;

import tools.jackson.databind.node.ObjectNode;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/** The published description of the API, derived from the calls that the routes answer. */
public final class OpenApi {
    private static final Call<Call.Nothing, Call.Empty> SELF =
            Call.get(
                    "describe_api",
                    "/openapi.json",
                    Call.Nothing.class,
                    Call.Empty.class,
                    "This description");
    private static final String LIFE =
            """
            A session belongs to a tree: it has at most one parent, and keeps it as long as both
            exist. A child is created in the same transaction that checks its parent, so nothing
            starts below a session that is being stopped or removed. The child's mode decides how
            the parent learns of its end: from the answer, by polling, or by a callback that wakes
            it. When the parent ends, its live children are stopped, kept, abandoned or asked to
            finish.

            WARNING: removing a session takes everything below it too: its children, their children
            and so on, with their runs, events and results. Read the removal plan first; it counts
            them. With children=detach (cleanup_agents=false) the children stay as roots, and
            detached_from names their former parent. With children=refuse (cascade=false) a session
            that has children is not removed. A tree with running sessions is not removed unless
            running=stop (force=true). Callbacks that the tree owes are settled as removed, and
            callbacks owed to it are given up; an undo restores them. Until the undo window closes
            nothing is lost; after that, the backup remains.

            Every list is paged by key: send the cursor 'next' back as 'after'. Errors are
            problem+json with a stable code, and include the original's 'detail'.
            """;

    private final List<Route> described;
    private final String version;

    public OpenApi(List<Route> described, String version) {
        this.described = List.copyOf(described);
        this.version = version;
    }

    public Route route() {
        return new Route(SELF, Need.READ, _ -> Reply.ok(document()));
    }

    public ObjectNode document() {
        var schemas = new WireSchema("#/components/schemas/");
        var document = Json.object().put("openapi", "3.1.0");
        document.putObject("info")
                .put("title", "Coppice")
                .put("version", version)
                .put("description", LIFE);
        var paths = document.putObject("paths");
        for (var route : described) {
            paths.withObject("/" + route.path().replace("~", "~0").replace("/", "~1"))
                    .set(Shape.word(route.method()), operation(route, schemas));
        }
        schemas.reference(Problem.class);
        var components = document.putObject("components");
        schemas.named().forEach(components.putObject("schemas")::set);
        components
                .putObject("securitySchemes")
                .putObject("token")
                .put("type", "http")
                .put("scheme", "bearer");
        return document;
    }

    private static ObjectNode operation(Route route, WireSchema schemas) {
        var call = route.call();
        var operation =
                Json.object()
                        .put("summary", call.says())
                        .put("operationId", call.name())
                        .put("description", "For: " + roles(route.need()));
        var parameters = operation.putArray("parameters");
        for (var part : Shape.of(call.input()).flat()) {
            var where = call.where(part);
            if (where != Where.PATH && where != Where.QUERY) continue;
            var schema = schemas.field(part);
            var parameter =
                    parameters.addObject().put("name", part.name()).put("in", Shape.word(where));
            if (schema.has("description")) {
                parameter.set("description", schema.remove("description"));
            }
            if (where == Where.PATH || part.isRequired()) parameter.put("required", true);
            parameter.set("schema", schema);
        }
        if (call.is(Trait.REPEATABLE)) {
            parameters
                    .addObject()
                    .put("name", "Idempotency-Key")
                    .put("in", "header")
                    .put("description", "repeats the answer for a day")
                    .putObject("schema")
                    .put("type", "string");
        }
        body(call, schemas, operation);
        responses(route, schemas, operation.putObject("responses"));
        if (route.need() != Need.NOTHING) {
            operation.putArray("security").addObject().putArray("token");
        }
        return operation;
    }

    private static void body(Call<?, ?> call, WireSchema schemas, ObjectNode operation) {
        var whole =
                Shape.of(call.input()).flat().stream()
                        .filter(p -> call.where(p) == Where.WHOLE_BODY)
                        .findFirst();
        var schema =
                whole.map(schemas::field)
                        .orElseGet(() ->
                                schemas.object(call.input(), p -> call.where(p) == Where.BODY));
        if (whole.isEmpty() && schema.path("properties").isEmpty()) return;
        operation
                .putObject("requestBody")
                .putObject("content")
                .putObject("application/json")
                .set("schema", schema);
    }

    private static void responses(Route route, WireSchema schemas, ObjectNode responses) {
        var call = route.call();
        var output = call.output();
        if (output == Call.Empty.class) {
            responses.putObject("204").put("description", "Done");
        } else {
            var good =
                    responses
                            .putObject(call.is(Trait.CREATES) ? "201" : "200")
                            .put("description", "Done")
                            .putObject("content");
            if (output == Call.Bytes.class) good.putObject("application/octet-stream");
            else if (output == Call.Stream.class) good.putObject("text/event-stream");
            else good.putObject("application/json").set("schema", schemas.reference(output));
        }
        errors(route)
                .forEach((status, why) ->
                        responses
                                .putObject(status)
                                .put("description", why)
                                .putObject("content")
                                .putObject(Problem.MEDIA_TYPE)
                                .set("schema", schemas.reference(Problem.class)));
    }

    /** The errors that a call of this kind can return. */
    private static Map<String, String> errors(Route route) {
        var call = route.call();
        var parts = Shape.of(call.input()).flat();
        var errors = new LinkedHashMap<String, String>();
        if (!parts.isEmpty()) errors.put("400", "A field is missing or not valid");
        if (route.need() != Need.NOTHING) {
            errors.put("401", "No valid token");
            errors.put("403", "The caller may not do this");
        }
        if (parts.stream().anyMatch(p -> call.where(p) == Where.PATH)) {
            errors.put("404", "Not found, or not visible to the caller");
            errors.put("410", "Its session was removed");
        }
        if (!call.method().isBare() || call.is(Trait.DESTRUCTIVE)) {
            errors.put("409", "The present state forbids it");
        }
        if (!call.method().isBare()) errors.put("413", "Too large");
        if (call.is(Trait.REPEATABLE)) errors.put("422", "The key was used with another request");
        errors.put("429", "Too many requests with this token at once");
        errors.put("503", "The coordinator cannot do this at the moment");
        return errors;
    }

    private static String roles(Need need) {
        if (need == Need.NOTHING) return "anyone";
        return Arrays.stream(Role.values())
                .filter(role -> Access.may(role, need))
                .map(Shape::word)
                .collect(Collectors.joining(", "));
    }
}
