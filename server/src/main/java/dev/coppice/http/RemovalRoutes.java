package dev.coppice.http;

import dev.coppice.access.Need;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RemovalRefusal;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.removal.PlanRemoval;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalId;
import dev.coppice.removal.Removals;
import dev.coppice.removal.RemoveTree;
import dev.coppice.removal.UndoRemoval;
import dev.coppice.session.Session;
import dev.coppice.view.DeletionView;
import dev.coppice.view.RemovalViews;
import dev.coppice.web.Bell;
import dev.coppice.web.Exchange;
import dev.coppice.web.Method;
import dev.coppice.web.Problems;
import dev.coppice.web.Rejected;
import dev.coppice.web.Reply;
import dev.coppice.web.Route;
import dev.coppice.wire.Json;
import dev.coppice.work.Errands;
import dev.coppice.work.WorkSeen;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;
import java.util.stream.Stream;

/** Taking sessions away and putting them back, in our words and in the original's. */
public final class RemovalRoutes {
    private final Room room;
    private final Removing removing;
    private final RemovalsSeen seen;
    private final RemovalWaits waits;
    private final LookingAtWork looking;
    private final DeletionView deletions;

    /** The commands, and where removals are kept. */
    public record Removing(
            Removals kept,
            Errands errands,
            PlanRemoval plan,
            RemoveTree remove,
            UndoRemoval undo,
            LookingAtWork looking,
            Duration deadline) {}

    public RemovalRoutes(Room room, Removing removing, Bell bell, InstantSource clock) {
        this.room = room;
        this.removing = removing;
        this.seen = new RemovalsSeen(room, removing.kept(), removing.errands());
        this.waits = new RemovalWaits(room.transactions(), removing.kept(), bell, clock);
        this.looking = removing.looking();
        this.deletions = new DeletionView(removing.kept(), removing.errands());
    }

    public List<Route> routes() {
        return Stream.concat(ofSessions().stream(), ofRemovals().stream()).toList();
    }

    private static Route.Query waiting() {
        return new Route.Query("wait", "answer when it is hidden or over, or after this long");
    }

    private List<Route> ofSessions() {
        var wait = waiting();
        return List.of(
                Route.get(
                                "/sessions/{id}/removal-plan",
                                Need.READ,
                                "See what a removal would take, and what speaks against it",
                                this::plan)
                        .with(RemovalAsked.CHOICES.toArray(Route.Query[]::new))
                        .with(RemovalAsked.SEEDS.toArray(Route.Query[]::new)),
                Route.post(
                                "/sessions/{id}/removal",
                                Need.ACT,
                                "Take the session away, and all below it unless 'children' says"
                                        + " otherwise; refused while something runs, unless"
                                        + " 'running' is 'stop'. The body takes the words of the"
                                        + " plan, 'reason' and 'confirm'",
                                this::remove)
                        .with(wait),
                Route.of(
                                Method.DELETE,
                                "/sessions/{id}",
                                Need.ACT,
                                "Take the session away, and all below it too unless cascade=false;"
                                        + " can be undone for a while",
                                this::delete)
                        .with(RemovalAsked.SEEDS.toArray(Route.Query[]::new))
                        .with(RemovalAsked.ORIGINAL.toArray(Route.Query[]::new)));
    }

    private List<Route> ofRemovals() {
        var wait = waiting();
        var after = new Route.Query("after", "the cursor 'next' of the page before");
        var limit = new Route.Query("limit", "how many at most; 100 by default");
        return List.of(
                Route.get("/removals", Need.READ, "List removals, the newest first", this::list)
                        .with(after, limit),
                Route.get("/removals/{removal}", Need.READ, "Read a removal", this::read)
                        .with(wait),
                Route.get(
                                "/removals/{removal}/sessions",
                                Need.READ,
                                "List the sessions that a removal takes",
                                this::members)
                        .with(after, limit),
                Route.post(
                                "/removals/{removal}/undo",
                                Need.ACT,
                                "Put back what is hidden, exactly as it was",
                                this::undo)
                        .with(wait),
                Route.post(
                        "/removals/{removal}/cancel",
                        Need.ACT,
                        "Call off a removal that has hidden nothing yet",
                        this::cancel),
                Route.post(
                        "/removals/{removal}/abandon",
                        Need.DEFINE,
                        "Go on without what cannot be reached; needs a reason",
                        this::abandon),
                Route.post(
                                "/removals/{removal}/purge",
                                Need.DEFINE,
                                "Delete what is hidden for good, without waiting for its time",
                                this::purge)
                        .with(wait));
    }

    private Reply plan(Exchange x) {
        var choices = RemovalAsked.either(x, removing.deadline());
        var reason = Room.ASKED.label("reason", x.query("reason"));
        return plan(
                x,
                new RemoveTree.Request(
                        choices, RemovalAsked.who(x), reason, null, WorkSeen.NOTHING));
    }

    private Reply plan(Exchange x, RemoveTree.Request request) {
        var choices = request.choices();
        // Runners look while no transaction is open: they may take their time.
        var allowed =
                room.transactions()
                        .read(() -> room.access().session(x.caller(), Need.READ, x.session()));
        var plan =
                allowed.then(
                        s -> removing.plan().plan(s.id(), choices, looking.at(s.id(), choices)));
        return x.reply(plan, p -> Reply.ok(withRefusals(RemovalViews.shown(p), x, request)));
    }

    /** What speaks against this caller's asking for it, whatever the tree is like. */
    private ObjectNode withRefusals(ObjectNode plan, Exchange x, RemoveTree.Request request) {
        var against = new ArrayList<Refusal>();
        var may =
                room.transactions()
                        .read(() -> room.access().session(x.caller(), Need.ACT, x.session()));
        if (may instanceof Outcome.Refused<Session>(var refusal)) against.add(refusal);
        RemovalAsked.notForAgents(x, request.choices()).ifPresent(against::add);
        RemoveTree.unexplained(request).ifPresent(against::add);
        for (var refusal : against) RemovalViews.refuse(plan, Problems.kind(refusal), refusal);
        return plan;
    }

    private Reply remove(Exchange x) {
        var body = x.json();
        Function<String, @Nullable String> said = field -> Json.text(body, field);
        var request = read(x, () -> RemovalAsked.ours(x, said, removing.deadline()));
        var patience = x.patience("wait");
        var begun = x.reply(begun(x, request), this::now);
        return waited(begun, patience);
    }

    /**
     * Who is turned away at the door is written down as well. Looking is one transaction and doing
     * another: runners look in between.
     */
    private Outcome<Removal> begun(Exchange x, RemoveTree.Request request) {
        var allowed =
                room.transactions()
                        .read(() -> room.access().session(x.caller(), Need.ACT, x.session()));
        if (allowed instanceof Outcome.Refused<Session>(var refusal)) {
            removing.remove().turnedAway(x.session(), request, refusal);
        }
        return allowed.then(
                        _ -> unless(x, request, RemovalAsked.notForAgents(x, request.choices())))
                .then(_ -> joinedOrBegun(x, request));
    }

    /** Who joins what is under way need not wait for another look. */
    private Outcome<Removal> joinedOrBegun(Exchange x, RemoveTree.Request request) {
        var top = x.session();
        var joined = removing.remove().joinable(top);
        if (joined.isPresent()) {
            return seen(x, request, joined.get())
                    .then(removal -> removing.remove().join(top, removal, request));
        }
        Optional<Refusal> tooOften =
                x.caller().isAgent() ? removing.remove().tooOften(top) : Optional.empty();
        return unless(x, request, tooOften)
                .then(_ -> {
                    var work = looking.at(top, request.choices());
                    return removing.remove().begin(top, request.with(work));
                })
                .then(r -> seen(x, request, r));
    }

    /** Decisions to refuse are written down, also those that need no look. */
    private <T> T read(Exchange x, Supplier<T> asked) {
        try {
            return asked.get();
        } catch (Rejected e) {
            removing.remove().unreadable(x.session(), RemovalAsked.who(x), e.refusal());
            throw e;
        }
    }

    /** Refusals of what only agents may not do are written down as well. */
    private Outcome<SessionId> unless(
            Exchange x, RemoveTree.Request request, Optional<Refusal> not) {
        if (not.isEmpty()) return Outcome.done(x.session());
        removing.remove().turnedAway(x.session(), request, not.get());
        return Outcome.refused(not.get());
    }

    /** Who joins the removal of one above itself is not shown what is above itself. */
    private Outcome<Removal> seen(Exchange x, RemoveTree.Request request, Removal removal) {
        if (room.transactions().read(() -> seen.sees(x, removal))) return Outcome.done(removal);
        var not = new RemovalRefusal.TreeIsBeingRemoved(x.session(), removal.id().value());
        removing.remove().turnedAway(x.session(), request, not);
        return Outcome.refused(not);
    }

    private Reply waited(Reply reply, Duration patience) {
        if (patience.isZero() || !(reply instanceof Reply.Body(_, ObjectNode body))) return reply;
        var id = Json.text(body, "removal_id");
        return id == null ? reply : waits.untilSettled(new RemovalId(id), patience, seen::shown);
    }

    /** The seed's face: it waits, and tells what went. */
    private Reply delete(Exchange x) {
        var request = read(x, () -> RemovalAsked.original(x, removing.deadline()));
        if (RemovalAsked.isSo(x, "dry_run", false)) return plan(x, request);
        var begun = begun(x, request);
        return x.reply(
                begun,
                removal -> {
                    var patience =
                            x.query("wait") == null
                                    ? request.choices().deadline().plusSeconds(10)
                                    : x.patience("wait");
                    return waits.untilSettled(removal.id(), patience, deletions::of, seen::shown);
                });
    }

    private Reply list(Exchange x) {
        var cursor = x.cursor();
        return room.transactions()
                .read(() -> {
                    var page = removing.kept().list(cursor);
                    var body = Json.object();
                    var shown = body.putArray("removals");
                    for (var r : page.items()) if (seen.sees(x, r)) shown.add(seen.shown(r));
                    return Reply.ok(body.put("next", page.next()));
                });
    }

    private Reply read(Exchange x) {
        var patience = x.patience("wait");
        return seen.one(
                x,
                r ->
                        patience.isZero()
                                ? Reply.ok(seen.whole(r))
                                : waits.untilSettled(r.id(), patience, seen::whole));
    }

    private Reply members(Exchange x) {
        var cursor = x.cursor();
        return seen.one(
                x,
                r -> {
                    var page = removing.kept().members(r.id(), cursor);
                    var body = Json.object().put("removal_id", r.id().value());
                    var shown = body.putArray("sessions");
                    page.items().forEach(m -> shown.add(RemovalViews.shown(m, r)));
                    return Reply.ok(body.put("next", page.next()));
                });
    }

    private Reply undo(Exchange x) {
        var names =
                "true".equals(Json.text(x.json(), "rename")) || x.flag("rename")
                        ? UndoRemoval.Names.RENAME
                        : UndoRemoval.Names.REFUSE;
        var patience = x.patience("wait");
        return acting(
                x,
                "undo",
                id ->
                        x.reply(
                                removing.undo().undo(id, names, RemovalAsked.who(x)),
                                undo -> undone(undo, patience)));
    }

    private Reply undone(UndoRemoval.Undo undo, Duration patience) {
        Function<Removal, ObjectNode> view =
                r -> {
                    var body = seen.shown(r);
                    var left = body.putArray("not_reattached");
                    undo.notReattached().stream().map(SessionId::value).forEach(left::add);
                    return body;
                };
        return patience.isZero()
                ? room.transactions().read(() -> Reply.ok(view.apply(undo.removal())))
                : waits.untilSettled(undo.removal().id(), patience, view);
    }

    private Reply cancel(Exchange x) {
        var said = Room.ASKED.label("reason", Json.text(x.json(), "reason"));
        var reason = said == null ? "called off by " + x.caller().key() : said;
        return acting(
                x,
                "cancel",
                id ->
                        x.reply(
                                removing.remove().callOff(id, RemovalAsked.who(x), reason),
                                this::now));
    }

    private Reply abandon(Exchange x) {
        var reason = Room.ASKED.label("reason", Json.text(x.json(), "reason"));
        return acting(
                x,
                "abandon",
                id ->
                        x.reply(
                                removing.remove().goOnWithout(id, RemovalAsked.who(x), reason),
                                this::now));
    }

    private Reply purge(Exchange x) {
        var patience = x.patience("wait");
        return waited(
                acting(
                        x,
                        "purge",
                        id ->
                                x.reply(
                                        removing.remove().purgeNow(id, RemovalAsked.who(x)),
                                        this::now)),
                patience);
    }

    /** Whoever may act on the session may act on its removal; nobody acts on their own. */
    private Reply acting(Exchange x, String act, Function<RemovalId, Reply> then) {
        var id = new RemovalId(x.path("removal"));
        var found =
                room.transactions()
                        .read(() -> removing.kept().find(id).filter(r -> seen.sees(x, r)));
        if (found.isEmpty()) return turnedAway(x, act, id, RemovalsSeen.unknown(id));
        boolean own = found.get().top().id().equals(x.caller().session());
        return own
                ? turnedAway(x, act, id, new RequestRefusal.NotAllowed("act on removal " + id))
                : then.apply(id);
    }

    private Reply now(Removal removal) {
        return room.transactions().read(() -> Reply.ok(seen.shown(removal)));
    }

    private Reply turnedAway(Exchange x, String act, RemovalId id, Refusal refusal) {
        removing.remove().turnedAway("removal." + act, id, RemovalAsked.who(x), refusal);
        return Problems.reply(refusal);
    }
}
