package dev.coppice.operations.removal;

import dev.coppice.access.Access;
import dev.coppice.access.Need;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RemovalRefusal;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Topic;
import dev.coppice.operations.Given;
import dev.coppice.operations.Scope;
import dev.coppice.operations.Watch;
import dev.coppice.removal.PlanRemoval;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalId;
import dev.coppice.removal.RemovalPlan;
import dev.coppice.removal.RemovalState;
import dev.coppice.removal.Removals;
import dev.coppice.removal.RemoveTree;
import dev.coppice.removal.UndoRemoval;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.request.Wait;
import dev.coppice.session.ChooseTrees;
import dev.coppice.session.Session;
import dev.coppice.view.RemovalViews;
import dev.coppice.view.Views;
import dev.coppice.wire.Call;
import dev.coppice.wire.Code;
import dev.coppice.wire.Shape;
import dev.coppice.wire.removal.PlanView;
import dev.coppice.wire.removal.RemovalCalls;
import dev.coppice.wire.removal.RemovalView;
import dev.coppice.wire.removal.RemoveByFlags;
import dev.coppice.work.DirectoryTasks;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Stream;

/** Removes sessions and restores them. */
public final class RemovalOperations {
    private static final Duration BESIDE_THE_DEADLINE = Duration.ofSeconds(10);
    private final Scope scope;
    private final Removals removals;
    private final PlanRemoval planRemoval;
    private final RemoveTree removeTree;
    private final UndoRemoval undoRemoval;
    private final WorkInspection looking;
    private final Confirmation confirmation;
    private final Duration defaultDeadline;
    private final VisibleRemovals seen;
    private final Watch watch;

    public RemovalOperations(
            Scope scope,
            Removals removals,
            DirectoryTasks tasks,
            PlanRemoval planRemoval,
            RemoveTree removeTree,
            UndoRemoval undoRemoval,
            WorkInspection looking,
            Confirmation confirmation,
            Duration defaultDeadline,
            Watch watch) {
        this.scope = scope;
        this.removals = removals;
        this.planRemoval = planRemoval;
        this.removeTree = removeTree;
        this.undoRemoval = undoRemoval;
        this.looking = looking;
        this.confirmation = confirmation;
        this.defaultDeadline = defaultDeadline;
        this.seen = new VisibleRemovals(scope, removals, tasks);
        this.watch = watch;
    }

    public List<Operation<?, ?>> all() {
        return List.of(
                planning(),
                Operation.of(RemovalCalls.REMOVE, Need.ACT, this::remove)
                        .then((_, in, r) -> wait(r, in.patience().orZero(), seen::view))
                        .noting(this::unreadable),
                Operation.of(RemovalCalls.CHOOSE, Need.READ, this::choose),
                Operation.of(RemovalCalls.LIST, Need.READ, this::list),
                Operation.of(RemovalCalls.READ, Need.READ, this::read)
                        .then((_, in, r) -> wait(r.removal(), in.patience().orZero(), seen::whole)),
                Operation.of(RemovalCalls.MEMBERS, Need.READ, this::members),
                undoing(),
                cancelling(),
                Operation.of(RemovalCalls.ABANDON, Need.DEFINE, this::abandon),
                Operation.of(RemovalCalls.PURGE, Need.DEFINE, this::purge)
                        .then((_, in, r) -> wait(r, in.patience().orZero(), seen::view)));
    }

    public Operation<RemovalCalls.Plan, PlanView> planning() {
        return Operation.of(
                RemovalCalls.PLAN,
                Need.READ,
                (x, in) -> plan(x, in.sessionId(), RemovalInput.request(x, in, defaultDeadline)));
    }

    /** The form in which a face answers to a request with flags. */
    public interface Form<O> {
        O of(PlanView plan);

        /** {@code removal} has all of its members. */
        O of(RemovalView.Whole removal);

        /** The removal that this answer is about; null for a plan. */
        @Nullable String removal(O answer);
    }

    /** The removal by flags. It waits by default. */
    public <O> Operation<RemoveByFlags, O> byFlags(Call<RemoveByFlags, O> call, Form<O> form) {
        return Operation.of(call, Need.ACT, (x, in) -> byFlags(x, in, form))
                .then((_, in, answer) -> {
                    var begun = form.removal(answer);
                    if (begun == null) return Optional.empty();
                    var deadline = in.deadline() == null ? defaultDeadline : in.deadline().value();
                    return Optional.of(
                            settled(
                                    begun,
                                    in.patience().or(deadline.plus(BESIDE_THE_DEADLINE)),
                                    r -> form.of(seen.complete(r))));
                })
                .noting(this::unreadable);
    }

    /** A removal with all of its members. */
    public Outcome<RemovalView.Whole> complete(Context x, String removal) {
        return seen.reading(x, removal, seen::complete);
    }

    /** Cancels a removal. MCP also does so if a client cancels its request for the removal. */
    public Operation<RemovalCalls.Decide, RemovalView> cancelling() {
        return Operation.of(
                RemovalCalls.CANCEL,
                Need.ACT,
                (x, in) -> acting(x, "cancel", in.removalId(), id -> cancel(x, in, id)));
    }

    /** Records malformed requests in the audit, too. */
    private void unreadable(Context x, Operation.Named in, Refusal refusal) {
        var id = in.value("session_id");
        if (id == null || !SessionId.isValid(id)) return;
        removeTree.unreadable(new SessionId(id), x.who(), refusal);
    }

    /** Runners inspect directories outside of every transaction: that may take seconds. */
    private Outcome<PlanView> plan(Context x, String id, RemoveTree.Request request) {
        var choices = request.choices();
        return scope.lookedUp(x, Need.READ, id)
                .then(s -> planRemoval.plan(s.id(), choices, looking.at(s.id(), choices)))
                .map(plan ->
                        RemovalViews.shown(plan, refusals(x, plan, objections(x, id, request))));
    }

    private static List<PlanView.RefusalView> refusals(
            Context x, RemovalPlan plan, List<Refusal> besides) {
        var ofTree =
                plan.objections().stream()
                        .map(o ->
                                against(
                                        Code.named(Shape.word(o.kind())),
                                        o.said(),
                                        x.wording().advice(o.kind())));
        var ofCaller =
                besides.stream()
                        .map(r -> against(Code.named(r.code()), r.said(), x.wording().advice(r)));
        return Stream.concat(ofTree, ofCaller).toList();
    }

    /** The refusals that depend on the caller and the request, not on the tree. */
    private List<Refusal> objections(Context x, String id, RemoveTree.Request request) {
        var against = new ArrayList<Refusal>();
        var may = scope.lookedUp(x, Need.ACT, id);
        if (may instanceof Outcome.Refused<Session>(var refusal)) against.add(refusal);
        Access.forbidsRemoval(x.caller(), request.choices()).ifPresent(against::add);
        RemoveTree.unexplained(request).ifPresent(against::add);
        return against;
    }

    private Outcome<RemovalCalls.Chosen> choose(Context x, RemovalCalls.Choose in) {
        var age = in.olderThan();
        var wanted =
                new ChooseTrees.Wanted(
                        in.ended() || age != null,
                        age == null ? Duration.ZERO : age.value(),
                        in.match(),
                        in.below() == null ? null : Given.sessionId("below", in.below()),
                        x.session());
        var now = watch.clock().instant();
        var cursor = Given.cursor(in.page());
        var tops =
                scope.transactions()
                        .read(() -> ChooseTrees.tops(scope.sessions(), wanted, now, cursor));
        return Outcome.done(
                new RemovalCalls.Chosen(
                        tops.items().stream().map(Views::session).toList(), tops.next()));
    }

    private static PlanView.RefusalView against(Code code, String said, String advice) {
        return new PlanView.RefusalView(code.kind(), code.word(), said, advice);
    }

    private Outcome<RemovalView> remove(Context x, RemovalCalls.Remove in) {
        return begun(x, in.sessionId(), RemovalInput.request(x, in, defaultDeadline))
                .map(this::now);
    }

    private <O> Outcome<O> byFlags(Context x, RemoveByFlags in, Form<O> form) {
        var request = RemovalInput.request(x, in, defaultDeadline);
        if (in.dryRun()) return plan(x, in.sessionId(), request).map(form::of);
        return begun(x, in.sessionId(), request)
                .map(r -> form.of(scope.transactions().read(() -> seen.complete(r))));
    }

    /** Records refusals. Uses two transactions: runners inspect directories between them. */
    private Outcome<Removal> begun(Context x, String session, RemoveTree.Request request) {
        var top = Given.path(session);
        var allowed = scope.lookedUp(x, Need.ACT, session);
        if (allowed instanceof Outcome.Refused<Session>(var refusal)) {
            removeTree.auditRefusal(top, request, refusal);
        }
        return allowed.then(_ ->
                        unless(Access.forbidsRemoval(x.caller(), request.choices()), top, request))
                .then(_ -> joinedOrBegun(x, top, request));
    }

    /** Joins the current removal without another inspection of directories, or begins one. */
    private Outcome<Removal> joinedOrBegun(Context x, SessionId top, RemoveTree.Request request) {
        var joined = removeTree.joinable(top);
        if (joined.isPresent()) {
            return seen(x, top, request, joined.get())
                    .then(removal -> removeTree.join(top, removal, request));
        }
        Optional<Refusal> tooOften =
                x.caller().isAgent() ? removeTree.tooOften(top) : Optional.empty();
        return unless(tooOften, top, request)
                .then(_ -> {
                    var looked = request.with(looking.at(top, request.choices()));
                    var missing = confirmation.missing(planRemoval, top, looked);
                    return unless(missing, top, looked).then(_ -> removeTree.begin(top, looked));
                })
                .then(r -> seen(x, top, request, r));
    }

    private Outcome<SessionId> unless(
            Optional<Refusal> refusal, SessionId top, RemoveTree.Request request) {
        if (refusal.isEmpty()) return Outcome.done(top);
        removeTree.auditRefusal(top, request, refusal.get());
        return Outcome.refused(refusal.get());
    }

    /** Refuses a caller that may not see the top of the removal that it joins. */
    private Outcome<Removal> seen(
            Context x, SessionId top, RemoveTree.Request request, Removal removal) {
        if (scope.transactions().read(() -> seen.sees(x, removal))) return Outcome.done(removal);
        var not = new RemovalRefusal.TreeIsBeingRemoved(top, removal.id().value());
        removeTree.auditRefusal(top, request, not);
        return Outcome.refused(not);
    }

    private Outcome<RemovalCalls.Page> list(Context x, RemovalCalls.Paged in) {
        return scope.transactions()
                .read(() -> {
                    var page = removals.list(Given.cursor(in.page()));
                    var views =
                            page.items().stream()
                                    .filter(r -> seen.sees(x, r))
                                    .map(seen::view)
                                    .toList();
                    return Outcome.done(new RemovalCalls.Page(views, page.next()));
                });
    }

    private Outcome<RemovalView.Whole> read(Context x, RemovalCalls.Await in) {
        return seen.reading(x, in.removalId(), seen::whole);
    }

    private Outcome<RemovalCalls.Members> members(Context x, RemovalCalls.Within in) {
        return seen.reading(
                x,
                in.removalId(),
                r -> {
                    var page = removals.members(r.id(), Given.cursor(in.page()));
                    return new RemovalCalls.Members(
                            r.id().value(),
                            page.items().stream().map(m -> RemovalViews.shown(m, r)).toList(),
                            page.next());
                });
    }

    private Outcome<RemovalView.Undone> undo(Context x, RemovalCalls.Undo in) {
        var names = in.rename() ? UndoRemoval.Names.RENAME : UndoRemoval.Names.REFUSE;
        return acting(
                x,
                "undo",
                in.removalId(),
                id ->
                        undoRemoval
                                .undo(id, names, x.who())
                                .map(undo ->
                                        new RemovalView.Undone(
                                                now(undo.removal()),
                                                undo.notReattached().stream()
                                                        .map(SessionId::value)
                                                        .toList())));
    }

    /** Restores a hidden tree; MCP offers it as a tool. */
    public Operation<RemovalCalls.Undo, RemovalView.Undone> undoing() {
        return Operation.of(RemovalCalls.UNDO, Need.ACT, this::undo)
                .then((_, in, u) -> undone(u, in.patience().orZero()));
    }

    private Optional<Wait> undone(RemovalView.Undone undone, Duration patience) {
        return wait(
                undone.removal(),
                patience,
                r -> new RemovalView.Undone(seen.view(r), undone.notReattached()));
    }

    private Outcome<RemovalView> cancel(Context x, RemovalCalls.Decide in, RemovalId id) {
        var reason = in.reason() == null ? "called off by " + x.caller().key() : in.reason();
        return removeTree.cancel(id, x.who(), reason).map(this::now);
    }

    private Outcome<RemovalView> abandon(Context x, RemovalCalls.Decide in) {
        var remove = removeTree;
        return acting(
                x,
                "abandon",
                in.removalId(),
                id -> remove.abandonUnreachable(id, x.who(), in.reason()).map(this::now));
    }

    private Outcome<RemovalView> purge(Context x, RemovalCalls.Await in) {
        return acting(
                x, "purge", in.removalId(), id -> removeTree.purgeNow(id, x.who()).map(this::now));
    }

    private RemovalView now(Removal removal) {
        return scope.transactions().read(() -> seen.view(removal));
    }

    /** Acts on a removal that the caller sees. An agent may not act on its own removal. */
    private <T> Outcome<T> acting(
            Context x, String act, String removal, Function<RemovalId, Outcome<T>> then) {
        var id = new RemovalId(removal);
        var found =
                scope.transactions()
                        .read(() -> seen.find(x, removal))
                        .then(r ->
                                r.top().id().equals(x.session())
                                        ? Outcome.<Removal>refused(
                                                new RequestRefusal.NotAllowed(
                                                        "act on removal '%s'".formatted(id)))
                                        : Outcome.done(r));
        if (found instanceof Outcome.Refused<Removal>(var refusal)) {
            removeTree.auditRefusal("removal." + act, id, x.who(), refusal);
        }
        return found.then(_ -> then.apply(id));
    }

    private Optional<Wait> wait(
            RemovalView begun, Duration patience, Function<Removal, Object> after) {
        return patience.isZero()
                ? Optional.empty()
                : Optional.of(settled(begun.removalId(), patience, after));
    }

    /** Waits until the removal is hidden or over, or waits for a person's decision. */
    private Wait settled(String removal, Duration patience, Function<Removal, Object> after) {
        var id = new RemovalId(removal);
        return watch.until(
                new Watch.Subject(
                        new Topic.RemovalMoved(removal),
                        () -> scope.transactions().read(() -> isSettled(current(id))),
                        () -> scope.transactions().read(() -> seen.view(current(id))),
                        () -> scope.transactions().read(() -> after.apply(current(id)))),
                patience);
    }

    private Removal current(RemovalId id) {
        return removals.find(id).orElseThrow();
    }

    private static boolean isSettled(Removal removal) {
        return removal.state() instanceof RemovalState.Hidden
                || removal.state().isOver()
                || removal.state().waitsFor() != null;
    }
}
