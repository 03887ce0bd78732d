package dev.coppice.web;

import dev.coppice.access.Caller;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.session.ParentClaim;
import dev.coppice.view.Lengths;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.Map;
import java.util.function.Function;

/** One request, read. */
public final class Exchange {
    private final Request request;
    private final Caller caller;
    private final Map<String, String> path;

    public Exchange(Request request, Caller caller, Map<String, String> path) {
        this.request = request;
        this.caller = caller;
        this.path = Map.copyOf(path);
    }

    /** A request as it came in. */
    public record Request(
            Method method,
            String path,
            Map<String, String> queries,
            Map<String, String> headers,
            String body) {}

    public Caller caller() {
        return caller;
    }

    public Request request() {
        return request;
    }

    public String path(String name) {
        var value = path.get(name);
        if (value == null) throw new IllegalStateException("the route has no {" + name + "}");
        return value;
    }

    /** A session named in the path; a name that no session could have is simply unknown. */
    public SessionId session() {
        var value = path("id");
        if (!SessionId.isShapely(value))
            throw new Rejected(new SessionRefusal.SessionUnknown(value));
        return new SessionId(value);
    }

    public @Nullable String query(String name) {
        var value = request.queries().get(name);
        return value == null || value.isEmpty() ? null : value;
    }

    public boolean flag(String name) {
        return "true".equals(query(name)) || "1".equals(query(name));
    }

    public @Nullable String header(String name) {
        var value = request.headers().get(name.toLowerCase(java.util.Locale.ROOT));
        return value == null || value.isBlank() ? null : value.strip();
    }

    public <T> T body(Class<T> type) {
        return Json.as(json(), type);
    }

    /** The body as an object; no body at all is an empty one. */
    public JsonNode json() {
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

    public Cursor cursor() {
        int max = (int) number("limit", Bounds.PAGE_ITEMS_DEFAULT, 1, Bounds.PAGE_ITEMS_MAX);
        return new Cursor(query("after"), max);
    }

    public long number(String name, long absent, long min, long max) {
        var text = query(name);
        if (text == null) return absent;
        try {
            long value = Long.parseLong(text);
            if (value >= min && value <= max) return value;
        } catch (NumberFormatException _) {
            // Told apart from a number out of range by nobody: both need the same mending.
        }
        var rule = "a whole number from %d to %d".formatted(min, max);
        throw new Rejected(new RequestRefusal.BadValue(name, text, rule));
    }

    /** How long to wait, as {@code 30s}, {@code 500ms} or plain seconds; at most a day. */
    public Duration patience(String name) {
        var text = query(name);
        if (text == null) return Duration.ZERO;
        var asked = Lengths.read(text);
        if (asked == null)
            throw new Rejected(new RequestRefusal.BadValue(name, text, Lengths.RULE));
        return asked.compareTo(Bounds.WAIT_MAX) > 0 ? Bounds.WAIT_MAX : asked;
    }

    /** The parent that comes with the caller's surroundings; a token of an agent is one too. */
    public ParentClaim inheritedParent() {
        var id = header("X-Agent-Session-Id");
        var name = header("X-Agent-Session-Name");
        if (id != null || name != null) return new ParentClaim(id, name);
        return caller.session() == null ? ParentClaim.NONE : ParentClaim.of(caller.session());
    }

    public <T> Reply reply(Outcome<T> outcome, Function<T, Reply> done) {
        return switch (outcome) {
            case Outcome.Done<T>(var value) -> done.apply(value);
            case Outcome.Refused<T>(var refusal) -> Problems.reply(refusal);
        };
    }
}
