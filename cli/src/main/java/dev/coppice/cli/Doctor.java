package dev.coppice.cli;

import dev.coppice.client.CoppiceClient;
import dev.coppice.runner.process.Census;
import dev.coppice.runner.process.Containment;
import dev.coppice.runner.process.Machine;

import tools.jackson.databind.JsonNode;

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
    private static final int RUNS_LOOKED_AT = 1000;
    private static final String ALIVE = "queued,claimed,running,stopping";

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
        if (args.has(Option.JSON)) console.out().println(findings.rows());
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
        var health = connection.client().get("/health").body();
        findings.good("coordinator", "answers at " + url);
        health.path("problems").forEach(p -> findings.wrong("coordinator", p.asString()));
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
        count(
                connection,
                "/callbacks?state=dead&limit=1000",
                "callbacks",
                "were given up",
                findings);
        for (var account : connection.get("/accounts").get("accounts")) {
            findings.told(
                    "account",
                    "%s is held until %s: %s"
                            .formatted(
                                    Shown.text(account, "account"),
                                    Shown.text(account, "held_until"),
                                    Shown.text(account, "reason")));
        }
    }

    private static boolean isDamaged(Connection connection, Findings findings) {
        boolean damaged = false;
        for (var left : connection.get("/fsck?wait=0s").path("leftovers")) {
            if (!Shown.text(left, "what").startsWith("damage")) continue;
            left.path("some").forEach(flaw -> findings.wrong("database", flaw.asString()));
            damaged = true;
        }
        return damaged;
    }

    /** Adds what fsck finds; the checks above look more closely for processes and damage. */
    private static void leftOver(Connection connection, Findings findings) {
        for (var left : connection.get("/fsck?wait=3s").path("leftovers")) {
            var what = Shown.text(left, "what");
            if (what.startsWith("damage") || what.startsWith("runs that are over")) continue;
            left.path("some")
                    .forEach(one -> findings.wrong("leftovers", what + ": " + one.asString()));
        }
    }

    private static Map<String, JsonNode> live(Connection connection) {
        var live = new HashMap<String, JsonNode>();
        connection
                .pages("/runs?limit=1000&status=" + ALIVE, "runs")
                .forEach(run -> live.put(Shown.text(run, "run_id"), run));
        return live;
    }

    static List<JsonNode> runners(Connection connection) {
        return connection.pages("/runners?limit=1000", "runners");
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
        for (var run : connection.get("/runs?limit=" + RUNS_LOOKED_AT).get("runs")) {
            var id = Shown.text(run, "run_id");
            var pids = count.markedBy(id).pids();
            if (!live.contains(id) && !pids.isEmpty()) strays.put(id, pids);
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
            Connection connection, Map<String, JsonNode> live, Findings findings) {
        var busy = new HashSet<String>();
        live.values().forEach(run -> busy.add(Shown.text(run, "session_id")));
        var found = connection.pages("/sessions?limit=1000&status=running,stopping", "sessions");
        for (var session : found) {
            if (busy.contains(Shown.text(session, "session_id"))) continue;
            findings.told(
                    "sessions",
                    "%s is %s and has no run at work here; 'coppice stop' ends it"
                            .formatted(
                                    Shown.text(session, "session_name"),
                                    Shown.text(session, "state")));
        }
    }

    private static void leases(
            Connection connection, Map<String, JsonNode> live, Findings findings) {
        var silent = new HashSet<String>();
        for (var runner : runners(connection)) {
            if (!Shown.text(runner, "status").equals("online")) {
                silent.add(Shown.text(runner, "runner_id"));
            }
        }
        for (var run : live.values()) {
            if (!silent.contains(Shown.text(run, "runner_id"))) continue;
            findings.told(
                    "leases",
                    "%s is with runner %s, which is not heard of; it is lost when its lease ends"
                            .formatted(Shown.text(run, "run_id"), Shown.text(run, "runner_id")));
        }
    }

    private static void count(
            Connection connection, String path, String what, String said, Findings findings) {
        int found = connection.get(path).get(what).size();
        if (found > 0) findings.told(what, found + " " + said + "; see 'coppice callbacks --dead'");
        else findings.good(what, "none was given up");
    }
}
