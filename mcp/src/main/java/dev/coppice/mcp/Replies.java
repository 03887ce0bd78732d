package dev.coppice.mcp;

import dev.coppice.access.Validity;
import dev.coppice.mcp.call.BrokenCall;
import dev.coppice.mcp.call.Call;
import dev.coppice.mcp.call.Channel;
import dev.coppice.mcp.call.Client;
import dev.coppice.mcp.call.Outbox;
import dev.coppice.mcp.message.Changes.InputRequired;
import dev.coppice.mcp.message.Changes.TaskCreated;
import dev.coppice.mcp.message.Envelopes.Meta;
import dev.coppice.mcp.message.Envelopes.Server;
import dev.coppice.mcp.message.Envelopes.Whole;
import dev.coppice.request.Reply;
import dev.coppice.request.Wait;
import dev.coppice.web.Exchange;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.LinkedHashMap;
import java.util.Map;

/** Sends results: as one document, or as a stream if messages precede the result. */
final class Replies {
    private static final String JSON = "application/json";
    private static final String EVENTS = "text/event-stream";

    /** A result that comes within this time needs no stream. */
    private static final Duration QUICK = Duration.ofMillis(500);

    private final Meta meta;
    private final Validity validity;

    Replies(Server server, Validity validity) {
        this.validity = validity;
        this.meta = new Meta(server);
    }

    /** A result that clients of the later era may keep for a time. */
    Reply cached(Call call, Object result, long millis) {
        return Reply.ok(call.answer(whole(call.client(), result, millis)));
    }

    Reply of(Call call, Object result) {
        return Reply.ok(call.answer(whole(call, result)));
    }

    private Object whole(Call call, Object result) {
        return whole(call.client(), result, null);
    }

    Object whole(Client client, Object result, @Nullable Long fresh) {
        if (!client.isStateless()) return result;
        var type =
                switch (result) {
                    case InputRequired _ -> "input_required";
                    case TaskCreated _ -> "task";
                    default -> "complete";
                };
        var scope = fresh == null ? null : "private";
        if (!(result instanceof JsonNode || result instanceof Map)) {
            return new Whole(result, fresh, scope, type, meta);
        }
        var fields = new LinkedHashMap<String, Object>();
        for (var field : Json.tree(result).properties())
            fields.put(field.getKey(), field.getValue());
        if (fresh != null) fields.putAll(Map.of("ttlMs", fresh, "cacheScope", "private"));
        fields.put("resultType", type);
        fields.put("_meta", meta);
        return fields;
    }

    static Reply broken(BrokenCall e, @Nullable JsonNode id) {
        var body = new Reply.Body(e.status(), e.answer(id));
        return e.headers().isEmpty() ? body : new Reply.With(body, e.headers());
    }

    /** The reply to a call that a channel answers. */
    Reply of(Exchange x, Call call, Outbox out, Channel channel) throws InterruptedException {
        var accepts = x.header("Accept");
        boolean streams = accepts != null && accepts.contains(EVENTS);
        var only = out.only(QUICK);
        var session = call.session();
        if (only != null) {
            if (session != null) session.delivered(out);
            return new Reply.Text(only.status(), JSON, only.text());
        }
        // The turn of a long answer ends now, but its messages are still in memory.
        var share = x.hold().share();
        if (!streams) return new Reply.Patient(200, ending(call, out, channel, share));
        var isGood = validity.whileOpen(call.client().caller());
        return new Reply.Stream(sink -> {
            try {
                out.into(sink, 0, isGood);
            } finally {
                share.run();
                // The end of the stream cancels the call, unless a session's client can reconnect.
                if (session == null) channel.cancel();
            }
        });
    }

    /** Waits for the last message. A client without a session cancels by disconnecting. */
    private static Wait ending(Call call, Outbox out, Channel channel, Runnable share) {
        return new Wait() {
            @Override
            public boolean hasRoom() {
                return true;
            }

            @Override
            public @Nullable Object within(Duration time) throws InterruptedException {
                var last = out.ending(time);
                if (last == null) return null;
                return last.isEmpty() ? Json.object() : Json.stored(last);
            }

            @Override
            public void close() {
                share.run();
                if (call.session() == null) channel.cancel();
            }
        };
    }
}
