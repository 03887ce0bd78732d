package dev.coppice.removal;

import dev.coppice.audit.Act;
import dev.coppice.audit.Audit;
import dev.coppice.budget.Spending;
import dev.coppice.callback.SettleRemoved;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.Ids;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RemovalRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Topic;
import dev.coppice.run.Desk;
import dev.coppice.session.Ancestor;
import dev.coppice.session.Session;
import dev.coppice.stop.StopTree;
import dev.coppice.work.DirectoryTasks;
import dev.coppice.work.InspectedWork;
import dev.coppice.work.Workplaces;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * Begins removals, and calls them off. Whoever asks twice joins the removal under way. What follows
 * is done step by step, by {@link RemovalSteps}.
 */
public final class RemoveTree {
    private static final System.Logger LOG = System.getLogger("removal");
    private static final int LOGGED_MAX = 100;
    private static final int BY_AGENTS_MAX = 10;
    private final Desk desk;
    private final Removals removals;
    private final Workplaces workplaces;
    private final PlanRemoval planner;
    private final RemovalAudit audit;
    private final RemovalMoves moves;
    private final Ids ids;

    public RemoveTree(Parts parts) {
        this.desk = parts.desk();
        this.removals = parts.removals();
        this.workplaces = parts.workplaces();
        this.planner = parts.planner();
        this.audit = new RemovalAudit(parts.audit(), parts.desk().clock());
        this.moves = new RemovalMoves(parts.desk(), parts.removals(), audit);
        this.ids = parts.ids();
    }

    /** What all commands on removals work with. */
    public record Parts(
            Desk desk,
            Removals removals,
            Audit audit,
            PlanRemoval planner,
            DirectoryTasks tasks,
            Workplaces workplaces,
            Backups backups,
            SettleRemoved callbacks,
            Spending spending,
            StopTree stopTree,
            Ids ids,
            Duration undoWindow) {}

    /** What is wanted: the choices, by whom and why, and the digest of the plan that was seen. */
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
        return desk.transactions()
                .write(() -> {
                    var session = desk.sessions().find(top);
                    if (session.isEmpty()) return Outcome.refused(planner.gone(top));
                    var joined = underWay(top);
                    var unexplained = unexplained(request);
                    Outcome<Removal> outcome;
                    if (joined.isPresent()) outcome = join(top, joined.get(), request);
                    else if (unexplained.isPresent()) outcome = Outcome.refused(unexplained.get());
                    else outcome = begin(session.get(), request);
                    if (outcome instanceof Outcome.Refused<Removal>(var refusal)) {
                        audit.refused(request, session.get(), refusal);
                    }
                    return outcome;
                });
    }

    /** What is under way already, so that nobody need look at anything first. */
    public Optional<Removal> joinable(SessionId id) {
        return desk.transactions()
                .read(() ->
                        underWay(id).filter(r -> joined(id, r) instanceof Outcome.Done<Removal>));
    }

    /** Whoever asks for what is under way is written down as well. */
    public Outcome<Removal> join(SessionId id, Removal removal, Request request) {
        return desk.transactions()
                .write(() -> {
                    var outcome = joined(id, removal);
                    if (outcome instanceof Outcome.Done<Removal>) {
                        audit.joined(request, id, removal);
                    }
                    return outcome;
                });
    }

    /** Somebody has asked in words that make no sense. */
    public void unreadable(SessionId id, Act.Who by, Refusal refusal) {
        desk.transactions()
                .write(() -> {
                    audit.unreadable(id, by, refusal);
                    return id;
                });
    }

    /** Somebody was turned away before it came to a plan. */
    public void auditRefusal(SessionId id, Request request, Refusal refusal) {
        desk.transactions()
                .write(() -> {
                    audit.auditRefusal(request, id, refusal);
                    return id;
                });
    }

    /** Who may not do this with a removal, or knows of none. */
    public void auditRefusal(String act, RemovalId id, Act.Who by, Refusal refusal) {
        desk.transactions()
                .write(() -> {
                    audit.auditRefusal(act, id.value(), by, refusal);
                    return id;
                });
    }

    /** Of the session itself or of one above it. */
    private Optional<Removal> underWay(SessionId id) {
        return desk.sessions().ancestry(id).stream()
                .map(Ancestor::session)
                .flatMap(s -> Optional.ofNullable(s.standing().removal()).stream())
                .findFirst()
                .flatMap(r -> removals.find(new RemovalId(r)));
    }

    /** Not one that is bringing everything back, nor one that leaves this session where it is. */
    private static Outcome<Removal> joined(SessionId id, Removal removal) {
        boolean comesBack =
                removal.state() instanceof RemovalState.Undoing
                        || removal.state() instanceof RemovalState.TakingBack;
        boolean leaves = removal.detaches() && !removal.top().id().equals(id);
        return comesBack || leaves
                ? Outcome.refused(new RemovalRefusal.TreeIsBeingRemoved(id, removal.id().value()))
                : Outcome.done(removal);
    }

    /** An undone removal leaves its files, so an agent may not do and undo without end. */
    public Optional<Refusal> tooOften(SessionId top) {
        return desk.transactions()
                .read(() ->
                        removals.begunOf(top) < BY_AGENTS_MAX
                                ? Optional.empty()
                                : Optional.of(
                                        new RemovalRefusal.RemovedTooOften(top, BY_AGENTS_MAX)));
    }

    /** Some choices want a reason, before anything else is looked at. */
    public static Optional<Refusal> unexplained(Request request) {
        boolean said = request.reason() != null && !request.reason().isBlank();
        return request.choices().critical() == Choices.Critical.OVERRIDE && !said
                ? Optional.of(new RemovalRefusal.ReasonMissing("Overriding critical operations"))
                : Optional.empty();
    }

    private Outcome<Removal> begin(Session top, Request request) {
        // What hangs on them is counted under the fence: a million events take their time.
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
        var now = desk.clock().instant();
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
        // The top first: from here on nothing is born or begun anywhere below it.
        removals.enlist(removal, 1);
        moves.tell(removal);
        audit.begun(top, removal, request.by());
        warn(removal, plan);
        desk.signals().raise(new Topic.RemovalDue());
        return Outcome.done(removal);
    }

    private static Refusal forbidden(RemovalPlan plan) {
        return new RemovalRefusal.RemovalForbidden(plan.top().id(), plan.objections());
    }

    private void warn(Removal removal, RemovalPlan plan) {
        long below = plan.sessions() - 1;
        if (below <= 0 || removal.detaches()) return;
        var some =
                desk.sessions()
                        .descendants(
                                removal.top().id(),
                                Bounds.TREE_DEPTH_MAX,
                                Cursor.first(LOGGED_MAX));
        var ids = some.items().stream().map(s -> s.id().value()).toList();
        LOG.log(
                System.Logger.Level.WARNING,
                "{0} removes {1} and {2} sessions below it: {3}{4}",
                removal.id(),
                removal.top().id(),
                below,
                String.join(", ", ids),
                some.next() == null ? "" : ", …");
    }

    /** The first were named when it began; where there are more, all are named as they go. */
    static void logged(Removal removal, List<Member> some) {
        if (removal.taken().sessions() <= LOGGED_MAX) return;
        var ids = String.join(", ", some.stream().map(m -> m.id().value()).toList());
        LOG.log(System.Logger.Level.WARNING, "{0} takes away: {1}", removal.id(), ids);
    }

    /** While nothing of it is out of sight yet. */
    public Outcome<Removal> callOff(RemovalId id, Act.Who by, String reason) {
        return desk.transactions()
                .write(() -> {
                    var found = removals.find(id);
                    if (found.isEmpty())
                        return Outcome.refused(new RemovalRefusal.RemovalUnknown(id.value()));
                    var event = new RemovalEvent.CalledOff(desk.clock().instant(), reason);
                    var not =
                            new RemovalRefusal.CannotBeCalledOff(
                                    id.value(), found.get().state().word());
                    return moves.asked(found.get(), event, by, not);
                });
    }

    /** What cannot be reached is no longer waited for; that needs a reason, and is written down. */
    public Outcome<Removal> goOnWithout(RemovalId id, Act.Who by, @Nullable String reason) {
        if (reason == null || reason.isBlank()) {
            var missing =
                    new RemovalRefusal.ReasonMissing("Going on without what cannot be reached");
            auditRefusal("removal.abandon", id, by, missing);
            return Outcome.refused(missing);
        }
        return desk.transactions()
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
                    desk.signals().raise(new Topic.RemovalDue());
                    return Outcome.done(removal);
                });
    }

    private static Refusal inTheWay(RemovalId id, List<Removal> earlier) {
        var said = earlier.stream().map(r -> r.id() + " of " + r.top().name()).toList();
        return new RemovalRefusal.EarlierCanBeUndone(
                id.value(), RestoreTree.Shown.of(said).toString());
    }

    /** The time for an undo is not waited for; that of those it has swallowed is theirs. */
    public Outcome<Removal> purgeNow(RemovalId id, Act.Who by) {
        return desk.transactions()
                .write(() -> {
                    var found = removals.find(id);
                    if (found.isEmpty())
                        return Outcome.refused(new RemovalRefusal.RemovalUnknown(id.value()));
                    var event = new RemovalEvent.PurgeBegan(desk.clock().instant());
                    var not =
                            new RemovalRefusal.CannotBePurged(
                                    id.value(), found.get().state().word());
                    // Everyone is told before, so while it is being hidden it cannot be purged.
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
