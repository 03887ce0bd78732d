package dev.coppice.hooks;

import dev.coppice.access.Caller;
import dev.coppice.kernel.CannotWrite;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.Transactions;
import dev.coppice.observe.Observation;
import dev.coppice.observe.Observations.Sent;
import dev.coppice.observe.RecordObservations;
import dev.coppice.operation.Rejected;
import dev.coppice.operation.Reply;
import dev.coppice.web.Exchange;
import dev.coppice.wire.Json;
import dev.coppice.wire.Problem;
import dev.coppice.wire.observe.HookCalls;
import dev.coppice.wire.observe.HookCalls.Posted;
import dev.coppice.wire.observe.HookCalls.PostedEvent;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonToken;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/** Takes events in, one by one or many at once. */
final class Intake {
    /** Other callers write between the parts of a batch. */
    private static final int EVENTS_PER_WRITE_MAX = 500;

    private final Transactions transactions;
    private final RecordObservations record;
    private final InstantSource clock;

    Intake(Transactions transactions, RecordObservations record, InstantSource clock) {
        this.transactions = transactions;
        this.record = record;
        this.clock = clock;
    }

    /** An answer in which the original's clients find {@code error}. */
    private record Fault(String error, String detail) {
        static Reply invalid(String why) {
            return new Reply.Body(400, new Fault("Invalid request", why));
        }

        static Reply missing(List<String> fields) {
            var detail = "Add " + String.join(", ", fields) + ".";
            return new Reply.Body(400, new Fault("Missing required fields", detail));
        }
    }

    Reply one(Exchange x) {
        var sent = x.request().body().strip();
        var own = ofHook(sent);
        var reply = one(own == null ? sent : own, x.caller());
        // A program takes the answer to its hook for a decision; this one decides nothing.
        return own != null && reply.status() == 200 ? Reply.ok(Map.of()) : reply;
    }

    /**
     * The message that a sender would make of what a program sends to its hooks; null if it is
     * none.
     */
    private static @Nullable String ofHook(String sent) {
        if (!sent.contains("\"hook_event_name\"")) return null;
        var body = Json.valueOf(sent);
        if (body == null || body.has("hook_event_type")) return null;
        var type = Json.textIfAny(body, "hook_event_name");
        var session = Json.textIfAny(body, "session_id");
        if (type == null || session == null) return null;
        var directory = body.path("cwd").asString("");
        var app = directory.substring(directory.lastIndexOf('/') + 1);
        return Json.write(
                Map.of(
                        "source_app",
                        app.isEmpty() ? "agent" : app,
                        "session_id",
                        session,
                        "hook_event_type",
                        type,
                        "payload",
                        body));
    }

    private Reply one(String text, Caller caller) {
        Message message;
        try (var parser = Json.parser(text)) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return Fault.invalid("The body must be a JSON object.");
            }
            message = Message.read(parser);
            if (parser.nextToken() != null) {
                return Fault.invalid("The body must end after the JSON object.");
            }
        } catch (JacksonException e) {
            return Fault.invalid(String.valueOf(Json.unreadable(e).getMessage()));
        }
        var missing = message.missing();
        if (!missing.isEmpty()) return Fault.missing(missing);
        var done = message.observed(text, clock.instant()).then(event -> stored(event, caller));
        return switch (done) {
            case Outcome.Done<Sent>(var stored) ->
                    new Reply.Text(200, "application/json", SentText.of(stored, message.traits()));
            case Outcome.Refused<Sent>(var refusal) -> throw new Rejected(refusal);
        };
    }

    private Outcome<Sent> stored(Observation event, Caller caller) {
        return transactions
                .write(() -> record.record(List.of(event), caller))
                .getFirst()
                .map(number -> Sent.of(number, event));
    }

    Outcome<Posted> many(Exchange x) {
        var items = Batches.read(x.request().body(), clock.instant());
        if (items.size() > HookCalls.BATCH_MAX) {
            return Outcome.refused(
                    new RequestRefusal.TooMany("events in a batch", HookCalls.BATCH_MAX));
        }
        var results = new ArrayList<PostedEvent>(items.size());
        for (int from = 0; from < items.size(); from += EVENTS_PER_WRITE_MAX) {
            int to = Math.min(items.size(), from + EVENTS_PER_WRITE_MAX);
            var part = items.subList(from, to);
            try {
                results.addAll(transactions.write(() -> part(part, x.caller())));
            } catch (CannotWrite e) {
                if (results.isEmpty()) throw e;
                var why = "not stored: " + e.getMessage();
                part.forEach(
                        _ -> results.add(new PostedEvent(null, Problem.STORE_UNWRITABLE, why)));
            }
        }
        int stored = (int) results.stream().filter(r -> r.id() != null).count();
        return Outcome.done(new Posted(stored, results.size() - stored, results));
    }

    private List<PostedEvent> part(List<Outcome<Observation>> items, Caller caller) {
        var good = new ArrayList<Observation>();
        for (var item : items) {
            if (item instanceof Outcome.Done<Observation>(var event)) good.add(event);
        }
        var numbers = record.record(good, caller).iterator();
        return items.stream().map(item -> result(item.then(_ -> numbers.next()))).toList();
    }

    private static PostedEvent result(Outcome<Long> outcome) {
        return switch (outcome) {
            case Outcome.Done<Long>(var number) -> new PostedEvent(number, null, null);
            case Outcome.Refused<Long>(var refusal) -> refused(refusal);
        };
    }

    private static PostedEvent refused(Refusal refusal) {
        return new PostedEvent(null, refusal.code(), refusal.said());
    }
}
