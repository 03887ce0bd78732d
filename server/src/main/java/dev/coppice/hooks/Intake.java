package dev.coppice.hooks;

import dev.coppice.access.Access;
import dev.coppice.access.Caller;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.CannotWrite;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Transactions;
import dev.coppice.observe.Observation;
import dev.coppice.observe.Observation.Moment;
import dev.coppice.observe.Observations;
import dev.coppice.observe.Observations.Evidence;
import dev.coppice.observe.Observations.Sent;
import dev.coppice.observe.RecordObservations;
import dev.coppice.observe.RecordObservations.Place;
import dev.coppice.request.Reply;
import dev.coppice.session.Session;
import dev.coppice.session.Sessions;
import dev.coppice.usage.NoticedTranscript;
import dev.coppice.usage.RecordUse;
import dev.coppice.web.Exchange;
import dev.coppice.web.IdempotentRequests;
import dev.coppice.wire.Code;
import dev.coppice.wire.Json;
import dev.coppice.wire.observe.HookCalls;
import dev.coppice.wire.observe.HookCalls.Posted;
import dev.coppice.wire.observe.HookCalls.PostedEvent;
import dev.coppice.wire.observe.HookCalls.Program;

import org.jspecify.annotations.Nullable;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JsonParser;
import tools.jackson.core.JsonToken;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Receives events, one by one or in batches. */
final class Intake {
    /** Other callers write between the parts of a batch. */
    private static final int EVENTS_PER_WRITE_MAX = 500;

    /** The header in which the command of a hook names the process that runs it. */
    private static final String PID = "X-Agent-Pid";

    private final Transactions transactions;
    private final RecordObservations record;
    private final Observations observations;
    private final Sessions sessions;
    private final Decisions decisions;
    private final NoticedTranscript transcript;
    private final Whereabouts whereabouts;
    private final RecordUse uses;
    private final InstantSource clock;
    private final Listeners listeners;
    private final Access access;

    Intake(
            Transactions transactions,
            RecordObservations record,
            Observations observations,
            Sessions sessions,
            Decisions decisions,
            NoticedTranscript transcript,
            Whereabouts whereabouts,
            RecordUse uses,
            InstantSource clock,
            Listeners listeners,
            Access access) {
        this.transactions = transactions;
        this.record = record;
        this.observations = observations;
        this.sessions = sessions;
        this.decisions = decisions;
        this.transcript = transcript;
        this.whereabouts = whereabouts;
        this.uses = uses;
        this.clock = clock;
        this.listeners = listeners;
        this.access = access;
    }

    /** An error in the form that senders read. */
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
        var body = sent.contains("\"hook_event_name\"") ? Json.valueOf(sent) : null;
        if (body == null) return one(sent, Json.parser(sent), x);
        // A sender's message may have such a body as its payload.
        boolean isRaw = body.has("hook_event_name") && !body.has("hook_event_type");
        return isRaw ? hook(x, Program.CLAUDE_CODE, sent, body) : one(sent, Json.tokens(body), x);
    }

    /** Receives what a program sends to its hook; the answer has the decision if there is one. */
    Reply hook(Exchange x, Program program) {
        var sent = x.request().body().strip();
        var body = Json.valueOf(sent);
        return body == null
                ? Fault.invalid("The body must be a JSON object.")
                : hook(x, program, sent, body);
    }

    private Reply hook(Exchange x, Program program, String sent, JsonNode body) {
        var message = ProgramHook.of(program).message(body);
        if (message == null) return Fault.missing(List.of("hook_event_name", "session_id"));
        if (HookUse.isOne(body)) return used(x, message, body);
        var type = String.valueOf(Json.text(message, "hook_event_type"));
        var started = started(x);
        if (started != null) {
            var own = started.profile().binding().executorSessionId();
            // The driver of a run reports more than its hooks, but only the mod asks.
            if (String.valueOf(own).equals(Json.text(message, "session_id"))) {
                return type.equals(HookAnswers.SPAWN)
                        ? maySpawn(x, body, started.id())
                        : Reply.ok(HookAnswers.NOTHING);
            }
            message.put("session_id", started.id().value());
        } else if (isOfMod(type) && isOfRun(message)) {
            return Reply.ok(HookAnswers.NOTHING);
        }
        if (!Json.fitsInside(body)) return Fault.invalid("The body has too many levels.");
        var text = ProgramHook.text(message, sent);
        return switch (recorded(text, Json.tokens(message.set("payload", body)), x.caller())) {
            case Recorded.Not(var why) -> why;
            case Recorded.Event(var observation, var number, _) -> {
                var node = node(observation, number);
                if (observation.type().equals(HookAnswers.SPAWNED))
                    born(observation, body, x.caller());
                var directory = Json.textIfAny(body, "cwd");
                if (started == null && !x.caller().isAgent()) {
                    if (directory != null) whereabouts.noticed(observation.session(), directory);
                    var pid = x.header(PID);
                    if (pid != null) whereabouts.noticed(observation.session(), program, pid);
                }
                var transcript = Json.textIfAny(body, "transcript_path");
                if (transcript != null && !x.caller().isAgent()) {
                    this.transcript.noticed(observation.session(), observation.agent(), transcript);
                }
                yield decisions.answer(
                        x, new Decisions.Event(program, observation.type(), body, number, node));
            }
        };
    }

    private static boolean isOfMod(String type) {
        return type.equals(HookAnswers.SPAWN) || type.equals(HookAnswers.SPAWNED);
    }

    /** True if a run's program sent it: without the run's token, events of our mod are ignored. */
    private boolean isOfRun(ObjectNode message) {
        var program = String.valueOf(Json.textIfAny(message, "session_id"));
        if (!SessionId.isValid(program)) return false;
        return transactions.read(() -> observations.runOf(new SessionId(program)).isPresent());
    }

    /** Answers whether a subagent of a run may start. */
    private Reply maySpawn(Exchange x, JsonNode body, SessionId run) {
        return decisions.answer(
                x, new Decisions.Event(Program.CLAUDE_CODE, HookAnswers.SPAWN, body, 0, run));
    }

    /** Records a use of a model, except by programs of Coppice: their drivers report it. */
    private Reply used(Exchange x, ObjectNode message, JsonNode body) {
        var id = String.valueOf(Json.textIfAny(message, "session_id"));
        var now = clock.instant();
        var use = HookUse.of(body, now);
        if (use == null || started(x) != null || !SessionId.isValid(id)) {
            return Reply.ok(HookAnswers.NOTHING);
        }
        var app = String.valueOf(Json.textIfAny(message, "source_app"));
        var label = Bounds.firstOf(app, Bounds.LABEL_CHARS_MAX);
        var seen = Observation.telemetry(new SessionId(id), null, label, Moment.WORKS, now);
        transactions.write(() -> {
            if (record.place(seen, x.caller()) instanceof Outcome.Done<Place>(var place)) {
                uses.record(place.node(), place.main(), use);
            }
            return seen;
        });
        return Reply.ok(HookAnswers.NOTHING);
    }

    /** Records the parent of a new subagent as our mod reports it. */
    private void born(Observation child, JsonNode body, Caller caller) {
        var parent = Json.textIfAny(body, "parent_agent_id");
        transactions.write(() -> record.relate(child, parent, Evidence.MOD, caller));
    }

    /** The node under which the event was stored. */
    private SessionId node(Observation observation, long number) {
        return transactions
                .read(() -> observations.find(number))
                .map(Sent::node)
                .orElse(observation.session());
    }

    /**
     * The session for which Coppice started the program; null if a person started it, or if the
     * caller may not see the session of that name. Hooks prove it with the token of the run: any
     * program can name a session.
     */
    private @Nullable Session started(Exchange x) {
        var sender = x.caller().sender();
        if (sender != null) {
            var run = sender.run();
            return run == null ? null : transactions.read(() -> sessions.find(run)).orElse(null);
        }
        var name = x.header("X-Agent-Session-Name");
        if (name == null || name.isBlank() || x.caller().isAgent()) return null;
        return transactions
                .read(() -> sessions.named(name).filter(s -> access.sees(x.caller(), s.id())))
                .orElse(null);
    }

    private Reply one(String text, JsonParser tokens, Exchange x) {
        return switch (recorded(text, tokens, x.caller())) {
            case Recorded.Not(var why) -> why;
            case Recorded.Event(var event, var number, var message) -> {
                listeners.noticed(number, message.answerAddress(), x);
                var sent = Sent.of(number, event);
                yield new Reply.Text(200, "application/json", SentText.of(sent, message.traits()));
            }
        };
    }

    /** The result of a message: an event under a number, or the answer that rejects it. */
    private sealed interface Recorded {
        record Event(Observation event, long number, HookMessage message) implements Recorded {}

        record Not(Reply why) implements Recorded {}
    }

    /** Records the event whose text has these tokens. */
    private Recorded recorded(String text, JsonParser tokens, Caller caller) {
        HookMessage message;
        try (var parser = tokens) {
            if (parser.nextToken() != JsonToken.START_OBJECT) {
                return new Recorded.Not(Fault.invalid("The body must be a JSON object."));
            }
            message = HookMessage.read(parser);
            if (parser.nextToken() != null) {
                return new Recorded.Not(Fault.invalid("The body must end after the JSON object."));
            }
        } catch (JacksonException e) {
            var why = String.valueOf(Json.unreadable(e).getMessage());
            return new Recorded.Not(Fault.invalid(why));
        }
        var missing = message.missing();
        if (!missing.isEmpty()) return new Recorded.Not(Fault.missing(missing));
        var done =
                message.observed(text, clock.instant())
                        .then(event ->
                                stored(event, caller)
                                        .map(number -> new Recorded.Event(event, number, message)));
        return switch (done) {
            case Outcome.Done<Recorded.Event>(var event) -> event;
            case Outcome.Refused<Recorded.Event>(var refusal) -> throw new Rejected(refusal);
        };
    }

    private Outcome<Long> stored(Observation event, Caller caller) {
        return transactions.write(() -> record.record(List.of(event), caller)).getFirst();
    }

    Outcome<Posted> many(Exchange x, IdempotentRequests repeatable) {
        var items = Batches.read(x.request().body(), clock.instant());
        if (items.size() > HookCalls.BATCH_MAX) {
            return Outcome.refused(
                    new RequestRefusal.TooMany("events in one batch", HookCalls.BATCH_MAX));
        }
        var results = new ArrayList<PostedEvent>(items.size());
        for (int from = 0; from < items.size(); from += EVENTS_PER_WRITE_MAX) {
            int to = Math.min(items.size(), from + EVENTS_PER_WRITE_MAX);
            var part = items.subList(from, to);
            try {
                var stored =
                        repeatable.performPart(
                                x,
                                HookCalls.BATCH,
                                from / EVENTS_PER_WRITE_MAX,
                                () -> Outcome.done(posted(part(part, x.caller()))));
                switch (stored) {
                    case Outcome.Done<Posted>(var posted) -> results.addAll(posted.results());
                    case Outcome.Refused<Posted> refused -> {
                        return refused;
                    }
                }
            } catch (CannotWrite e) {
                if (results.isEmpty()) throw e;
                var why = "not stored: " + e.getMessage();
                part.forEach(
                        _ -> results.add(new PostedEvent(null, Code.STORE_UNWRITABLE.word(), why)));
            }
        }
        return Outcome.done(posted(results));
    }

    private static Posted posted(List<PostedEvent> results) {
        int stored = (int) results.stream().filter(r -> r.id() != null).count();
        return new Posted(stored, results.size() - stored, results);
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
