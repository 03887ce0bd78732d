package dev.coppice.originals.runner;

import dev.coppice.access.Need;
import dev.coppice.boot.Face;
import dev.coppice.boot.Ground;
import dev.coppice.fleet.Runner;
import dev.coppice.kernel.RunnerId;
import dev.coppice.operations.fleet.RunnerOperations;
import dev.coppice.request.Operation;
import dev.coppice.request.Operation.Commit;
import dev.coppice.request.Operation.Preparation;
import dev.coppice.wire.Call;
import dev.coppice.wire.fleet.FleetCalls;
import dev.coppice.wire.fleet.Polled;
import dev.coppice.wire.fleet.RegisteredView;
import dev.coppice.wire.fleet.RunnerCalls;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * The operations of runners in their older shapes, which all runners get: answers to polls with all
 * kinds of work in one record, and reports without fences.
 */
public final class OlderRunners implements Face {
    private static final Call<RunnerCalls.Poll, FlatPolled> POLL =
            Call.get(
                            RunnerCalls.POLL.name(),
                            RunnerCalls.POLL.path(),
                            RunnerCalls.Poll.class,
                            FlatPolled.class,
                            RunnerCalls.POLL.says())
                    .takesLong()
                    .older();

    private final Ground ground;
    private final Deregistrations deregistrations;
    private final ScriptSyncs scripts;

    public OlderRunners(Ground ground) {
        this.ground = ground;
        this.deregistrations = new Deregistrations(ground.fleet().notifier());
        this.scripts = new ScriptSyncs(ground.fleet().registries(), ground.clock());
    }

    @Override
    public List<Operation<?, ?>> operations() {
        var fleet = ground.fleet();
        var registering = fleet.polls().registering();
        var all = new ArrayList<Operation<?, ?>>();
        all.add(
                Operation.of(
                        RunnerCalls.REGISTER,
                        Need.RUN,
                        (x, in) -> registering.action().on(x, in).map(this::registered)));
        all.add(fleet.polls().polling(POLL, new Form()));
        all.add(fleet.removals().removing().preparing(this::telling));
        all.addAll(new OlderReports(ground).all());
        return all;
    }

    private RegisteredView registered(RegisteredView view) {
        var id = new RunnerId(view.runnerId());
        deregistrations.forget(id);
        scripts.forget(id);
        return view;
    }

    private final class Form implements RunnerOperations.PollForm<FlatPolled> {
        @Override
        public FlatPolled of(Polled work, Optional<Runner> runner) {
            boolean isOlder = runner.filter(OlderRunners::isOlder).isPresent();
            return FlatPolled.of(isOlder && work instanceof Polled.Runs runs ? older(runs) : work);
        }

        @Override
        public Optional<FlatPolled> first(RunnerId runner) {
            return deregistrations.isToBeTold(runner)
                    ? Optional.of(FlatPolled.DEREGISTERED)
                    : Optional.empty();
        }

        @Override
        public Optional<FlatPolled> beforeRuns(Optional<Runner> runner) {
            return scripts.due(runner);
        }
    }

    private static boolean isOlder(Runner runner) {
        return runner.protocol() == Runner.Protocol.UNFENCED;
    }

    private static Polled.Runs older(Polled.Runs runs) {
        return Polled.Runs.of(
                runs.all().stream()
                        .map(run ->
                                run.with(
                                        BlueprintForm.of(
                                                run.resolvedAgentBlueprint(), run.runId())))
                        .toList());
    }

    /**
     * Announces its removal to an older runner. This is recorded before the removal: a poll in
     * between would be refused as that of an unknown runner.
     */
    private Preparation<FleetCalls.Remove, FleetCalls.Removed> telling(
            Preparation<FleetCalls.Remove, FleetCalls.Removed> removing) {
        return (x, in) -> removing.on(x, in).map(commit -> told(in, commit));
    }

    private Commit<FleetCalls.Removed> told(
            FleetCalls.Remove in, Commit<FleetCalls.Removed> commit) {
        var id = new RunnerId(in.runnerId());
        var found = ground.scope().transactions().read(() -> ground.fleet().runners().find(id));
        if (in.self() || found.filter(OlderRunners::isOlder).isEmpty()) return commit;
        deregistrations.add(id);
        return () ->
                commit.now()
                        .map(removed ->
                                new FleetCalls.Removed(
                                        removed.ok(),
                                        removed.runnerId(),
                                        "Runner removed; its next poll tells it",
                                        removed.initiatedBy()));
    }
}
