package dev.coppice.boot;

import dev.coppice.blueprints.AllBlueprints;
import dev.coppice.blueprints.JsonSchemas;
import dev.coppice.blueprints.Registries;
import dev.coppice.operation.Operation;
import dev.coppice.operations.Scope;
import dev.coppice.operations.fleet.Deregistrations;
import dev.coppice.operations.fleet.FleetOperations;
import dev.coppice.operations.fleet.Handover;
import dev.coppice.operations.fleet.OutputOperations;
import dev.coppice.operations.fleet.OutputReads;
import dev.coppice.operations.fleet.ReportOperations;
import dev.coppice.operations.fleet.RunnerOperations;
import dev.coppice.operations.fleet.ScriptSyncs;
import dev.coppice.operations.fleet.TaskOperations;
import dev.coppice.wiring.Rules;

import java.util.ArrayList;
import java.util.List;

/** Builds the operations of runners. */
record FleetFace(
        Rules rules,
        FaceParts parts,
        Scope scope,
        AllBlueprints blueprints,
        Registries registries,
        JsonSchemas schemas) {
    List<Operation<?, ?>> all() {
        var ports = rules.ports;
        var settings = parts.settings();
        var outputs = new OutputReads(parts.notifier());
        var deregistrations = new Deregistrations(parts.notifier());
        var fleet =
                new RunnerOperations.Fleet(
                        ports.transactions(),
                        rules.store.runners(),
                        rules.store.runs(),
                        rules.register,
                        rules.claim,
                        rules.renew,
                        rules.handleTasks,
                        outputs,
                        deregistrations,
                        blueprints,
                        new ScriptSyncs(registries, ports.clock()));
        var reports =
                new ReportOperations.Reports(
                        rules.report,
                        rules.stop,
                        schemas,
                        settings.leases(),
                        rules.store.workplaces(),
                        rules.spending,
                        ports);
        var all = new ArrayList<Operation<?, ?>>();
        all.addAll(new RunnerOperations(fleet, handover(), parts.notifier(), ports.clock()).all());
        all.addAll(
                new ReportOperations(
                                ports.transactions(),
                                rules.store.runners(),
                                rules.store.runs(),
                                reports)
                        .all());
        all.addAll(
                new OutputOperations(
                                scope,
                                rules.store.runs(),
                                rules.store.runners(),
                                outputs,
                                rules.callbackPorts.ids())
                        .all());
        all.addAll(tasksAndRunners(deregistrations));
        return all;
    }

    private List<Operation<?, ?>> tasksAndRunners(Deregistrations deregistrations) {
        var ports = rules.ports;
        var all = new ArrayList<Operation<?, ?>>();
        all.addAll(
                new TaskOperations(
                                ports.transactions(),
                                rules.store.runners(),
                                rules.handleTasks,
                                parts.files().uploads())
                        .all());
        all.addAll(
                new FleetOperations(
                                ports.transactions(),
                                rules.store.runners(),
                                rules.register,
                                new FleetOperations.Accounts(
                                        ports, rules.store.accountHolds(), rules.breaker),
                                deregistrations,
                                ports.clock())
                        .all());
        return all;
    }

    private Handover handover() {
        var settings = parts.settings();
        return new Handover(parts.tokens(), settings.environment(), settings.leases().run());
    }
}
