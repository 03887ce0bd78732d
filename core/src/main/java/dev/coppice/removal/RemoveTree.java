package dev.coppice.removal;

import dev.coppice.budget.Spending;
import dev.coppice.callback.SettleRemoved;
import dev.coppice.kernel.Ids;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RemovalRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Topic;
import dev.coppice.run.Desk;
import dev.coppice.session.Ancestor;
import dev.coppice.session.Session;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.Optional;

/**
 * Begins removals, and calls them off. Whoever asks twice joins the removal under way. What follows
 * is done step by step, by {@link RemovalSteps}.
 */
public final class RemoveTree {
    private static final System.Logger LOG = System.getLogger("removal");
    private final Desk desk;
    private final Removals removals;
    private final PlanRemoval planner;
    private final RemovalMoves moves;
    private final Ids ids;

    public RemoveTree(Parts parts) {
        this.desk = parts.desk();
        this.removals = parts.removals();
        this.planner = parts.planner();
        this.moves = new RemovalMoves(parts.desk(), parts.removals());
        this.ids = parts.ids();
    }

    /** What all commands on removals work with. */
    public record Parts(
            Desk desk,
            Removals removals,
            PlanRemoval planner,
            SettleRemoved callbacks,
            Spending spending,
            Ids ids,
            Duration undoWindow) {}

    /** What is wanted: the choices, by whom and why, and the digest of the plan that was seen. */
    public record Request(
            Choices choices, String by, @Nullable String reason, @Nullable String confirm) {}

    public Outcome<Removal> begin(SessionId top, Request request) {
        return desk.transactions()
                .write(() -> {
                    desk.sessions().lockTree(top);
                    var session = desk.sessions().find(top);
                    if (session.isEmpty()) return Outcome.refused(planner.gone(top));
                    var joined = underWay(top);
                    if (joined.isPresent()) return Outcome.done(joined.get());
                    var unexplained = unexplained(request);
                    if (unexplained.isPresent()) return Outcome.refused(unexplained.get());
                    return begin(session.get(), request);
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

    private static Optional<Refusal> unexplained(Request request) {
        boolean said = request.reason() != null && !request.reason().isBlank();
        return request.choices().critical() == Choices.Critical.OVERRIDE && !said
                ? Optional.of(new RemovalRefusal.ReasonMissing("Overriding critical operations"))
                : Optional.empty();
    }

    private Outcome<Removal> begin(Session top, Request request) {
        var plan = planner.of(top, request.choices());
        var confirm = request.confirm();
        if (confirm != null && !confirm.equals(plan.digest())) {
            return Outcome.refused(
                    new RemovalRefusal.PlanChanged(top.id(), confirm, plan.digest()));
        }
        if (!plan.objections().isEmpty()) return Outcome.refused(forbidden(plan));
        var now = desk.clock().instant();
        var removal =
                new Removal(
                        RemovalId.made(ids),
                        new Removal.Top(top.id(), top.name(), top.place().parentId()),
                        request.choices(),
                        new Removal.Order(request.by(), request.reason(), confirm != null),
                        plan.survey().taken(),
                        plan.digest(),
                        new RemovalState.Fencing(now),
                        new Removal.Times(now, null, null, null));
        removals.add(removal);
        // The top first: from here on nothing is born or begun anywhere below it.
        removals.enlist(removal, 1);
        moves.tell(removal);
        warn(removal, plan);
        desk.signals().raise(new Topic.RemovalDue());
        return Outcome.done(removal);
    }

    private static Refusal forbidden(RemovalPlan plan) {
        var against =
                plan.objections().stream()
                        .map(o ->
                                new RemovalRefusal.RemovalForbidden.Against(
                                        o.code(), o.said(), o.advice()))
                        .toList();
        var kind = plan.objections().getFirst().kind().name().toLowerCase(java.util.Locale.ROOT);
        return new RemovalRefusal.RemovalForbidden(plan.top().id(), kind, against);
    }

    private void warn(Removal removal, RemovalPlan plan) {
        long below = plan.survey().sessions() - 1;
        if (below <= 0) return;
        LOG.log(
                System.Logger.Level.WARNING,
                "{0} removes {1} and {2} sessions below it",
                removal.id(),
                removal.top().id(),
                below);
    }

    /** While nothing of it is out of sight yet. */
    public Outcome<Removal> callOff(RemovalId id, String reason) {
        return desk.transactions()
                .write(() -> {
                    var found = removals.find(id);
                    if (found.isEmpty())
                        return Outcome.refused(new RemovalRefusal.RemovalUnknown(id.value()));
                    desk.sessions().lockTree(found.get().top().id());
                    var event = new RemovalEvent.CalledOff(desk.clock().instant(), reason);
                    return moves.move(found.get(), event)
                            .map(Outcome::done)
                            .orElseGet(() ->
                                    Outcome.refused(
                                            new RemovalRefusal.CannotBeCalledOff(
                                                    id.value(), found.get().state().word())));
                });
    }

    /** The time for an undo is not waited for. */
    public Outcome<Removal> purgeNow(RemovalId id) {
        return desk.transactions()
                .write(() -> {
                    var found = removals.find(id);
                    if (found.isEmpty())
                        return Outcome.refused(new RemovalRefusal.RemovalUnknown(id.value()));
                    var event = new RemovalEvent.PurgeBegan(desk.clock().instant());
                    // Everyone is told before, so while it is being hidden it cannot be purged.
                    return found.filter(r -> r.state() instanceof RemovalState.Hidden)
                            .flatMap(r -> moves.move(r, event))
                            .map(Outcome::done)
                            .orElseGet(() ->
                                    Outcome.refused(
                                            new RemovalRefusal.CannotBePurged(
                                                    id.value(), found.get().state().word())));
                });
    }
}
