package dev.coppice.boot;

import dev.coppice.access.Validity;
import dev.coppice.ask.AskPerson;
import dev.coppice.ask.ToolGate;
import dev.coppice.hooks.Decisions;
import dev.coppice.hooks.HookRoutes;
import dev.coppice.meter.Meter;
import dev.coppice.meter.MetricsRoute;
import dev.coppice.observe.RecordObservations;
import dev.coppice.operations.AskOperations;
import dev.coppice.operations.Directories;
import dev.coppice.operations.Scope;
import dev.coppice.operations.Watch;
import dev.coppice.operations.fleet.ProcessOperations;
import dev.coppice.operations.look.AlertOperations;
import dev.coppice.operations.look.CompareOperations;
import dev.coppice.operations.look.TurnOperations;
import dev.coppice.operations.look.UsageOperations;
import dev.coppice.operations.removal.RemovalOperations;
import dev.coppice.request.Operation;
import dev.coppice.usage.RecordUse;
import dev.coppice.web.IdempotentRequests;
import dev.coppice.web.Route;
import dev.coppice.wiring.Rules;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;

/** The faces for agents that Coppice did not start: hooks, questions and their cost. */
final class Observing {
    private final Rules rules;
    private final FaceParts parts;
    private final RecordObservations observe;
    private final AskPerson person;
    private final Meter meter;
    private final Directories directories;
    private final Validity validity;
    private final HookRoutes hooks;

    Observing(
            Rules rules,
            FaceParts parts,
            Watch watch,
            IdempotentRequests idempotentRequests,
            Validity validity) {
        this.rules = rules;
        this.parts = parts;
        this.directories = directories(rules);
        this.observe = recordObservations(rules, parts);
        this.person = askPerson(rules, parts);
        this.meter =
                new Meter(
                        rules.ports,
                        new RecordUse(
                                rules.ports,
                                rules.spending,
                                parts.queries().modelUses(),
                                parts.prices()),
                        parts.prices(),
                        parts.queries().observations(),
                        observe,
                        parts.settings().transcripts());
        this.validity = validity;
        this.hooks = hooks(idempotentRequests, watch);
    }

    AskPerson person() {
        return person;
    }

    Meter meter() {
        return meter;
    }

    HookRoutes hooks() {
        return hooks;
    }

    List<Route> routes() {
        var routes = new ArrayList<>(hooks.routes());
        routes.add(
                new MetricsRoute(
                                rules.ports.transactions(),
                                parts.queries().figures(),
                                parts.queries().modelUses(),
                                rules.store.journal(),
                                parts.loops(),
                                rules.ports.clock())
                        .route());
        return routes;
    }

    List<Operation<?, ?>> operations(Scope scope) {
        var queries = parts.queries();
        var all = new ArrayList<Operation<?, ?>>();
        all.addAll(new AskOperations(scope, queries.asks(), person, rules.ports.clock()).all());
        all.addAll(
                new AlertOperations(
                                scope,
                                queries.alerts(),
                                parts.alerts(),
                                parts.alerts(),
                                () -> AlertRuleViews.of(parts.alerts()),
                                rules.ports.clock())
                        .all());
        all.addAll(
                new ProcessOperations(
                                scope,
                                rules.ports,
                                observe,
                                rules.store.runners(),
                                rules.watchProcesses,
                                directories,
                                meter.transcripts(),
                                rules.callbackPorts.ids())
                        .all());
        all.addAll(
                new TurnOperations(
                                scope,
                                rules.store.journal(),
                                rules.store.runs(),
                                queries.modelUses(),
                                queries.healths())
                        .all());
        all.addAll(
                new UsageOperations(
                                scope,
                                queries.modelUses(),
                                parts.prices()::view,
                                rules.ports.clock())
                        .all());
        all.addAll(
                new CompareOperations(
                                scope,
                                rules.store.journal(),
                                rules.store.budgets(),
                                queries.modelUses(),
                                rules.ports.clock())
                        .all());
        return all;
    }

    Ground ground(Scope scope, RemovalOperations removals, Ground.Fleet fleet) {
        return new Ground(
                scope,
                removals,
                fleet,
                new Ground.Following(parts.tail(), parts.followers(), validity),
                parts.queries().observations(),
                observe,
                new Ground.Usage(
                        rules.ports,
                        meter.record(),
                        parts.queries().modelUses(),
                        parts.queries().exports(),
                        parts.settings().collector()),
                rules.callbackPorts.ids(),
                rules.ports.clock());
    }

    static Directories directories(Rules rules) {
        return new Directories(rules.lookAfter, host());
    }

    private static String host() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException _) {
            return "localhost";
        }
    }

    private static AskPerson askPerson(Rules rules, FaceParts parts) {
        return new AskPerson(
                rules.ports.transactions(),
                parts.queries().asks(),
                rules.store.journal(),
                rules.store.signals(),
                rules.callbackPorts.ids(),
                rules.ports.clock(),
                rules.ports.room());
    }

    private static RecordObservations recordObservations(Rules rules, FaceParts parts) {
        var ports = rules.ports;
        return new RecordObservations(
                parts.queries().observations(),
                ports.sessions(),
                ports.journal(),
                rules.startSession,
                parts.queries().waves(),
                ports.room(),
                ports.clock());
    }

    private HookRoutes hooks(IdempotentRequests idempotentRequests, Watch watch) {
        var ports = rules.ports;
        return new HookRoutes(
                ports.transactions(),
                parts.queries().observations(),
                observe,
                meter.transcripts(),
                meter.record(),
                directories,
                rules.watchProcesses,
                ports.journal(),
                ports.sessions(),
                rules.access,
                rules.store.audit(),
                idempotentRequests,
                new Decisions(
                        ports.transactions(),
                        ports.sessions(),
                        new ToolGate(ports, rules.startSession, parts.queries().asks()),
                        parts.queries().asks(),
                        person,
                        watch,
                        ports.outside(),
                        rules.store.audit(),
                        directories.host()),
                ports.clock());
    }
}
