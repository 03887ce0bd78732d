package dev.coppice.http;

import dev.coppice.access.Need;
import dev.coppice.callback.About;
import dev.coppice.callback.AskAgain;
import dev.coppice.callback.Callback;
import dev.coppice.callback.CallbackFilter;
import dev.coppice.callback.CallbackId;
import dev.coppice.callback.Callbacks;
import dev.coppice.callback.Join;
import dev.coppice.callback.JoinChildren;
import dev.coppice.callback.JoinId;
import dev.coppice.callback.Joins;
import dev.coppice.callback.SendMessage;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.CallbackRefusal;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.session.Session;
import dev.coppice.view.CallbackViews;
import dev.coppice.view.Lengths;
import dev.coppice.web.Exchange;
import dev.coppice.web.Once;
import dev.coppice.web.Rejected;
import dev.coppice.web.Reply;
import dev.coppice.web.Route;
import dev.coppice.wire.CallbackView;
import dev.coppice.wire.JoinRequest;
import dev.coppice.wire.JoinView;
import dev.coppice.wire.MessageRequest;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** What wakes sessions: callbacks, the joins they wait in, and messages to them. */
public final class CallbackRoutes {
    private static final Set<String> STATES =
            Set.of("owed", "held", "carried", "delivered", "joined", "dead");
    private static final Duration JOIN_PATIENCE = Duration.ofHours(1);
    private static final Duration JOIN_PATIENCE_MAX = Duration.ofDays(30);
    private static final Duration STOP_DEADLINE = Duration.ofSeconds(5);
    private static final int JOIN_CHILDREN_MAX = 1_000;

    private final Room room;
    private final Kept kept;
    private final Commands commands;
    private final Once once;

    /** Where callbacks and joins are kept. */
    public record Kept(Callbacks callbacks, Joins joins) {}

    /** What can be asked for. */
    public record Commands(SendMessage send, JoinChildren join, AskAgain again) {}

    public CallbackRoutes(Room room, Kept kept, Commands commands, Once once) {
        this.room = room;
        this.kept = kept;
        this.commands = commands;
        this.once = once;
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/callbacks", Need.READ, "List callbacks, newest first", this::list)
                        .paged()
                        .with(
                                new Route.Query("state", "a state, or several with commas"),
                                new Route.Query("session_id", "only those that wake this session")),
                Route.get("/callbacks/{callback}", Need.READ, "Read a callback", this::read)
                        .gives(CallbackView.class),
                Route.post(
                                "/callbacks/{callback}/redeliver",
                                Need.ACT,
                                "Have a dead callback delivered again",
                                this::again)
                        .gives(CallbackView.class),
                Route.post(
                                "/sessions/{id}/messages",
                                Need.ACT,
                                "Say something to a living session",
                                this::send)
                        .takes(MessageRequest.class)
                        .gives(CallbackView.class),
                Route.post(
                                "/sessions/{id}/joins",
                                Need.SPAWN,
                                "Have the session woken when enough of its children have ended",
                                this::join)
                        .takes(JoinRequest.class)
                        .gives(JoinView.class),
                Route.get("/joins/{join}", Need.READ, "Read a join", this::readJoin)
                        .gives(JoinView.class));
    }

    private Reply list(Exchange x) {
        var states = states(x.query("state"));
        var to = Room.ASKED.sessionId(x.query("session_id"));
        return room.transactions()
                .read(() -> {
                    if (to != null && !room.access().sees(x.caller(), to)) {
                        throw new Rejected(new SessionRefusal.SessionUnknown(to.value()));
                    }
                    var filter = new CallbackFilter(states, to, x.caller().session());
                    var page = kept.callbacks().list(filter, x.cursor());
                    return Reply.ok(Listed.as("callbacks", page, CallbackViews::callback));
                });
    }

    private static Set<String> states(@Nullable String asked) {
        if (asked == null) return Set.of();
        var states = new LinkedHashSet<String>();
        for (var word : asked.split(",", -1)) {
            if (!STATES.contains(word)) {
                var all = String.join(", ", STATES.stream().sorted().toList());
                throw Room.ASKED.bad("state", word, "one of " + all);
            }
            states.add(word);
        }
        return states;
    }

    private Reply read(Exchange x) {
        return room.transactions()
                .read(() -> x.reply(found(x), c -> Reply.ok(CallbackViews.callback(c))));
    }

    private Outcome<Callback> found(Exchange x) {
        var id = new CallbackId(x.path("callback"));
        return kept.callbacks()
                .find(id)
                .filter(c -> room.access().sees(x.caller(), c.to()))
                .<Outcome<Callback>>map(Outcome::done)
                .orElseGet(() -> Outcome.refused(new CallbackRefusal.CallbackUnknown(id.value())));
    }

    private Reply again(Exchange x) {
        return room.transactions()
                .write(() ->
                        x.reply(
                                found(x).then(c -> mayAct(x, c))
                                        .then(c -> commands.again().again(c.id())),
                                c -> Reply.ok(CallbackViews.callback(c))));
    }

    private Outcome<Callback> mayAct(Exchange x, Callback callback) {
        return room.access().session(x.caller(), Need.ACT, callback.to()).map(_ -> callback);
    }

    private Reply send(Exchange x) {
        return once.perform(x, () -> room.writing(x, Need.ACT, s -> send(x, s)));
    }

    private Reply send(Exchange x, Session to) {
        var body = x.body(MessageRequest.class);
        var asked = Room.ASKED.word("when_busy", body.whenBusy(), About.WhenBusy.class);
        var whenBusy = asked == null ? About.WhenBusy.QUEUE : asked;
        var message = new About.Message(text(body), x.caller().session(), whenBusy);
        var deadline = duration("deadline", body.deadline(), STOP_DEADLINE);
        return x.reply(
                commands.send().send(to.id(), message, deadline),
                c -> Reply.created(CallbackViews.callback(c)));
    }

    private static String text(MessageRequest body) {
        var text = body.text();
        if (text == null || text.isBlank()) throw Room.ASKED.bad("text", "", "given");
        int size = Bounds.bytesOf(text);
        if (size > Bounds.PARAMETERS_BYTES_MAX) {
            throw new Rejected(
                    new RequestRefusal.TooLarge("text", size, Bounds.PARAMETERS_BYTES_MAX));
        }
        return text;
    }

    private static Duration duration(String field, @Nullable String asked, Duration absent) {
        if (asked == null) return absent;
        var read = Lengths.read(asked);
        if (read == null) throw Room.ASKED.bad(field, asked, Lengths.RULE);
        return read;
    }

    private Reply join(Exchange x) {
        return once.perform(x, () -> room.writing(x, Need.SPAWN, s -> join(x, s)));
    }

    private Reply join(Exchange x, Session by) {
        var body = x.body(JoinRequest.class);
        var children = body.children();
        if (children == null || children.isEmpty() || children.size() > JOIN_CHILDREN_MAX) {
            throw Room.ASKED.bad(
                    "children",
                    children == null ? "" : children.size() + " of them",
                    "1 to %d names or ids".formatted(JOIN_CHILDREN_MAX));
        }
        var kind = Room.ASKED.word("until", body.until(), Join.Kind.class);
        var until = until(kind == null ? Join.Kind.ALL : kind, body.count(), children.size());
        var patience = duration("timeout", body.timeout(), JOIN_PATIENCE);
        if (patience.isZero() || patience.compareTo(JOIN_PATIENCE_MAX) > 0) {
            throw Room.ASKED.bad("timeout", String.valueOf(body.timeout()), "up to 30d, and not 0");
        }
        return x.reply(
                ids(x, children).then(ids -> commands.join().open(by.id(), ids, until, patience)),
                j -> Reply.created(CallbackViews.join(j)));
    }

    private static Join.Until until(Join.Kind kind, @Nullable Integer count, int children) {
        if (kind != Join.Kind.SOME) return new Join.Until(kind, 0);
        if (count == null || count < 1 || count > children) {
            var rule = "from 1 to %d, the number of children".formatted(children);
            throw Room.ASKED.bad("count", String.valueOf(count), rule);
        }
        return new Join.Until(kind, count);
    }

    /** By name first: names are what agents give to their children. */
    private Outcome<List<SessionId>> ids(Exchange x, List<String> children) {
        var ids = new ArrayList<SessionId>();
        for (var child : children) {
            var named = room.sessions().named(child).map(Session::id);
            if (named.isEmpty() && !SessionId.isShapely(child)) {
                return Outcome.refused(new SessionRefusal.SessionUnknown(child));
            }
            var id = named.orElseGet(() -> new SessionId(child));
            if (!room.access().sees(x.caller(), id)) {
                return Outcome.refused(new SessionRefusal.SessionUnknown(child));
            }
            ids.add(id);
        }
        return Outcome.done(ids);
    }

    private Reply readJoin(Exchange x) {
        var id = x.path("join");
        return room.transactions()
                .read(() ->
                        x.reply(
                                kept.joins()
                                        .find(new JoinId(id))
                                        .filter(j -> room.access().sees(x.caller(), j.by()))
                                        .<Outcome<Join>>map(Outcome::done)
                                        .orElseGet(() ->
                                                Outcome.refused(
                                                        new CallbackRefusal.JoinUnknown(id))),
                                j -> Reply.ok(CallbackViews.join(j))));
    }
}
