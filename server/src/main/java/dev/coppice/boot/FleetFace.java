package dev.coppice.boot;

import dev.coppice.access.MakeToken;
import dev.coppice.access.Tokens;
import dev.coppice.blueprints.AllBlueprints;
import dev.coppice.blueprints.Registries;
import dev.coppice.operations.Scope;
import dev.coppice.operations.fleet.DrainOperations;
import dev.coppice.operations.fleet.FleetOperations;
import dev.coppice.operations.fleet.Handover;
import dev.coppice.operations.fleet.JoinedRunners;
import dev.coppice.operations.fleet.OutputOperations;
import dev.coppice.operations.fleet.OutputReads;
import dev.coppice.operations.fleet.ReportOperations;
import dev.coppice.operations.fleet.RunnerOperations;
import dev.coppice.operations.fleet.TaskOperations;
import dev.coppice.operations.token.Invites;
import dev.coppice.operations.token.PendingCodes;
import dev.coppice.request.Operation;
import dev.coppice.schema.JsonSchemas;
import dev.coppice.wiring.Rules;

import java.util.ArrayList;
import java.util.List;

/** Builds the operations of runners. */
final class FleetFace {
    private final Rules rules;
    private final FaceParts parts;
    private final Scope scope;
    private final OutputReads outputs;
    private final DrainOperations drain;
    private final Ground.Fleet ground;

    FleetFace(
            Rules rules,
            FaceParts parts,
            Scope scope,
            AllBlueprints blueprints,
            Registries registries,
            JsonSchemas schemas) {
        this.rules = rules;
        this.parts = parts;
        this.scope = scope;
        this.outputs = new OutputReads(parts.notifier());
        this.drain = new DrainOperations(rules.ports.transactions(), rules.ports.clock());
        this.ground =
                new Ground.Fleet(
                        polls(blueprints),
                        reports(schemas),
                        removals(),
                        rules.store.runners(),
                        rules.store.runs(),
                        registries,
                        parts.notifier());
    }

    /** The parts that faces of other modules use. */
    Ground.Fleet ground() {
        return ground;
    }

    List<Operation<?, ?>> all() {
        var all = new ArrayList<Operation<?, ?>>();
        all.addAll(ground.polls().all());
        all.addAll(ground.reports().all());
        all.addAll(
                new OutputOperations(
                                scope,
                                rules.store.runs(),
                                rules.store.runners(),
                                outputs,
                                rules.callbackPorts.ids())
                        .all());
        all.addAll(
                new TaskOperations(
                                rules.ports.transactions(),
                                rules.store.runners(),
                                rules.handleTasks,
                                parts.files().uploads())
                        .all());
        all.addAll(ground.removals().all());
        all.addAll(invites().all());
        all.addAll(drain.all());
        return all;
    }

    private RunnerOperations polls(AllBlueprints blueprints) {
        return new RunnerOperations(
                rules.ports.transactions(),
                rules.store.runners(),
                rules.store.runs(),
                rules.register,
                joined(),
                rules.claim,
                drain,
                rules.renew,
                rules.handleTasks,
                outputs,
                blueprints,
                handover(),
                parts.notifier(),
                rules.ports.clock());
    }

    private ReportOperations reports(JsonSchemas schemas) {
        return new ReportOperations(
                rules.ports.transactions(),
                rules.store.runners(),
                rules.store.runs(),
                rules.report,
                rules.stop,
                schemas,
                parts.settings().leases(),
                rules.store.workplaces(),
                rules.spending,
                rules.ports);
    }

    private FleetOperations removals() {
        return new FleetOperations(
                rules.ports.transactions(),
                rules.store.runners(),
                rules.register,
                joined(),
                rules.ports,
                rules.store.accountHolds(),
                rules.breaker,
                rules.ports.clock());
    }

    /** The runners that joined from other machines. */
    JoinedRunners joined() {
        return new JoinedRunners(parts.issuedTokens(), rules.store.runners(), rules.register);
    }

    private Invites invites() {
        var clock = rules.ports.clock();
        var transactions = rules.ports.transactions();
        var ids = rules.callbackPorts.ids();
        var codes =
                new PendingCodes<Invites.Offer>(
                        Tokens.Purpose.INVITE,
                        parts.tokens(),
                        parts.issuedTokens(),
                        transactions,
                        ids,
                        clock);
        var making = new MakeToken(parts.issuedTokens(), ids, clock);
        return new Invites(codes, transactions, parts.tokens(), making, parts.address(), clock);
    }

    private Handover handover() {
        var settings = parts.settings();
        return new Handover(parts.tokens(), settings.environment(), settings.leases().run());
    }
}
