package dev.coppice.cli.doctor;

import dev.coppice.boot.DataDirectory;
import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.CoordinatorPlace;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Usage;
import dev.coppice.cli.machine.Launch;
import dev.coppice.client.CoppiceClient;
import dev.coppice.run.RunWord;
import dev.coppice.runner.DirectoryLock;
import dev.coppice.runner.directory.AgentDirectories;
import dev.coppice.runner.process.Machine;
import dev.coppice.runner.process.ProcessTable;
import dev.coppice.runner.process.Supervised;
import dev.coppice.wire.Call;
import dev.coppice.wire.HealthCalls;
import dev.coppice.wire.Json;
import dev.coppice.wire.Paging;
import dev.coppice.wire.Patience;
import dev.coppice.wire.callback.CallbackCalls;
import dev.coppice.wire.fleet.FleetCalls;
import dev.coppice.wire.fleet.FleetCalls.RunnerView;
import dev.coppice.wire.run.RunCalls;
import dev.coppice.wire.run.RunView;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** Finds inconsistencies on this machine, and repairs those that are safe to repair. */
public final class DoctorCommand implements Command {
    private static final Patience AT_ONCE = Patience.of(Duration.ZERO);
    private static final Patience RUNNERS = Patience.of(Duration.ofSeconds(3));

    @Override
    public String name() {
        return "doctor";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Find inconsistencies on this machine, and repair them",
                List.of(),
                List.of(Option.flag("fix", "repair what is safe to repair")),
                """
                Prints how the processes of agents are contained here, and lists processes
                without a live run, live runs without a process, leases of silent runners,
                locks that were left behind, dead callbacks, accounts that have met their
                limits, and the findings of 'coppice fsck'.

                With --fix it ends processes without a run, stops runs without a process, and
                deletes git's lock files in directories that Coppice created and in which no
                session is live. A lock file in any other directory is reported, never
                deleted. Exits with 11 if it found a problem that it did not repair.
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var findings = new CheckReport();
        var data = CoordinatorPlace.data(args, console);
        var machine = machine(data, console);
        var containment = machine.containment();
        findings.good("containment", containment.name() + ": " + containment.promise());
        if (machine.supervisor().adopts()) {
            findings.good("descent", "the supervisor of an agent adopts the orphans of that agent");
        } else {
            findings.told(
                    "descent",
                    "no Perl on Linux: orphans without a mark are ended only while no run is live,"
                            + " and are no longer found once their runner is killed");
        }
        if (!Launch.isOnPath("git", console)) {
            findings.told(
                    "git",
                    "not found: work in repositories is not inspected, so sessions there are"
                            + " removed only with --override");
        }
        listening(data, findings);
        // It looks at this machine, so a context does not count.
        boolean isHere = CoordinatorPlace.of(args, console).directory().equals(data);
        var own = isHere ? args : args.with(Option.DATA, data.toString());
        var connection = Connection.open(own, console);
        try {
            look(connection, new Look(machine, data, args.has("fix")), findings);
            new Locks(connection, data, args.has("fix"), findings).look();
            Consistency.ask(connection, RUNNERS).add(findings);
        } catch (CoppiceClient.Unreachable e) {
            findings.wrong("coordinator", String.valueOf(e.getMessage()));
        }
        return findings.print(args, console);
    }

    private static void listening(Path data, CheckReport findings) {
        var file = data.resolve(DataDirectory.BEYOND);
        try {
            var url = Files.exists(file) ? Files.readString(file).strip() : "";
            if (!url.startsWith("http:")) return;
            findings.told(
                    "network",
                    url
                            + " has no TLS: whoever is on the way reads every token; 'coppice tls"
                            + " make' makes a certificate");
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
    }

    private static Machine machine(Path data, Console console) {
        var wanted = console.env("COPPICE_CONTAINMENT");
        return Machine.probe(data.resolve("runner"), wanted == null ? "auto" : wanted);
    }

    /** The machine and data directory to check, and whether to repair. */
    private record Look(Machine machine, Path data, boolean fix) {}

    private static void look(Connection connection, Look look, CheckReport findings) {
        var url = connection.client().base().toString();
        var health = connection.client().call(HealthCalls.HEALTH, new Call.Nothing()).body();
        findings.good("coordinator", "answers at " + url);
        var problems = Json.as(health, HealthCalls.Health.class).problems();
        if (problems != null) problems.forEach(p -> findings.wrong("coordinator", p));
        // Other answers read from a damaged database are worthless.
        if (Consistency.ask(connection, AT_ONCE).isDamaged()) return;
        var live = live(connection);
        if (ProcessTable.isPossible()) {
            processes(connection, look, live.keySet(), findings);
            new LostRuns(connection, look.machine(), look.data(), findings).look(live, look.fix());
        } else {
            findings.told("processes", "cannot be counted: this machine has no /proc");
        }
        leases(connection, live, findings);
        sessionsWithoutRun(connection, live, findings);
        callbacks(connection, findings);
        for (var account : accounts(connection)) {
            findings.told(
                    "account",
                    "%s starts no runs until %s: %s"
                            .formatted(account.account(), account.heldUntil(), account.reason()));
        }
    }

    private static List<FleetCalls.AccountView> accounts(Connection connection) {
        return connection.call(FleetCalls.ACCOUNTS, new Call.Nothing()).accounts();
    }

    private static Map<String, RunView> live(Connection connection) {
        var live = new HashMap<String, RunView>();
        connection
                .pages(
                        RunCalls.LIST,
                        page -> new RunCalls.Find(RunWord.LIVE, null, null, page),
                        RunCalls.Page::runs,
                        RunCalls.Page::next)
                .forEach(run -> live.put(run.runId(), run));
        return live;
    }

    /** Counts twice and reads the runs in between, so that a process just ending is no stray. */
    private static void processes(
            Connection connection, Look look, Set<String> live, CheckReport findings) {
        var machine = look.machine();
        var url = connection.client().base().toString();
        var groups = new HashSet<>(machine.containment().leftBehind());
        var count = machine.processTable().now();
        var strays = new HashMap<String, Set<Long>>();
        for (var remains : count.remains(url)) {
            if (!live.contains(remains.run())) strays.put(remains.run(), remains.pids());
        }
        var newest = new RunCalls.Find(null, null, null, Paging.after(null));
        for (var run : connection.call(RunCalls.LIST, newest).runs()) {
            var pids = count.markedBy(run.runId()).pids();
            if (!live.contains(run.runId()) && !pids.isEmpty()) strays.put(run.runId(), pids);
        }
        var now = live(connection).keySet();
        var again = machine.processTable().now();
        strays.keySet().removeIf(run -> now.contains(run) || gone(again, url, run));
        strays.forEach((run, pids) -> stray(look, run, pids, findings));
        if (strays.isEmpty()) findings.good("processes", "each belongs to a live run");
        // A running runner creates a group before the process that enters it.
        if (DirectoryLock.isHeld(look.data().resolve("runner"))) return;
        groups.retainAll(machine.containment().leftBehind());
        groups(machine, groups, look.fix(), findings);
    }

    /** Reports or removes control groups that are still empty after both looks. */
    private static void groups(
            Machine machine, Set<String> groups, boolean fix, CheckReport findings) {
        for (var group : groups) {
            if (fix) {
                machine.containment().cleanUp(group);
                findings.mended("processes", "removed the control group " + group);
            } else {
                findings.wrong(
                        "processes",
                        "control group %s has no processes left; --fix removes it"
                                .formatted(group));
            }
        }
    }

    private static boolean gone(ProcessTable.Count count, String url, String run) {
        var left = new HashSet<>(count.markedBy(run).pids());
        count.remains(url).stream()
                .filter(r -> r.run().equals(run))
                .forEach(r -> left.addAll(r.pids()));
        return left.isEmpty();
    }

    private static void stray(Look look, String run, Set<Long> pids, CheckReport findings) {
        var finding = "%s has ended but has processes %s".formatted(run, pids);
        if (!look.fix()) {
            findings.wrong("processes", finding + "; --fix ends them");
            return;
        }
        try {
            // The record of a run names its control group.
            var record = look.data().resolve("runner/runs").resolve(AgentDirectories.safe(run));
            var how = Supervised.strays(run, record, look.machine()).end(Duration.ofSeconds(1));
            findings.mended("processes", "%s: ended by %s".formatted(finding, how));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** Reports live sessions without a run: created so, bound by a program, or by an error. */
    private static void sessionsWithoutRun(
            Connection connection, Map<String, RunView> live, CheckReport findings) {
        var busy = live.values().stream().map(RunView::sessionId).collect(Collectors.toSet());
        for (var session : connection.sessions(List.of("running", "stopping"))) {
            if (busy.contains(session.sessionId())) continue;
            findings.told(
                    "sessions",
                    "%s is %s but has no live run; 'coppice stop' ends it"
                            .formatted(session.sessionName(), session.state()));
        }
    }

    private static void leases(
            Connection connection, Map<String, RunView> live, CheckReport findings) {
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
                    "%s is held by silent runner %s and is lost when its lease expires"
                            .formatted(run.runId(), runner));
        }
    }

    private static void callbacks(Connection connection, CheckReport findings) {
        var dead = List.of(CallbackCalls.State.DEAD);
        var find = new CallbackCalls.Find(dead, null, Paging.after(null));
        int found = connection.call(CallbackCalls.LIST, find).callbacks().size();
        if (found == 0) {
            findings.good("callbacks", "none is dead");
        } else {
            findings.told("callbacks", found + " dead; see 'coppice callbacks --dead'");
        }
    }
}
