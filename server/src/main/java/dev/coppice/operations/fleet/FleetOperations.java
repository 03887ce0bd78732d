package dev.coppice.operations.fleet;

import dev.coppice.access.Need;
import dev.coppice.access.Role;
import dev.coppice.fleet.AccountHolds;
import dev.coppice.fleet.Breaker;
import dev.coppice.fleet.RegisterRunner;
import dev.coppice.fleet.Runner;
import dev.coppice.fleet.Runners;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.Transactions;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.request.Operation.Commit;
import dev.coppice.run.Ports;
import dev.coppice.view.Views;
import dev.coppice.wire.fleet.FleetCalls;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;

/** Lists runners and accounts, releases accounts, and removes runners. */
public record FleetOperations(
        Transactions transactions,
        Runners runners,
        RegisterRunner register,
        JoinedRunners joined,
        Ports ports,
        AccountHolds holds,
        Breaker breaker,
        InstantSource clock) {
    public List<Operation<?, ?>> all() {
        return List.of(
                Operation.of(FleetCalls.LIST, Need.READ_FLEET, (_, in) -> list(in)),
                Operation.of(FleetCalls.ACCOUNTS, Need.READ_FLEET, (_, _) -> accounts()),
                Operation.changing(
                        FleetCalls.RELEASE, Need.DEFINE, transactions, (_, in) -> release(in)),
                removing());
    }

    public Operation<FleetCalls.Remove, FleetCalls.Removed> removing() {
        return Operation.changing(FleetCalls.REMOVE, Need.MANAGE_FLEET, transactions, this::remove);
    }

    private Outcome<FleetCalls.Page> list(FleetCalls.Find in) {
        var after = in.page().after();
        int max = in.page().limit();
        var rest =
                transactions.read(runners::all).stream()
                        .sorted(Comparator.comparing((Runner r) -> r.id().value()))
                        .filter(r -> after == null || r.id().value().compareTo(after) > 0)
                        .toList();
        boolean more = rest.size() > max;
        var page = more ? rest.subList(0, max) : rest;
        return Outcome.done(
                new FleetCalls.Page(
                        page.stream().map(this::view).toList(),
                        more ? page.getLast().id().value() : null));
    }

    private FleetCalls.RunnerView view(Runner r) {
        var skills = r.skills();
        return new FleetCalls.RunnerView(
                r.id().value(),
                r.registered().toString(),
                r.seen().toString(),
                r.post().hostname(),
                r.post().projectDir(),
                r.post().executorProfile(),
                Views.json(skills.executor()),
                skills.tags().stream().sorted().toList(),
                skills.matching() == Runner.Matching.TAGGED_RUNS_ONLY,
                skills.capacity(),
                register.isOnline(r) ? "online" : "stale",
                Duration.between(r.seen(), clock.instant()).toMillis() / 1000.0);
    }

    private Outcome<FleetCalls.Accounts> accounts() {
        var held = transactions.read(holds::all);
        return Outcome.done(
                new FleetCalls.Accounts(
                        held.stream()
                                .map(h ->
                                        new FleetCalls.AccountView(
                                                h.account(),
                                                h.until().toString(),
                                                h.failures(),
                                                h.reason()))
                                .toList()));
    }

    private Outcome<Commit<FleetCalls.Released>> release(FleetCalls.AccountAt in) {
        return Outcome.done(() -> {
            breaker.release(ports, in.account());
            return Outcome.done(new FleetCalls.Released(true, in.account()));
        });
    }

    private Outcome<Commit<FleetCalls.Removed>> remove(Context x, FleetCalls.Remove in) {
        if (x.caller().role() == Role.RUNNER && !in.self()) {
            return Outcome.refused(new RequestRefusal.NotAllowed("remove another runner"));
        }
        var id = new RunnerId(in.runnerId());
        return Outcome.done(() -> {
            boolean isRevoked = !in.self() && joined.revoke(id);
            var removed =
                    new FleetCalls.Removed(
                            true, id.value(), "Runner removed", in.self() ? "self" : "external");
            // A runner that was silent for long is off the list already.
            return isRevoked && runners.find(id).isEmpty()
                    ? Outcome.done(removed)
                    : register.deregister(id).map(_ -> removed);
        });
    }
}
