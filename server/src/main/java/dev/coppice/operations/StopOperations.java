package dev.coppice.operations;

import dev.coppice.access.Need;
import dev.coppice.access.PeopleOnly;
import dev.coppice.access.PeopleOnly.What;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.kernel.Topic;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.request.Operation.Commit;
import dev.coppice.request.Wait;
import dev.coppice.run.Ports;
import dev.coppice.session.Limits;
import dev.coppice.session.Session;
import dev.coppice.session.StateWord;
import dev.coppice.stop.FreezeTree;
import dev.coppice.stop.PlanStop;
import dev.coppice.stop.StopId;
import dev.coppice.stop.StopSession;
import dev.coppice.stop.StopTree;
import dev.coppice.stop.TreeStop;
import dev.coppice.stop.TreeStops;
import dev.coppice.view.Views;
import dev.coppice.view.Words;
import dev.coppice.wire.Patience;
import dev.coppice.wire.run.StopCalls;
import dev.coppice.wire.session.SessionCalls;

import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** Stops sessions and trees, and suspends trees. */
public record StopOperations(
        Scope scope,
        Ports ports,
        StopSession stopSession,
        StopTree stopTree,
        TreeStops treeStops,
        FreezeTree freeze,
        PeopleOnly peopleOnly,
        Watch watch) {
    public List<Operation<?, ?>> all() {
        return List.of(
                Operation.changing(StopCalls.STOP, Need.ACT, scope.transactions(), this::stop)
                        .then((_, in, first) -> wait(first, in.patience())),
                Operation.of(
                        StopCalls.PLAN,
                        Need.READ,
                        (x, in) -> scope.showing(x, in.sessionId(), this::plan)),
                Operation.changing(StopCalls.FREEZE, Need.ACT, scope.transactions(), this::freeze),
                Operation.changing(
                        StopCalls.THAW,
                        Need.ACT,
                        scope.transactions(),
                        (x, in) -> frozen(x, in, top -> thaw(x, top))),
                Operation.of(StopCalls.READ, Need.READ, this::read)
                        .then((_, in, first) -> wait(first, in.patience())));
    }

    private Outcome<Commit<StopCalls.StopAnswer>> stop(Context x, StopCalls.Stop in) {
        var order = new TreeStop.Order(in.deadline().value(), in.reason());
        return scope.change(
                x,
                Need.ACT,
                in.sessionId(),
                s ->
                        switch (in.scope()) {
                            case SESSION ->
                                    stopSession
                                            .stop(s.id(), order.deadline(), order.reason())
                                            .map(done -> stopped(s, done));
                            case TREE -> stopTree.stop(ports, s.id(), order).map(this::view);
                        });
    }

    private static StopCalls.StopAnswer stopped(Session before, StopSession.Stop done) {
        return new StopCalls.SessionStopped(
                true,
                done.session().id().value(),
                Words.ofSession(StateWord.of(done.session().state())),
                done.run() == null ? null : done.run().id().value(),
                before.state().isAlive() ? null : "Session had already ended");
    }

    private StopCalls.TreeStopView view(TreeStop stop) {
        return new StopCalls.TreeStopView(
                true,
                stop.id().value(),
                stop.top().value(),
                "tree",
                stop.isOver(),
                stop.order().reason(),
                stop.began().toString(),
                Views.text(stop.ended()),
                treeStops.membersOf(stop.id()).stream()
                        .flatMap(member -> scope.sessions().find(member).stream())
                        .map(StopOperations::member)
                        .toList());
    }

    private StopCalls.Plan plan(Session session) {
        var plan = new PlanStop(scope.sessions()).plan(session);
        return new StopCalls.Plan(
                member(session), members(plan.withTree()), members(plan.withSession()));
    }

    private static List<StopCalls.Member> members(List<Session> sessions) {
        return sessions.stream().map(StopOperations::member).toList();
    }

    private static StopCalls.Member member(Session s) {
        return new StopCalls.Member(
                s.id().value(), s.name(), StateWord.of(s.state()), s.state().why());
    }

    /** Each freeze writes an event: an agent may freeze only if its tree has room for events. */
    private Outcome<Commit<StopCalls.Frozen>> freeze(Context x, SessionCalls.At in) {
        return frozen(
                x,
                in,
                top -> {
                    var full =
                            x.caller().isAgent()
                                    ? ports.room().forbids(top, Limits.Kind.EVENT_BYTES, 1)
                                    : Optional.<Refusal>empty();
                    return full.isPresent()
                            ? Outcome.refused(full.get())
                            : freeze.freeze(top).map(count -> noted(x, top, count));
                });
    }

    private Integer noted(Context x, SessionId top, Integer count) {
        if (x.caller().isPerson()) peopleOnly.add(top, What.FREEZE);
        return count;
    }

    /** Only a person's thaw ends stops of outside programs and freezes by people. */
    private Outcome<Integer> thaw(Context x, SessionId top) {
        if (!x.caller().isPerson()) {
            return peopleOnly.isAround(top, What.FREEZE)
                    ? Outcome.refused(
                            new SessionRefusal.PeopleOnly(top, "a freeze on, above or below"))
                    : freeze.thawOnly(top);
        }
        peopleOnly.forgetBelow(top, What.FREEZE);
        return freeze.thaw(top);
    }

    private Outcome<Commit<StopCalls.Frozen>> frozen(
            Context x, SessionCalls.At in, Function<SessionId, Outcome<Integer>> change) {
        return scope.change(
                x,
                Need.ACT,
                in.sessionId(),
                s ->
                        change.apply(s.id())
                                .map(sessions ->
                                        new StopCalls.Frozen(true, s.id().value(), sessions)));
    }

    private Outcome<StopCalls.TreeStopView> read(Context x, StopCalls.Await in) {
        return scope.transactions()
                .read(() ->
                        treeStops
                                .find(new StopId(in.stopId()))
                                .filter(s -> scope.access().sees(x.caller(), s.top()))
                                .map(s -> Outcome.done(view(s)))
                                .orElseGet(() ->
                                        Outcome.refused(
                                                new SessionRefusal.StopUnknown(in.stopId()))));
    }

    private Optional<Wait> wait(StopCalls.StopAnswer first, Patience patience) {
        if (patience.orZero().isZero() || !(first instanceof StopCalls.TreeStopView tree)) {
            return Optional.empty();
        }
        var id = new StopId(tree.stopId());
        return Optional.of(
                watch.until(
                        new Watch.Subject(
                                new Topic.StopOver(id.value()),
                                () -> current(id).over(),
                                () -> current(id),
                                () -> current(id)),
                        patience.orZero()));
    }

    private StopCalls.TreeStopView current(StopId id) {
        return scope.transactions().read(() -> view(treeStops.find(id).orElseThrow()));
    }
}
