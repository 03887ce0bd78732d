package dev.coppice.sim;

import dev.coppice.fleet.ClaimRun;
import dev.coppice.fleet.ClaimRun.Claim;
import dev.coppice.fleet.Leases;
import dev.coppice.fleet.RenewLeases;
import dev.coppice.fleet.Runner;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.RunnerId;
import dev.coppice.run.MoveRun;
import dev.coppice.run.Result;
import dev.coppice.run.Run;
import dev.coppice.run.RunState;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;

/**
 * A runner that renews its leases in time, whatever happens: every {@link #BEAT}, counted from the
 * answer to the last renewal. It does what it is told. A runner of the other kind sleeps now and
 * then, and loses its runs.
 */
final class FaceRunner {
    private static final Duration BEAT = Duration.ofSeconds(3);
    private static final int SLEEP_SECONDS_MIN = 15;
    private static final int SLEEP_SECONDS_MAX = 90;

    private final FaceWorld world;
    private final RunnerId id;
    private final Random random;
    private final boolean sleeps;
    private final List<Claim> working = new ArrayList<>();
    private Instant asleepUntil = Instant.MIN;

    FaceRunner(FaceWorld world, String name, Random random, boolean sleeps) {
        this.world = world;
        this.id = new RunnerId(name);
        this.random = random;
        this.sleeps = sleeps;
        register();
        world.timers().after(BEAT, this::beat);
    }

    private void register() {
        var now = world.now();
        var skills =
                new Runner.Skills(
                        JsonText.EMPTY_OBJECT,
                        "autonomous",
                        Set.of(),
                        Runner.Matching.ANY_RUN,
                        4,
                        null);
        var post = new Runner.Post(id.value(), "/", "sim");
        var runner = new Runner(id, post, skills, Runner.Protocol.FENCED, now, now);
        var holds = new HashSet<RunId>();
        working.forEach(claim -> holds.add(claim.run().id()));
        world.rules().register.register(runner, holds);
    }

    String step() {
        if (isAsleep()) return "sleeps";
        if (sleeps && !working.isEmpty()) return fallAsleep();
        return random.nextInt(8) < 5 ? claim() : end();
    }

    private String fallAsleep() {
        int seconds = random.nextInt(SLEEP_SECONDS_MIN, SLEEP_SECONDS_MAX);
        asleepUntil = world.now().plusSeconds(seconds);
        return "falls asleep until " + asleepUntil;
    }

    @Override
    public String toString() {
        return id.value();
    }

    private boolean isAsleep() {
        return world.now().isBefore(asleepUntil);
    }

    private String claim() {
        var ask = new ClaimRun.Ask(false, 1 + random.nextInt(2), 1);
        return switch (world.rules().claim.claim(id, ask)) {
            case Outcome.Refused<List<Claim>>(var refusal) -> refusal.said();
            case Outcome.Done<List<Claim>>(var found) -> {
                found.forEach(this::begin);
                yield "claims " + found.stream().map(c -> c.run().id()).toList();
            }
        };
    }

    private void begin(Claim claim) {
        var holder = claim.lease().holder();
        var confirmed =
                world.rules().report.confirmed(claim.run().id(), holder, Leases.DEFAULT.run());
        if (confirmed instanceof Outcome.Done<Run>) working.add(claim);
    }

    private String end() {
        if (working.isEmpty()) return "has nothing to report";
        var claim = working.remove(random.nextInt(working.size()));
        var result = new Result("done", null);
        var said =
                world.rules()
                        .report
                        .completed(
                                claim.run().id(),
                                claim.lease().holder(),
                                result,
                                MoveRun.After.FINISHED);
        return "reports the end of " + claim.run().id() + ": " + World.said(said);
    }

    private void beat() {
        if (!isAsleep() && !world.isAway()) renew();
        world.timers().after(BEAT, this::beat);
    }

    private void renew() {
        var held = new HashMap<RunId, RenewLeases.Held>();
        for (var claim : working) {
            var fence = claim.lease().holder().fence();
            held.put(claim.run().id(), new RenewLeases.Held(fence, true, 0));
        }
        if (world.fault() == FaceFault.RENEWAL_JUDGED_LATE) world.line().await();
        switch (world.rules().renew.renew(id, held)) {
            case Outcome.Refused<RenewLeases.Answer> _ -> register();
            case Outcome.Done<RenewLeases.Answer>(var answer) -> obey(answer);
        }
    }

    private void obey(RenewLeases.Answer answer) {
        for (var claim : List.copyOf(working)) {
            var run = claim.run().id();
            if (answer.lost().contains(run)) {
                if (isWronglyLost(claim)) world.isLost(run, !sleeps);
                working.remove(claim);
            } else if (answer.stopping().stream().anyMatch(r -> r.id().equals(run))) {
                working.remove(claim);
                world.rules().report.stopped(run, claim.lease().holder(), "SIGTERM");
            }
        }
    }

    /** True unless the run has ended in another way, or is gone with its session. */
    private boolean isWronglyLost(Claim claim) {
        return world.run(claim.run().id())
                .filter(run -> run.state() instanceof RunState.Lost || isHeldBy(run, claim))
                .isPresent();
    }

    private static boolean isHeldBy(Run run, Claim claim) {
        var lease = run.state().held();
        return lease != null && lease.holder().equals(claim.lease().holder());
    }
}
