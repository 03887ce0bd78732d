package dev.coppice.removal;

import dev.coppice.audit.Act;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Counted;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.Ids;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RemovalRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Topic;
import dev.coppice.run.Ports;
import dev.coppice.session.Ancestor;
import dev.coppice.session.Session;
import dev.coppice.word.Choice;
import dev.coppice.work.InspectedWork;
import dev.coppice.work.Workplaces;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/**
 * Begins and cancels removals. A second request joins the removal under way. The steps that follow
 * are in the package {@code step}.
 */
public record RemoveTree(
        Ports ports,
        Removals removals,
        Workplaces workplaces,
        PlanRemoval planner,
        RemovalAudit audit,
        RemovalMoves moves,
        Ids ids) {
    private static final System.Logger LOG = System.getLogger("removal");
    private static final int LOGGED_MAX = 100;
    private static final int BY_AGENTS_MAX = 10;

    /**
     * The choices, the caller and its reason, the digest of the confirmed plan, and the inspected
     * work.
     */
    public record Request(
            Choices choices,
            Act.Who by,
            @Nullable String reason,
            @Nullable String confirm,
            InspectedWork work) {
        public Request with(InspectedWork seen) {
            return new Request(choices, by, reason, confirm, seen);
        }
    }

    public Outcome<Removal> begin(SessionId top, Request request) {
        return ports.transactions()
                .write(() -> {
                    var session = ports.sessions().find(top);
                    if (session.isEmpty()) return Outcome.refused(planner.gone(top));
                    var joined = underWay(top);
                    var unexplained = unexplained(request);
                    Outcome<Removal> outcome;
                    if (joined.isPresent()) outcome = join(top, joined.get(), request);
                    else if (unexplained.isPresent()) outcome = Outcome.refused(unexplained.get());
                    else outcome = begin(session.get(), request);
                    if (outcome instanceof Outcome.Refused<Removal>(var refusal)) {
                        audit.refused(request.choices(), request.by(), session.get(), refusal);
                    }
                    return outcome;
                });
    }

    /** The removal under way that a request would join; work need not be inspected for it. */
    public Optional<Removal> joinable(SessionId id) {
        return ports.transactions()
                .read(() ->
                        underWay(id).filter(r -> joined(id, r) instanceof Outcome.Done<Removal>));
    }

    /** Joins a removal under way. The request is audited. */
    public Outcome<Removal> join(SessionId id, Removal removal, Request request) {
        return ports.transactions()
                .write(() -> {
                    var outcome = joined(id, removal);
                    if (outcome instanceof Outcome.Done<Removal>) {
                        audit.joined(
                                id, removal, request.choices(), request.by(), request.reason());
                    }
                    return outcome;
                });
    }

    /** Audits a malformed request. */
    public void unreadable(SessionId id, Act.Who by, Refusal refusal) {
        ports.transactions()
                .write(() -> {
                    audit.unreadable(id, by, refusal);
                    return id;
                });
    }

    /** Audits a request that was refused before there was a plan. */
    public void auditRefusal(SessionId id, Request request, Refusal refusal) {
        ports.transactions()
                .write(() -> {
                    audit.auditRefusal(id, request.choices(), request.by(), refusal);
                    return id;
                });
    }

    /** Audits a refused act on a removal, which may be unknown. */
    public void auditRefusal(String act, RemovalId id, Act.Who by, Refusal refusal) {
        ports.transactions()
                .write(() -> {
                    audit.auditRefusal(act, id.value(), by, refusal);
                    return id;
                });
    }

    /** The removal that covers the session or an ancestor. */
    private Optional<Removal> underWay(SessionId id) {
        return ports.sessions().ancestry(id).stream()
                .map(Ancestor::session)
                .flatMap(s -> Optional.ofNullable(s.standing().removal()).stream())
                .findFirst()
                .flatMap(r -> removals.find(new RemovalId(r)));
    }

    /**
     * Refuses to join a removal that brings its tree back, or that leaves this session where it is.
     */
    private static Outcome<Removal> joined(SessionId id, Removal removal) {
        boolean comesBack =
                removal.state() instanceof RemovalState.Undoing
                        || removal.state() instanceof RemovalState.TakingBack;
        boolean leaves = removal.detaches() && !removal.top().id().equals(id);
        return comesBack || leaves
                ? Outcome.refused(new RemovalRefusal.TreeIsBeingRemoved(id, removal.id().value()))
                : Outcome.done(removal);
    }

    /** Bounds how often an agent removes a tree: an undone removal leaves its files. */
    public Optional<Refusal> tooOften(SessionId top) {
        return ports.transactions()
                .read(() ->
                        removals.begunOf(top) < BY_AGENTS_MAX
                                ? Optional.empty()
                                : Optional.of(
                                        new RemovalRefusal.RemovedTooOften(top, BY_AGENTS_MAX)));
    }

    /** Refuses a choice that needs a reason and has none. */
    public static Optional<Refusal> unexplained(Request request) {
        boolean said = request.reason() != null && !request.reason().isBlank();
        return request.choices().critical() == Choice.Critical.OVERRIDE && !said
                ? Optional.of(new RemovalRefusal.ReasonMissing("Overriding critical operations"))
                : Optional.empty();
    }

    private Outcome<Removal> begin(Session top, Request request) {
        // Events are counted later, under the fence: counting a million takes long.
        var plan = planner.of(top, request.choices(), Survey.NOTHING, request.work());
        var confirm = request.confirm();
        if (confirm != null && !confirm.equals(plan.digest())) {
            return Outcome.refused(
                    new RemovalRefusal.PlanChanged(top.id(), confirm, plan.digest()));
        }
        if (!plan.objections().isEmpty()) return Outcome.refused(forbidden(plan));
        if (confirm == null && plan.discards()) {
            return Outcome.refused(new RemovalRefusal.WorkWouldBeLost(top.id()));
        }
        var now = ports.clock().instant();
        var covered = confirm == null ? null : plan.covered();
        var removal =
                new Removal(
                        RemovalId.made(ids),
                        new Removal.Top(top.id(), top.name(), top.place().parentId()),
                        request.choices(),
                        new Removal.Order(
                                request.by().name(),
                                request.reason(),
                                confirm != null,
                                covered == null ? null : covered.digest()),
                        new Removal.Taken(plan.sessions(), 0, 0, 0),
                        plan.digest(),
                        new RemovalState.Fencing(now, null),
                        new Removal.Times(now, null, null, null),
                        null);
        removals.add(removal);
        if (covered != null) workplaces.confirmed(removal.id().value(), covered.states());
        // Enlist the top first: from here on no session or run starts below it.
        removals.enlist(removal, 1);
        moves.tell(removal);
        audit.begun(top, removal, request.by());
        warn(removal, plan);
        ports.signals().raise(new Topic.RemovalDue());
        return Outcome.done(removal);
    }

    private static Refusal forbidden(RemovalPlan plan) {
        return new RemovalRefusal.RemovalForbidden(plan.top().id(), plan.objections());
    }

    private void warn(Removal removal, RemovalPlan plan) {
        long below = plan.sessions() - 1;
        if (below <= 0 || removal.detaches()) return;
        var some =
                ports.sessions()
                        .descendants(
                                removal.top().id(),
                                Bounds.TREE_DEPTH_MAX,
                                Cursor.first(LOGGED_MAX));
        var names = some.items().stream().map(Session::name).toList();
        LOG.log(
                System.Logger.Level.INFO,
                "{0} removes {1} ({2}) and {3} sessions below it: {4}{5}",
                removal.id(),
                plan.top().name(),
                removal.top().id(),
                below,
                String.join(", ", names),
                some.next() == null ? "" : ", …");
    }

    /** Logs the sessions as they are removed, if there were too many to log at the beginning. */
    public static void logged(Removal removal, List<Member> some) {
        if (removal.taken().sessions() <= LOGGED_MAX) return;
        var names = String.join(", ", some.stream().map(Member::name).toList());
        LOG.log(System.Logger.Level.INFO, "{0} removes these sessions: {1}", removal.id(), names);
    }

    /** Cancels a removal while no session is hidden or detached yet. */
    public Outcome<Removal> cancel(RemovalId id, Act.Who by, String reason) {
        return ports.transactions()
                .write(() -> {
                    var found = removals.find(id);
                    if (found.isEmpty())
                        return Outcome.refused(new RemovalRefusal.RemovalUnknown(id.value()));
                    var event = new RemovalEvent.CancelBegan(ports.clock().instant(), reason);
                    var not =
                            new RemovalRefusal.CannotBeCalledOff(
                                    id.value(), found.get().state().word());
                    return moves.asked(found.get(), event, by, not);
                });
    }

    /**
     * Stops waiting for sessions and hosts that do not answer. This needs a reason and is audited.
     */
    public Outcome<Removal> abandonUnreachable(RemovalId id, Act.Who by, @Nullable String reason) {
        if (reason == null || reason.isBlank()) {
            var missing =
                    new RemovalRefusal.ReasonMissing("Abandoning unreachable sessions and hosts");
            auditRefusal("removal.abandon", id, by, missing);
            return Outcome.refused(missing);
        }
        return ports.transactions()
                .write(() -> {
                    var found = removals.find(id);
                    if (found.isEmpty() || found.get().state().isOver()) {
                        var not =
                                found.<Refusal>map(r ->
                                                new RemovalRefusal.CannotBeAbandoned(
                                                        id.value(), r.state().word()))
                                        .orElseGet(() ->
                                                new RemovalRefusal.RemovalUnknown(id.value()));
                        audit.auditRefusal("removal.abandon", id.value(), by, not);
                        return Outcome.refused(not);
                    }
                    var removal = found.get().abandoning();
                    removals.save(removal);
                    audit.abandoned(removal, by, reason);
                    ports.signals().raise(new Topic.RemovalDue());
                    return Outcome.done(removal);
                });
    }

    private static Refusal inTheWay(RemovalId id, List<Removal> earlier) {
        var said =
                earlier.stream()
                        .map(r -> "'%s' of '%s'".formatted(r.id(), r.top().name()))
                        .toList();
        return new RemovalRefusal.EarlierCanBeUndone(id.value(), Counted.Few.of(said).toString());
    }

    /**
     * Purges before the undo window ends. Refused while a removal hidden below it can still be
     * undone.
     */
    public Outcome<Removal> purgeNow(RemovalId id, Act.Who by) {
        return ports.transactions()
                .write(() -> {
                    var found = removals.find(id);
                    if (found.isEmpty())
                        return Outcome.refused(new RemovalRefusal.RemovalUnknown(id.value()));
                    var event = new RemovalEvent.PurgeBegan(ports.clock().instant());
                    var not =
                            new RemovalRefusal.CannotBePurged(
                                    id.value(), found.get().state().word());
                    // While the removal is being announced it cannot be purged.
                    if (!(found.get().state() instanceof RemovalState.Hidden)) {
                        return moves.refused(found.get(), event, by, not);
                    }
                    var earlier = moves.swallowed(found.get());
                    return earlier.isEmpty()
                            ? moves.asked(found.get(), event, by, not)
                            : moves.refused(found.get(), event, by, inTheWay(id, earlier));
                });
    }
}
