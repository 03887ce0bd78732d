package dev.coppice.hooks;

import dev.coppice.ask.Ask;
import dev.coppice.ask.Ask.End;
import dev.coppice.ask.Ask.Otherwise;
import dev.coppice.ask.AskPerson;
import dev.coppice.ask.Asks;
import dev.coppice.ask.ToolGate;
import dev.coppice.ask.ToolUse;
import dev.coppice.audit.Act;
import dev.coppice.audit.Audit;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Topic;
import dev.coppice.kernel.Transactions;
import dev.coppice.operations.Watch;
import dev.coppice.outside.OutsideProcesses;
import dev.coppice.request.Reply;
import dev.coppice.request.Wait;
import dev.coppice.session.Session;
import dev.coppice.session.Sessions;
import dev.coppice.web.Exchange;
import dev.coppice.wire.Json;
import dev.coppice.wire.event.ToolInput;
import dev.coppice.wire.observe.HookCalls;
import dev.coppice.wire.observe.HookCalls.Program;
import dev.coppice.word.Verdict;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.Optional;
import java.util.Set;

/**
 * Answers programs that ask before they use a tool. A stop, a limit, a budget or a standing answer
 * decides at once; otherwise a person decides while the hook waits.
 */
public final class Decisions {
    /** A question must close soon after its program hangs up. */
    private static final Duration SILENCE_OF_HELD = Duration.ofSeconds(1);

    private static final String US = "Coppice: ";

    /** The events that follow the answer to a question. */
    private static final Set<String> GOES_ON =
            Set.of(
                    "PostToolUse",
                    "PostToolUseFailure",
                    "PermissionDenied",
                    "UserPromptSubmit",
                    "Stop",
                    "SubagentStop",
                    "SessionEnd");

    private final Transactions transactions;
    private final Sessions sessions;
    private final ToolGate gate;
    private final Asks asks;
    private final AskPerson person;
    private final Watch watch;
    private final OutsideProcesses outside;
    private final Audit audit;
    private final String host;

    private final HeldPlaces places = new HeldPlaces(this::isOpen);

    public Decisions(
            Transactions transactions,
            Sessions sessions,
            ToolGate gate,
            Asks asks,
            AskPerson person,
            Watch watch,
            OutsideProcesses outside,
            Audit audit,
            String host) {
        this.transactions = transactions;
        this.sessions = sessions;
        this.gate = gate;
        this.asks = asks;
        this.person = person;
        this.watch = watch;
        this.outside = outside;
        this.audit = audit;
        this.host = host;
    }

    /** An event of a program, under its number and the node of the tree that sent it. */
    record Event(Program program, String type, JsonNode body, long number, SessionId node) {
        boolean hasTool() {
            return body.has("tool_name");
        }

        boolean isAboutTool() {
            return type.equals(HookAnswers.BEFORE_TOOL)
                    || type.equals(HookAnswers.PERMISSION)
                    || type.equals(HookAnswers.SPAWN);
        }
    }

    /** The answer that the hook waits for. */
    Reply answer(Exchange x, Event event) {
        if (event.type().equals("UserPromptSubmit") && !x.caller().isAgent()) prompted(x, event);
        var use = use(event.body());
        if (GOES_ON.contains(event.type())) wentOn(event, use);
        if (!event.isAboutTool()) return Reply.ok(HookAnswers.NOTHING);
        var patience = patience(x);
        var node = event.node();
        var decided = transactions.read(() -> gate.decide(node, use));
        if (decided.isPresent() && decided.get().verdict() != Verdict.ASK) {
            return decided(event, use, decided.get());
        }
        boolean isAsked = event.type().equals(HookAnswers.PERMISSION);
        if (!isAsked && decided.isEmpty()) return Reply.ok(HookAnswers.NOTHING);
        if (!isAsked && HookAnswers.canAsk(event.program())) {
            var why = reason(decided.orElseThrow());
            return reply(event, Verdict.ASK, why);
        }
        if (patience == null) return Reply.ok(HookAnswers.NOTHING);
        return held(x, event, use, patience);
    }

    /** Withdraws questions that a person has answered in the program's own window. */
    private void wentOn(Event event, ToolUse use) {
        var cursor = Cursor.first(Bounds.PAGE_ITEMS_MAX);
        var open = transactions.read(() -> asks.open(event.node(), cursor));
        for (var ask : open.items()) {
            boolean isOver = !event.hasTool() || ask.use().equals(use.shortly());
            if (isOver && ask.session().equals(event.node())) {
                person.giveUp(ask.id(), End.WITHDRAWN);
            }
        }
    }

    /**
     * A prompt of the program's own person resumes a stopped session. Any holder of the hook's
     * token could send one, so the connection must come from the process that a runner has
     * confirmed for the session, or from a descendant of it.
     */
    private void prompted(Exchange x, Event event) {
        boolean isQuiet =
                transactions
                        .read(() -> session(event))
                        .filter(session -> session.standing().quiet() != null)
                        .isPresent();
        if (!isQuiet) return;
        var process = transactions.read(() -> outside.of(event.node()));
        var peer = x.request().peer();
        boolean isKnown =
                process.isPresent()
                        && process.get().start() != null
                        && process.get().host().equals(host);
        if (!isKnown || peer == null) return;
        var sender = PeerProcess.of(peer);
        long pid = process.get().pid();
        if (sender.isEmpty() || !PeerProcess.isWithin(sender.getAsLong(), pid)) return;
        transactions.write(() -> {
            gate.prompted(event.node());
            audit.append(resumed(x, event, pid));
            return event;
        });
    }

    private Act resumed(Exchange x, Event event, long pid) {
        var who = x.who();
        var detail = "a prompt from its process " + pid + ", event " + event.number();
        var what = new Act.What("resume_by_prompt", event.node().value(), null, null, detail);
        var now = watch.clock().instant();
        return new Act(now, who, what, Act.Decision.allowed(null), null, null);
    }

    private static ToolUse use(JsonNode body) {
        var tool = Json.textIfAny(body, "tool_name");
        var input = body.path("tool_input");
        return new ToolUse(
                Bounds.firstOf(tool == null ? "unknown" : tool, Bounds.LABEL_CHARS_MAX),
                ToolInput.subject(input));
    }

    private Reply decided(Event event, ToolUse use, ToolGate.Decided decided) {
        var why = reason(decided);
        // An allowing answer is told only to a program that asked for permission.
        boolean isTold =
                decided.verdict() == Verdict.DENY || event.type().equals(HookAnswers.PERMISSION);
        if (!isTold) return Reply.ok(HookAnswers.NOTHING);
        transactions.write(() -> {
            var standing = decided.standing();
            if (standing != null) person.used(standing);
            if (decided.verdict() == Verdict.DENY) {
                session(event).ifPresent(s -> person.denied(s, use, why, standing));
            }
            return why;
        });
        return reply(event, decided.verdict(), why);
    }

    private Optional<Session> session(Event event) {
        return sessions.find(event.node());
    }

    private static String reason(ToolGate.Decided decided) {
        var refusal = decided.refusal();
        if (refusal != null) return US + refusal.said();
        var standing = decided.standing();
        if (standing == null) return US + "decided";
        var reason = standing.reason();
        return US
                + (reason == null
                        ? "%s is answered for %s until %s"
                                .formatted(
                                        standing.pattern(),
                                        standing.sessionName(),
                                        standing.until())
                        : reason);
    }

    private static Reply reply(Event event, Verdict verdict, String reason) {
        return Reply.ok(answer(event, verdict, reason));
    }

    private static Object answer(Event event, Verdict verdict, String reason) {
        return HookAnswers.of(event.program(), event.type(), verdict, reason);
    }

    private Reply held(Exchange x, Event event, ToolUse use, AskPerson.Patience patience) {
        var place = places.take(x.caller().key());
        if (place.isEmpty()) return crowded(event, patience);
        var ask =
                places.ask(
                        place.get(),
                        () -> transactions.write(() -> asked(event, use.shortly(), patience)));
        if (ask.isEmpty()) return crowded(event, patience);
        return new Reply.Patient(200, wait(event, ask.get(), place.get(), patience));
    }

    private Optional<Ask> asked(Event event, ToolUse use, AskPerson.Patience patience) {
        return session(event).flatMap(s -> person.open(s, event.number(), use, patience));
    }

    private static Reply crowded(Event event, AskPerson.Patience patience) {
        return Reply.ok(unanswered(event, patience.otherwise(), "too many questions are open"));
    }

    private Wait wait(Event event, Ask open, HeldPlaces.Place place, AskPerson.Patience patience) {
        var id = open.id();
        var until =
                watch.until(
                        new Watch.Subject(
                                new Topic.AskSettled(id),
                                () -> !isOpen(id),
                                () -> HookAnswers.NOTHING,
                                () -> settled(event, open)),
                        patience.length());
        return new Wait() {
            @Override
            public @Nullable Object within(Duration time) throws InterruptedException {
                return until.within(time);
            }

            @Override
            public Duration silenceMax() {
                return SILENCE_OF_HELD;
            }

            @Override
            public void close() {
                places.leave(place);
                if (isOpen(id)) person.giveUp(id, End.WITHDRAWN);
            }
        };
    }

    private boolean isOpen(String id) {
        return transactions.read(() -> asks.find(id)).filter(Ask::isOpen).isPresent();
    }

    /** The answer to a settled question; a question that is still open has timed out. */
    private Object settled(Event event, Ask open) {
        if (isOpen(open.id())) person.giveUp(open.id(), End.UNANSWERED);
        var ask = transactions.read(() -> asks.find(open.id()));
        // The session was removed, and its questions with it.
        if (ask.isEmpty()) return answer(event, Verdict.DENY, US + "the session was removed");
        var end = ask.get().settled();
        if (end == null) return HookAnswers.NOTHING;
        var reason = end.reason();
        return switch (end.end()) {
            case ALLOWED -> answer(event, Verdict.ALLOW, US + "allowed");
            case DENIED ->
                    answer(
                            event,
                            Verdict.DENY,
                            US + (reason == null ? "a person denied this" : reason));
            case UNANSWERED, WITHDRAWN ->
                    unanswered(event, open.otherwise(), "nobody answered in time");
        };
    }

    private static Object unanswered(Event event, Otherwise otherwise, String why) {
        return otherwise == Otherwise.DENY
                ? answer(event, Verdict.DENY, US + why)
                : HookAnswers.NOTHING;
    }

    /** Reads from the address how long the hook waits; null if it does not. */
    private static AskPerson.@Nullable Patience patience(Exchange x) {
        var hold = x.query("hold");
        if (hold == null) return null;
        var otherwise = x.query("otherwise");
        if (otherwise != null && !otherwise.equals("deny")) {
            throw bad("otherwise", otherwise, "deny, or left out");
        }
        try {
            var length = Duration.ofSeconds(Long.parseLong(hold));
            if (length.isPositive() && length.compareTo(HookCalls.HOLD_MAX) <= 0) {
                return new AskPerson.Patience(
                        length, otherwise == null ? Otherwise.NOTHING : Otherwise.DENY);
            }
        } catch (NumberFormatException _) {
            // Refused below, as a number out of range is.
        }
        throw bad("hold", hold, "a number of seconds from 1 to " + HookCalls.HOLD_MAX.toSeconds());
    }

    private static Rejected bad(String field, String value, String rule) {
        return new Rejected(new RequestRefusal.BadValue(field, value, rule));
    }
}
