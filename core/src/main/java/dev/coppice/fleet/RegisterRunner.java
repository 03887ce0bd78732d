package dev.coppice.fleet;

import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.RunRefusal;
import dev.coppice.kernel.RunnerId;
import dev.coppice.run.Ports;
import dev.coppice.run.TakeRun;
import dev.coppice.stop.StopSession;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Set;

/**
 * Registers and deregisters runners. A restarted runner lists the runs it still holds; its other
 * runs are given up at once, instead of when their leases expire.
 */
public final class RegisterRunner {
    private final Ports ports;
    private final Runners runners;
    private final TakeRun take;
    private final StopSession stop;
    private final Duration staleAfter;

    public RegisterRunner(Ports ports, Runners runners, Duration staleAfter) {
        this.ports = ports;
        this.runners = runners;
        this.take = new TakeRun(ports);
        this.stop = new StopSession(ports);
        this.staleAfter = staleAfter;
    }

    /**
     * Registers an unfenced runner. It cannot prove that it is the one registered under its id, so
     * it is refused while that one is online.
     */
    public Outcome<Runner> registerUnfenced(Runner newcomer) {
        return ports.transactions()
                .write(() -> {
                    var twin = runners.find(newcomer.id());
                    if (twin.isPresent() && isOnline(twin.get())) {
                        return Outcome.refused(new RunRefusal.RunnerTwin(newcomer.id()));
                    }
                    runners.save(newcomer);
                    return Outcome.done(newcomer);
                });
    }

    /** Registers a fenced runner; {@code holds} lists every run whose process it still has. */
    public Outcome<Runner> register(Runner newcomer, Set<RunId> holds) {
        return ports.transactions()
                .write(() -> {
                    runners.save(newcomer);
                    giveUpAllBut(newcomer.id(), holds);
                    return Outcome.done(newcomer);
                });
    }

    public Outcome<RunnerId> deregister(RunnerId id) {
        return ports.transactions()
                .write(() -> {
                    if (runners.find(id).isEmpty()) {
                        return Outcome.refused(new RunRefusal.RunnerUnknown(id.value()));
                    }
                    giveUpAllBut(id, Set.of());
                    programsGone(id);
                    runners.remove(id);
                    return Outcome.done(id);
                });
    }

    /** Deregisters runners that were silent for this long; returns how many. */
    public int forgetVanished(Duration silence) {
        var due = ports.clock().instant().minus(silence);
        return ports.transactions()
                .write(() -> {
                    var gone = runners.all().stream().filter(r -> r.seen().isBefore(due)).toList();
                    gone.forEach(runner -> deregister(runner.id()));
                    return gone.size();
                });
    }

    /** Ends sessions without a live run whose programs stayed on this runner. */
    private void programsGone(RunnerId id) {
        for (var state : List.of("idle", "stopping")) {
            for (var run : ports.runs().lastWith(id, state, Instant.EPOCH)) {
                stop.programEnded(run.session(), state.equals("idle") ? "finished" : "stopped");
            }
        }
    }

    public boolean isOnline(Runner runner) {
        return !runner.seen().plus(staleAfter).isBefore(ports.clock().instant());
    }

    private void giveUpAllBut(RunnerId id, Set<RunId> holds) {
        for (var seen : ports.runs().heldBy(id)) {
            if (holds.contains(seen.id())) continue;
            var run = ports.runs().find(seen.id()).orElse(seen);
            take.givenUp(run, "Runner no longer holds this run");
        }
    }
}
