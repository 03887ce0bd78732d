package dev.coppice.boot;

import dev.coppice.alert.DeliverAlerts;
import dev.coppice.alert.RaiseAlerts;
import dev.coppice.alerts.AlertFile;
import dev.coppice.ask.AskPerson;
import dev.coppice.journal.EventRetention;
import dev.coppice.journal.IndexEvents;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Topic;
import dev.coppice.meter.Meter;
import dev.coppice.operations.RunHooks;
import dev.coppice.upkeep.Sweeps;
import dev.coppice.wave.AdvanceWaves;
import dev.coppice.wiring.Rules;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.IntSupplier;

/** The sweeps of the coordinator, and how often each of them runs. */
record Housekeeping(
        Rules rules,
        FaceParts.Queries queries,
        AdvanceWaves waves,
        RunHooks hooks,
        AskPerson person,
        Meter meter,
        List<Endpoint> endpoints,
        List<Face.Routine> routines,
        AlertFile alerts,
        Files files,
        Absences absences,
        Settings settings) {
    private static final Duration VANISHED_AFTER = Duration.ofMinutes(10);
    private static final Duration SECOND = Duration.ofSeconds(1);
    private static final Duration EVENTS_INTERVAL = Duration.ofSeconds(30);
    private static final Duration TREES_INTERVAL = Duration.ofMinutes(10);
    private static final int WAVES_AT_ONCE = 2;
    private static final int ROWS_PER_SWEEP_MAX = 2_000;

    List<Sweeps.Sweep> sweeps() {
        var runs = rules.runSweeps;
        var found = new ArrayList<Sweeps.Sweep>();
        found.add(new Sweeps.Sweep("lost-runs", SECOND, () -> absences.expireLeases(rules)));
        found.add(afterRunnersReported("unmatched-runs", runs::unmatchedRuns));
        found.add(new Sweeps.Sweep("runs-out-of-time", SECOND, runs::runsOutOfTime));
        found.add(
                new Sweeps.Sweep(
                        "tree-stops", SECOND, () -> rules.stopTree.retryStops(rules.ports)));
        found.add(afterRunnersReported("overdue-stops", runs::overdueStops));
        found.add(afterRunnersReported("unanswered-stops", runs::unansweredStops));
        found.add(
                new Sweeps.Sweep(
                        "callbacks", SECOND, new Topic.CallbackDue(), rules.deliver::deliverDue));
        found.add(
                new Sweeps.Sweep(
                        "held-callbacks", Duration.ofMinutes(1), rules.deliver::giveUpHeld));
        found.add(
                new Sweeps.Sweep(
                        "budgets", SECOND, () -> rules.spending.endOutOfTime(rules.ports)));
        found.add(new Sweeps.Sweep("questions", Duration.ofSeconds(5), person::sweep));
        found.add(Sweeps.Sweep.routine("transcripts", SECOND, meter.transcripts()::sweep));
        found.add(Sweeps.Sweep.routine("prices", Duration.ofSeconds(5), meter::sweepPrices));
        found.add(new Sweeps.Sweep("joins", SECOND, rules.join::closeTimedOut));
        found.add(
                new Sweeps.Sweep(
                        "removals", SECOND, new Topic.RemovalDue(), rules.removalSteps::advance));
        found.add(
                new Sweeps.Sweep(
                        "backups", SECOND, new Topic.RemovalDue(), rules.removalSteps::backUp));
        found.add(
                new Sweeps.Sweep(
                        "uncollected-inspections",
                        Duration.ofMinutes(5),
                        rules.inspectWork::deleteUncollected));
        found.add(
                new Sweeps.Sweep(
                        "releases", Duration.ofMinutes(10), rules.handleTasks::retryReleases));
        found.add(new Sweeps.Sweep("strays", Duration.ofMinutes(10), files.strays()::deleteAll));
        found.add(
                new Sweeps.Sweep(
                        "vanished-runners",
                        Duration.ofMinutes(1),
                        onceRunnersReported(() -> rules.register.forgetVanished(VANISHED_AFTER))));
        for (var endpoint : endpoints) {
            var name = endpoint.name() + "-sessions";
            found.add(new Sweeps.Sweep(name, Duration.ofMinutes(1), endpoint::sweepSessions));
        }
        routines.forEach(each -> found.add(each.sweep()));
        found.add(new Sweeps.Sweep("waves", SECOND, new Topic.WaveDue(), waves::sweep));
        found.add(new Sweeps.Sweep("hooks", SECOND, new Topic.HookDue(), hooks::sweep));
        var indexing =
                new IndexEvents(rules.ports.transactions(), queries.index(), rules.ports.journal());
        found.add(Sweeps.Sweep.routine("event-index", SECOND, indexing::sweep));
        found.add(new Sweeps.Sweep("old-receipts", Duration.ofMinutes(10), this::oldReceipts));
        found.addAll(alertSweeps());
        found.addAll(retention());
        return found;
    }

    private List<Sweeps.Sweep> alertSweeps() {
        var ports = rules.ports;
        var raise =
                new RaiseAlerts(
                        ports.transactions(),
                        ports.sessions(),
                        ports.journal(),
                        queries.alerts(),
                        alerts,
                        rules.callbackPorts.ids(),
                        ports.clock());
        var deliver =
                new DeliverAlerts(ports.transactions(), queries.alerts(), alerts, ports.clock());
        return List.of(
                Sweeps.Sweep.routine("alert-rules", Duration.ofSeconds(2), alerts::refresh),
                Sweeps.Sweep.routine("alerts", SECOND, raise::sweep),
                Sweeps.Sweep.routine("alerts-asking", Duration.ofSeconds(3), raise::sweepAsking),
                Sweeps.Sweep.routine("alerts-silent", Duration.ofSeconds(30), raise::sweepSilent),
                Sweeps.Sweep.routine("alert-deliveries", SECOND, deliver::sweep));
    }

    /** The sweeps that delete data after its retention. */
    private List<Sweeps.Sweep> retention() {
        var found = new ArrayList<Sweeps.Sweep>();
        var keepSessions = settings.keepSessions();
        if (keepSessions != null) {
            var every = keepSessions.compareTo(TREES_INTERVAL) < 0 ? keepSessions : TREES_INTERVAL;
            found.add(
                    new Sweeps.Sweep(
                            "old-trees", every, () -> rules.retention.sweep(keepSessions)));
            found.add(Sweeps.Sweep.routine("old-waves", every, () -> oldWaves(keepSessions)));
        }
        for (var rule : settings.keepEvents()) {
            var every = rule.keep().compareTo(EVENTS_INTERVAL) < 0 ? rule.keep() : EVENTS_INTERVAL;
            var retention =
                    new EventRetention(
                            rule,
                            rules.ports.transactions(),
                            rules.store.journal(),
                            rules.ports.clock());
            found.add(Sweeps.Sweep.routine("old-events", every, retention::sweep));
        }
        return found;
    }

    private Sweeps.Sweep afterRunnersReported(String name, IntSupplier work) {
        return new Sweeps.Sweep(name, SECOND, onceRunnersReported(work));
    }

    /**
     * Does nothing until one lease of a run has passed since the start, or since the last absence,
     * so that runners can report first.
     */
    private IntSupplier onceRunnersReported(IntSupplier work) {
        return () -> {
            var from = absences.awakeSince().plus(settings.leases().run());
            return rules.ports.clock().instant().isBefore(from) ? 0 : work.getAsInt();
        };
    }

    private int oldWaves(Duration keep) {
        var until = rules.ports.clock().instant().minus(keep);
        return rules.ports
                .transactions()
                .writeInBackground(() -> queries.waves().forget(until, WAVES_AT_ONCE));
    }

    private int oldReceipts() {
        var until = rules.ports.clock().instant().minus(Bounds.IDEMPOTENCY_RETENTION);
        return rules.ports
                .transactions()
                .write(() -> rules.store.receipts().forgetUntil(until, ROWS_PER_SWEEP_MAX));
    }
}
