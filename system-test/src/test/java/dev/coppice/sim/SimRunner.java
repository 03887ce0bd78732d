package dev.coppice.sim;

import static java.util.stream.Collectors.joining;

import dev.coppice.fleet.ClaimRun;
import dev.coppice.fleet.ClaimRun.Claim;
import dev.coppice.fleet.Leases;
import dev.coppice.fleet.RenewLeases;
import dev.coppice.fleet.Runner;
import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.SessionId;
import dev.coppice.run.MoveRun;
import dev.coppice.run.Result;
import dev.coppice.run.Run;
import dev.coppice.work.DirectoryTask;
import dev.coppice.work.WorkItem;
import dev.coppice.work.Workplace;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.function.Supplier;

/**
 * A faulty runner: answers to its claims are lost, its reports arrive twice or far too late, it
 * crashes and forgets everything, and after a pause it believes that it still holds its leases.
 */
final class SimRunner {
    private static final int WELL = 3;
    private final World world;
    private final RunnerId id;
    private final Random random;
    private final List<Claim> working = new ArrayList<>();
    private final List<Claim> remembered = new ArrayList<>();
    private boolean registered;

    SimRunner(World world, String name, Random random) {
        this.world = world;
        this.id = new RunnerId(name);
        this.random = random;
    }

    List<RunId> atWork() {
        return working.stream().map(c -> c.run().id()).toList();
    }

    /** The claims with a process: a runner ends the agent in time when it loses the lease. */
    List<Claim> running() {
        return working.stream()
                .filter(c -> world.isHeld(c.run().id(), c.lease().holder()))
                .toList();
    }

    void step() {
        if (!registered) {
            world.tell(id + " registers", this::register);
            return;
        }
        running().forEach(c -> world.disk().work(at(directory(c.session().id()))));
        switch (random.nextInt(16)) {
            case 0, 1, 2, 3 -> world.tell(id + " claims", this::claim);
            case 4, 5, 6 -> world.tell(id + " reports an end", this::reportEnd);
            case 7, 8 -> world.tell(id + " renews", this::renew);
            case 9 -> world.tell(id + " crashes", this::crash);
            case 12, 13, 14, 15 ->
                    world.tell(id + " does directory tasks", () -> handleTasks(random.nextInt(4)));
            case 10 -> world.tell(id + " repeats a report", this::repeat);
            default -> world.tell(id + " confirms again", this::confirmAgain);
        }
    }

    /** Behaves correctly: renews its leases, claims all pending runs, and finishes them. */
    void behave() {
        if (!registered) world.tell(id + " registers", this::register);
        world.tell(id + " renews", this::renew);
        for (int i = 0; i < 8; i++) world.tell(id + " claims", this::claimWell);
        for (var claim : List.copyOf(working)) world.tell(id + " finishes", () -> finish(claim));
        world.tell(id + " does directory tasks", () -> handleTasks(WELL));
    }

    String at(String directory) {
        return Disk.at(id.value(), directory);
    }

    static String directory(SessionId id) {
        return "/places/" + id;
    }

    /** Does its directory tasks, or fails them, or loses the report, or reports twice. */
    private String handleTasks(int luck) {
        var taken = world.rules.handleTasks.claim(id.value(), id);
        for (var task : taken) {
            if (luck == 0) {
                world.rules.handleTasks.fail(task.id(), "the disk is full");
                continue;
            }
            var preserved = task.places().stream().map(p -> preserved(task, p)).toList();
            var items = task.kind().deletesDirectories() ? List.<WorkItem>of() : preserved;
            if (luck == 1) continue;
            world.rules.handleTasks.complete(task.id(), items);
            if (luck == 2) world.rules.handleTasks.complete(task.id(), items);
        }
        return taken.stream().map(DirectoryTask::kind).toList() + ", luck " + luck;
    }

    private WorkItem preserved(DirectoryTask task, DirectoryTask.Place place) {
        var removal = String.valueOf(task.removal());
        switch (task.kind()) {
            case PRESERVE -> world.disk().keep(removal, at(place.directory()));
            case RELEASE -> world.disk().release(removal, at(place.directory()));
            case CLEAN_UP, DELETE -> world.disk().takeAway(at(place.directory()));
            case INSPECT, CHECK, COPY -> {
                // These only read.
            }
        }
        return world.found(task.host(), place.directory(), place.sessionName());
    }

    private String claimWell() {
        var outcome = world.rules.claim.claim(id, ClaimRun.Ask.ONE);
        if (!(outcome instanceof Outcome.Done<List<Claim>>(var found)) || found.isEmpty()) {
            return "nothing";
        }
        var claim = found.getFirst();
        var confirmed = confirm(claim);
        if (confirmed instanceof Outcome.Done<Run>) working.add(claim);
        return claim.run().id() + ", " + World.said(confirmed);
    }

    private String finish(Claim claim) {
        working.remove(claim);
        var run = claim.run().id();
        var by = claim.lease().holder();
        var done = new Result("done", null);
        return run
                + ", "
                + World.said(
                        said(
                                claim,
                                () ->
                                        world.rules.report.completed(
                                                run, by, done, MoveRun.After.FINISHED)));
    }

    private String register() {
        registered = true;
        var holds = new HashSet<RunId>();
        working.forEach(claim -> holds.add(claim.run().id()));
        var now = world.clock().instant();
        var skills =
                new Runner.Skills(
                        JsonText.EMPTY_OBJECT,
                        "autonomous",
                        Set.of(),
                        Runner.Matching.ANY_RUN,
                        4,
                        null);
        var runner =
                new Runner(
                        id,
                        new Runner.Post(id.value(), "/", "sim"),
                        skills,
                        Runner.Protocol.FENCED,
                        now,
                        now);
        return World.said(world.rules.register.register(runner, holds));
    }

    private String claim() {
        var ask = new ClaimRun.Ask(true, 1 + random.nextInt(3), 1 + random.nextInt(2));
        var outcome = world.rules.claim.claim(id, ask);
        if (!(outcome instanceof Outcome.Done<List<Claim>>(var found))) return World.said(outcome);
        if (found.isEmpty()) return "nothing pending";
        var runs = found.stream().map(c -> c.run().id().value()).collect(joining(" and "));
        if (random.nextInt(5) == 0) return "the answer with " + runs + " is lost";
        return runs + ", " + found.stream().map(this::begin).collect(joining(" and "));
    }

    private String begin(Claim claim) {
        remembered.add(claim);
        var confirmed = confirm(claim);
        if (confirmed instanceof Outcome.Done<Run>) working.add(claim);
        return World.said(confirmed);
    }

    private Outcome<Run> confirm(Claim claim) {
        return said(
                claim,
                () ->
                        world.write(() ->
                                world.rules
                                        .report
                                        .confirmed(
                                                claim.run().id(),
                                                claim.lease().holder(),
                                                Leases.DEFAULT.run())
                                        .map(run -> noted(claim, run))));
    }

    private Run noted(Claim claim, Run run) {
        world.note(
                new Workplace(
                        run.session(),
                        id.value(),
                        directory(claim.session().id()),
                        Workplace.Made.BY_COPPICE,
                        "/runs"));
        return run;
    }

    private Outcome<Run> said(Claim claim, Supplier<Outcome<Run>> what) {
        return world.report(claim.run().id(), claim.lease().holder(), what);
    }

    private String confirmAgain() {
        if (remembered.isEmpty()) return "nothing";
        return World.said(confirm(any(remembered)));
    }

    private String reportEnd() {
        if (working.isEmpty()) return "nothing";
        var claim = any(working);
        var outcome = end(claim);
        working.remove(claim);
        // The answer is lost, so the runner reports again.
        if (random.nextInt(4) == 0) end(claim);
        return claim.run().id() + ", " + World.said(outcome);
    }

    private Outcome<Run> end(Claim claim) {
        var run = claim.run().id();
        var by = claim.lease().holder();
        return said(
                claim,
                () ->
                        switch (random.nextInt(3)) {
                            case 0 -> world.rules.report.failed(run, by, "broke");
                            case 1 -> world.rules.report.stopped(run, by, "SIGTERM");
                            default ->
                                    world.rules.report.completed(
                                            run,
                                            by,
                                            new Result("done", null),
                                            MoveRun.After.FINISHED);
                        });
    }

    private String renew() {
        var held = new HashMap<RunId, RenewLeases.Held>();
        for (var c : working) {
            var fence = c.lease().holder().fence();
            held.put(c.run().id(), new RenewLeases.Held(fence, random.nextBoolean(), 0));
        }
        var outcome = world.rules.renew.renew(id, held);
        if (outcome instanceof Outcome.Done<dev.coppice.fleet.RenewLeases.Answer>(var answer)) {
            working.removeIf(c -> answer.lost().contains(c.run().id()));
            return held.size() + " runs, lost " + answer.lost();
        }
        // The coordinator no longer knows this runner: register again.
        registered = false;
        return World.said(outcome);
    }

    /** After the restart the runner may or may not find its processes again. */
    private String crash() {
        registered = false;
        if (random.nextBoolean()) working.clear();
        return working.size() + " processes are found again";
    }

    private String repeat() {
        if (remembered.isEmpty()) return "nothing";
        var claim = any(remembered);
        return claim.run().id() + ", " + World.said(end(claim));
    }

    private Claim any(List<Claim> claims) {
        return claims.get(random.nextInt(claims.size()));
    }
}
