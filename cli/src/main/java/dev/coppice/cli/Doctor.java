package dev.coppice.cli;

import dev.coppice.client.CoppiceClient;
import dev.coppice.runner.process.Census;
import dev.coppice.runner.process.Containment;
import dev.coppice.runner.process.Machine;
import dev.coppice.wire.Call;
import dev.coppice.wire.HealthCalls;
import dev.coppice.wire.Json;
import dev.coppice.wire.Paging;
import dev.coppice.wire.Patience;
import dev.coppice.wire.callback.CallbackCalls;
import dev.coppice.wire.fleet.FleetCalls;
import dev.coppice.wire.fleet.FleetCalls.RunnerView;
import dev.coppice.wire.removal.BackupCalls;
import dev.coppice.wire.run.RunCalls;
import dev.coppice.wire.run.RunView;

import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Looks for what does not fit together on this machine, and mends what is safe to mend. */
final class Doctor implements Command {
    private static final List<String> ALIVE = List.of("queued", "claimed", "running", "stopping");

    @Override
    public String name() {
        return "doctor";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Look for what does not fit together, and mend it",
                List.of(),
                List.of(Option.flag("fix", "mend what is safe, one line each")),
                """
                Says how agents' processes are held together here, and lists processes that
                belong to no run at work, runs at work without a process, leases of runners
                that are not heard of, locks that nobody holds any more, callbacks that were
                given up, accounts that have met their limits, and what 'coppice fsck' finds.

                With --fix it ends the processes that are nobody's, stops the runs that have
                no process, and takes git's locks out of directories that Coppice has made
                and in which nothing is at work. A lock in a directory of your own is told
                and never touched. Exit code 11 when something was found and not mended.
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var findings = new Findings();
        var data = Connection.data(args, console);
        var machine = machine(data, console);
        var containment = machine.containment();
        findings.good("containment", containment.name() + ": " + containment.promise());
        if (machine.supervisor().adopts()) {
            findings.good("descent", "the supervisor of an agent adopts the orphans it leaves");
        } else {
            findings.told(
                    "descent",
                    "without Perl on Linux orphans without a mark are ended only when no run is at"
                            + " work, and are lost with their runner");
        }
        var connection = Connection.open(args, console);
        try {
            look(connection, new Look(machine, data, args.has("fix")), findings);
            new Locks(connection, data, args.has("fix"), findings).look();
            leftOver(connection, findings);
        } catch (CoppiceClient.Unreachable e) {
            findings.wrong("coordinator", String.valueOf(e.getMessage()));
        }
        if (args.has(Option.JSON)) console.out().println(Json.write(findings.rows()));
        else findings.rows().forEach(row -> console.out().println(Findings.line(row)));
        return findings.isAllWell() ? Exit.OK : Exit.SICK;
    }

    private static Machine machine(Path data, Console console) {
        var wanted = console.env("COPPICE_CONTAINMENT");
        return Machine.looked(data.resolve("runner"), wanted == null ? "auto" : wanted);
    }

    /** What is looked at, where, and whether to mend it. */
    private record Look(Machine machine, Path data, boolean fix) {}

    private static void look(Connection connection, Look look, Findings findings) {
        var url = connection.client().base().toString();
        var health = connection.client().call(HealthCalls.HEALTH, new Call.Nothing()).body();
        findings.good("coordinator", "answers at " + url);
        var problems = Json.as(health, HealthCalls.Health.class).problems();
        if (problems != null) problems.forEach(p -> findings.wrong("coordinator", p));
        // Of a database that is damaged no other answer means anything.
        if (isDamaged(connection, findings)) return;
        var live = live(connection);
        if (Census.isPossible()) {
            processes(connection, look.machine(), live.keySet(), look.fix(), findings);
            new Runs(connection, look.machine(), look.data(), findings).look(live, look.fix());
        } else {
            findings.told("processes", "cannot be counted here: there is no /proc");
        }
        leases(connection, live, findings);
        sessionsWithoutRun(connection, live, findings);
        callbacks(connection, findings);
        for (var account : accounts(connection)) {
            findings.told(
                    "account",
                    "%s is held until %s: %s"
                            .formatted(account.account(), account.heldUntil(), account.reason()));
        }
    }

    private static List<FleetCalls.AccountView> accounts(Connection connection) {
        return connection.call(FleetCalls.ACCOUNTS, new Call.Nothing()).accounts();
    }

    private static List<BackupCalls.Leftover> leftovers(Connection connection, int seconds) {
        var wait = Patience.of(Duration.ofSeconds(seconds));
        return connection.call(BackupCalls.FSCK, new BackupCalls.Check(wait)).leftovers();
    }

    private static boolean isDamaged(Connection connection, Findings findings) {
        boolean damaged = false;
        for (var left : leftovers(connection, 0)) {
            if (!left.what().startsWith("damage")) continue;
            left.some().forEach(flaw -> findings.wrong("database", flaw));
            damaged = true;
        }
        return damaged;
    }

    /** Adds what fsck finds; the checks above look more closely for processes and damage. */
    private static void leftOver(Connection connection, Findings findings) {
        for (var left : leftovers(connection, 3)) {
            var what = left.what();
            if (what.startsWith("damage") || what.startsWith("runs that are over")) continue;
            left.some().forEach(one -> findings.wrong("leftovers", what + ": " + one));
        }
    }

    private static Map<String, RunView> live(Connection connection) {
        var live = new HashMap<String, RunView>();
        connection
                .pages(
                        RunCalls.LIST,
                        page -> new RunCalls.Find(ALIVE, null, page),
                        RunCalls.Page::runs,
                        RunCalls.Page::next)
                .forEach(run -> live.put(run.runId(), run));
        return live;
    }

    /** Two looks, with the rows read in between: what has just ended is not a stray. */
    private static void processes(
            Connection connection,
            Machine machine,
            Set<String> live,
            boolean fix,
            Findings findings) {
        var url = connection.client().base().toString();
        var groups = new HashSet<>(machine.containment().made());
        var count = machine.census().now();
        var strays = new HashMap<String, Set<Long>>();
        for (var remains : count.remains(url)) {
            if (!live.contains(remains.run())) strays.put(remains.run(), remains.pids());
        }
        var newest = new RunCalls.Find(null, null, Paging.after(null));
        for (var run : connection.call(RunCalls.LIST, newest).runs()) {
            var pids = count.markedBy(run.runId()).pids();
            if (!live.contains(run.runId()) && !pids.isEmpty()) strays.put(run.runId(), pids);
        }
        var now = live(connection).keySet();
        var again = machine.census().now();
        strays.keySet().removeIf(run -> now.contains(run) || gone(again, url, run));
        strays.forEach((run, pids) -> stray(machine, run, pids, fix, findings));
        if (strays.isEmpty()) findings.good("processes", "each belongs to a run at work");
        var known = new HashSet<>(live);
        known.addAll(now);
        groups.retainAll(machine.containment().made());
        groups(machine, groups, known, fix, findings);
    }

    /** Lists control groups that a killed runner made for runs that are over. */
    private static void groups(
            Machine machine,
            Set<String> groups,
            Set<String> known,
            boolean fix,
            Findings findings) {
        var held = known.stream().map(Containment::groupOf).collect(Collectors.toSet());
        for (var group : groups) {
            if (held.contains(group)) continue;
            if (fix) {
                machine.containment().leave(group);
                findings.mended("processes", "took away the control group of " + group);
            } else {
                findings.wrong(
                        "processes",
                        "a control group of %s, which is over; --fix takes it away"
                                .formatted(group));
            }
        }
    }

    private static boolean gone(Census.Count count, String url, String run) {
        var left = new HashSet<>(count.markedBy(run).pids());
        count.remains(url).stream()
                .filter(r -> r.run().equals(run))
                .forEach(r -> left.addAll(r.pids()));
        return left.isEmpty();
    }

    private static void stray(
            Machine machine, String run, Set<Long> pids, boolean fix, Findings findings) {
        var said = "%s has ended and still has %s".formatted(run, pids);
        if (!fix) {
            findings.wrong("processes", said + "; --fix ends them");
            return;
        }
        try {
            var how = machine.strays(run).end(Duration.ofSeconds(1));
            findings.mended("processes", "%s: ended by %s".formatted(said, how));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Made without a run, or bound by a program of their own; or something went wrong. */
    private static void sessionsWithoutRun(
            Connection connection, Map<String, RunView> live, Findings findings) {
        var busy = live.values().stream().map(RunView::sessionId).collect(Collectors.toSet());
        for (var session : connection.sessions(List.of("running", "stopping"))) {
            if (busy.contains(session.sessionId())) continue;
            findings.told(
                    "sessions",
                    "%s is %s and has no run at work here; 'coppice stop' ends it"
                            .formatted(session.sessionName(), session.state()));
        }
    }

    private static void leases(
            Connection connection, Map<String, RunView> live, Findings findings) {
        var silent =
                connection.runners().stream()
                        .filter(runner -> !runner.status().equals("online"))
                        .map(RunnerView::runnerId)
                        .collect(Collectors.toSet());
        for (var run : live.values()) {
            var runner = run.runnerId();
            if (runner == null || !silent.contains(runner)) continue;
            findings.told(
                    "leases",
                    "%s is with runner %s, which is not heard of; it is lost when its lease ends"
                            .formatted(run.runId(), runner));
        }
    }

    private static void callbacks(Connection connection, Findings findings) {
        var dead = List.of(CallbackCalls.State.DEAD);
        var find = new CallbackCalls.Find(dead, null, Paging.after(null));
        int found = connection.call(CallbackCalls.LIST, find).callbacks().size();
        if (found == 0) {
            findings.good("callbacks", "none was given up");
        } else {
            findings.told("callbacks", found + " were given up; see 'coppice callbacks --dead'");
        }
    }
}
