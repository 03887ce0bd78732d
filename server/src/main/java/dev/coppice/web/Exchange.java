package dev.coppice.web;

import dev.coppice.access.Caller;
import dev.coppice.audit.Act;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.request.Context;
import dev.coppice.request.Wording;
import dev.coppice.session.ParentReference;
import dev.coppice.wire.Call;
import dev.coppice.wire.Json;
import dev.coppice.wire.Method;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.net.InetSocketAddress;
import java.util.Map;

/** A parsed request and its caller. */
public final class Exchange {
    /** The token in a query, for a browser's EventSource, which cannot send headers. */
    static final String TOKEN_QUERY = "api_key";

    private final Request request;
    private final Caller caller;
    private final Map<String, String> path;
    private final RequestMemory.Hold hold;
    private @Nullable JsonNode body;

    public Exchange(
            Request request, Caller caller, Map<String, String> path, RequestMemory.Hold hold) {
        this.request = request;
        this.caller = caller;
        this.path = Map.copyOf(path);
        this.hold = hold;
    }

    /** A request as received. */
    public record Request(
            Method method,
            String path,
            Map<String, String> queries,
            Map<String, String> headers,
            String body,
            @Nullable Peer peer) {}

    /** The two ends of the connection on which a request came. */
    public record Peer(InetSocketAddress theirs, InetSocketAddress ours) {}

    public Caller caller() {
        return caller;
    }

    public Request request() {
        return request;
    }

    /** The memory that this request has taken. */
    public RequestMemory.Hold hold() {
        return hold;
    }

    Map<String, String> paths() {
        return path;
    }

    public String path(String name) {
        var value = path.get(name);
        if (value == null) throw new IllegalStateException("the route has no {" + name + "}");
        return value;
    }

    public @Nullable String query(String name) {
        var value = request.queries().get(name);
        return value == null || value.isEmpty() ? null : value;
    }

    public @Nullable String header(String name) {
        var value = request.headers().get(name.toLowerCase(java.util.Locale.ROOT));
        return value == null || value.isBlank() ? null : value.strip();
    }

    /** The body as an object, empty if there is no body. Parsed only once. */
    public JsonNode json() {
        if (body == null) body = readBody();
        return body;
    }

    private JsonNode readBody() {
        var uploaded = Upload.fields(header("Content-Type"), request.body());
        if (uploaded != null) return uploaded;
        if (request.body().isBlank()) return Json.object();
        JsonNode read;
        try {
            read = Json.read(request.body());
        } catch (Json.Unreadable e) {
            throw new Rejected(
                    new RequestRefusal.BadValue("body", String.valueOf(e.getMessage()), "JSON"));
        }
        if (!read.isObject()) {
            var shown = String.valueOf(read.getNodeType());
            throw new Rejected(new RequestRefusal.BadValue("body", shown, "a JSON object"));
        }
        return read;
    }

    Problems.Manner manner(Call<?, ?> call) {
        return Problems.Manner.of(call, header("Accept"));
    }

    /** The caller as the audit names it. */
    public Act.Who who() {
        return context(Wording.REST).who();
    }

    public Context context(Wording wording) {
        return new Context(caller, inheritedParent(), wording);
    }

    /** The parent that the headers name; without them, the session of an agent's token. */
    public ParentReference inheritedParent() {
        var id = header("X-Agent-Session-Id");
        var name = header("X-Agent-Session-Name");
        if (id != null || name != null) return new ParentReference(id, name);
        return caller.session() == null
                ? ParentReference.NONE
                : ParentReference.of(caller.session());
    }
}
