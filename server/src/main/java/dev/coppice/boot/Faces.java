package dev.coppice.boot;

import dev.coppice.access.MakeToken;
import dev.coppice.access.Validity;
import dev.coppice.backup.FileAudit;
import dev.coppice.backup.Fsck;
import dev.coppice.blueprints.AllBlueprints;
import dev.coppice.blueprints.FileBlueprints;
import dev.coppice.blueprints.Registries;
import dev.coppice.blueprints.Resolution;
import dev.coppice.dashboard.DashboardRoutes;
import dev.coppice.operations.AuditOperations;
import dev.coppice.operations.Audited;
import dev.coppice.operations.AwaitSessions;
import dev.coppice.operations.Briefing;
import dev.coppice.operations.BudgetOperations;
import dev.coppice.operations.CallbackOperations;
import dev.coppice.operations.EventOperations;
import dev.coppice.operations.ExplainChildren;
import dev.coppice.operations.HealthOperations;
import dev.coppice.operations.JoinWave;
import dev.coppice.operations.RetryOperations;
import dev.coppice.operations.RunHooks;
import dev.coppice.operations.RunOperations;
import dev.coppice.operations.RunWaits;
import dev.coppice.operations.Scope;
import dev.coppice.operations.SessionOperations;
import dev.coppice.operations.SessionWorkOperations;
import dev.coppice.operations.StartOperations;
import dev.coppice.operations.StopOperations;
import dev.coppice.operations.TreeOperations;
import dev.coppice.operations.Watch;
import dev.coppice.operations.look.ActivityOperations;
import dev.coppice.operations.look.OutlineOperations;
import dev.coppice.operations.look.RelationOperations;
import dev.coppice.operations.look.SpanOperations;
import dev.coppice.operations.registry.BlueprintOperations;
import dev.coppice.operations.registry.ConfigurationOperations;
import dev.coppice.operations.removal.BackupOperations;
import dev.coppice.operations.removal.RemovalOperations;
import dev.coppice.operations.removal.WorkInspection;
import dev.coppice.operations.token.SignIns;
import dev.coppice.operations.token.TokenOperations;
import dev.coppice.operations.wave.MemberStarter;
import dev.coppice.operations.wave.WaveOperations;
import dev.coppice.request.Operation;
import dev.coppice.schema.JsonSchemas;
import dev.coppice.session.SessionJournal;
import dev.coppice.stream.ChangeRoutes;
import dev.coppice.stream.StreamRoutes;
import dev.coppice.stream.Wanted;
import dev.coppice.view.Headlines;
import dev.coppice.wave.AdvanceWaves;
import dev.coppice.web.IdempotentRequests;
import dev.coppice.web.OpenApi;
import dev.coppice.web.RequestMemory;
import dev.coppice.web.Rest;
import dev.coppice.web.RoleCheck;
import dev.coppice.web.Route;
import dev.coppice.wire.Release;
import dev.coppice.wiring.Rules;
import dev.coppice.wiring.Store;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;

/** Builds every face on top of the rules. */
final class Faces {
    private final Rules rules;
    private final FaceParts parts;
    private final Store store;
    private final Scope scope;
    private final Watch watch;
    private final AllBlueprints blueprints;
    private final Registries registries;
    private final SessionOperations sessions;
    private final WorkInspection looking;
    private final RemovalOperations removals;
    private final IdempotentRequests idempotentRequests;
    private final Observing observing;
    private final FleetFace fleet;
    private final List<Face> others;
    private final BudgetOperations budgets;
    private final RunWaits waits;
    private final StartOperations starts;
    private final JoinWave waves;
    private final MemberStarter starter;
    private final AdvanceWaves advanceWaves;
    private final List<Operation<?, ?>> operations;
    private final List<Endpoint> endpoints;
    private final SignIns signIns;
    private final JsonSchemas schemas = new JsonSchemas();

    Faces(Rules rules, FaceParts parts, RoleCheck roles, List<Face.Maker> others) {
        this.rules = rules;
        this.parts = parts;
        this.store = rules.store;
        this.scope = new Scope(rules.ports.transactions(), store.sessions(), rules.access);
        this.watch = new Watch(parts.notifier(), rules.ports.clock());
        this.blueprints =
                new AllBlueprints(
                        new FileBlueprints(parts.registries()),
                        rules.ports.transactions(),
                        store.runners());
        this.registries = new Registries(parts.registries());
        this.sessions = sessions();
        this.looking =
                new WorkInspection(
                        rules.ports.transactions(),
                        rules.inspectWork,
                        store.runners(),
                        parts.notifier(),
                        rules.ports.clock());
        this.removals = removals();
        this.idempotentRequests =
                new IdempotentRequests(
                        rules.ports.transactions(), store.receipts(), rules.ports.clock());
        this.observing = new Observing(rules, parts, watch, idempotentRequests, validity());
        this.fleet = new FleetFace(rules, parts, scope, blueprints, registries, schemas);
        var ground = observing.ground(scope, removals, fleet.ground());
        this.others = others.stream().map(other -> other.on(ground)).toList();
        var ports = rules.ports;
        this.budgets = budgets();
        this.waits = new RunWaits(scope, store.runs(), parts.notifier(), ports.clock());
        this.waves = new JoinWave(scope, parts.queries().waves(), ports.clock());
        this.starts =
                new StartOperations(
                        scope, rules.startRun, briefing(), waits, budgets, waves, explaining());
        this.starter = new MemberStarter(scope, store.runs(), starts);
        this.advanceWaves =
                new AdvanceWaves(
                        ports.transactions(), parts.queries().waves(), starter, ports.clock());
        this.signIns =
                new SignIns(
                        scope,
                        parts.issuedTokens(),
                        parts.tokens(),
                        makeToken(),
                        rules.callbackPorts.ids(),
                        ports.clock(),
                        Release.ours().version());
        var audited = new Audited(scope, store.audit(), ports.clock());
        this.operations = audited.in(merged(operations()));
        var offer = offer(roles);
        this.endpoints =
                this.others.stream().flatMap(other -> other.endpoint(offer).stream()).toList();
    }

    private Offer offer(RoleCheck roles) {
        return new Offer(
                operations,
                removals,
                sessions,
                roles,
                parts.tail(),
                parts.followers(),
                parts.loops(),
                validity(),
                parts.tokens(),
                rules.ports.clock(),
                Release.ours().version());
    }

    private SessionOperations sessions() {
        return new SessionOperations(
                scope,
                rules.startSession,
                rules.attachRoot,
                Observing.directories(rules),
                explaining(),
                new Headlines(parts.queries().healths()),
                rules.ports);
    }

    private ExplainChildren explaining() {
        return new ExplainChildren(parts.queries().spawns());
    }

    RunHooks runHooks() {
        return new RunHooks(
                rules.ports, rules.startRun, briefing(), explaining(), rules.callbackPorts.ids());
    }

    AdvanceWaves advanceWaves() {
        return advanceWaves;
    }

    List<Route> routes() {
        var routes = new ArrayList<>(new Rest(idempotentRequests).routes(operations));
        routes.addAll(observing.routes());
        others.forEach(other -> routes.addAll(other.routes()));
        routes.add(live().route());
        routes.add(changes().route());
        endpoints.forEach(endpoint -> routes.addAll(endpoint.routes()));
        routes.addAll(DashboardRoutes.all());
        routes.add(new OpenApi(routes, Release.ours().version()).route());
        return List.copyOf(routes);
    }

    /** The routes of a port for hooks. */
    List<Route> hookRoutes(int port) {
        var routes = new ArrayList<>(observing.hooks().routes());
        others.forEach(other -> routes.addAll(other.routesAt(port)));
        return List.copyOf(routes);
    }

    SignIns signIns() {
        return signIns;
    }

    Observing observing() {
        return observing;
    }

    List<Endpoint> endpoints() {
        return endpoints;
    }

    List<Face.Routine> routines() {
        return others.stream().flatMap(other -> other.routines().stream()).toList();
    }

    /** Ends the faces of other modules. */
    void close() {
        others.forEach(Face::close);
    }

    private List<Operation<?, ?>> operations() {
        var clock = rules.ports.clock();
        var all = new ArrayList<Operation<?, ?>>();
        all.addAll(new HealthOperations(Release.ours().version(), parts.check()).all());
        all.addAll(sessions.all());
        all.addAll(
                new SessionWorkOperations(
                                scope,
                                store.runs(),
                                rules.ports.room(),
                                new SessionJournal(store.journal(), clock),
                                rules.stop,
                                clock)
                        .all());
        all.addAll(
                new EventOperations(
                                scope, store.journal(), parts.queries().index(), rules.reportEvent)
                        .all());
        all.addAll(new ActivityOperations(scope, parts.queries().healths(), clock).all());
        all.addAll(
                new OutlineOperations(
                                scope,
                                parts.queries().nodes(),
                                parts.queries().healths(),
                                store.journal())
                        .all());
        all.addAll(new RelationOperations(scope, parts.queries().relations()).all());
        all.addAll(new SpanOperations(scope, parts.queries().spans(), clock).all());
        all.addAll(reports());
        all.addAll(runs());
        all.addAll(retries().all());
        all.addAll(stops());
        all.addAll(
                new CallbackOperations(
                                scope,
                                store.callbacks(),
                                store.joins(),
                                store.runs(),
                                watch,
                                rules.send,
                                rules.take,
                                rules.join,
                                rules.retryCallback)
                        .all());
        all.add(new AwaitSessions(scope, watch).operation());
        all.addAll(removals.all());
        all.addAll(backups());
        all.addAll(new AuditOperations(scope, store.audit()).all());
        all.addAll(definitions());
        all.addAll(tokens());
        all.addAll(fleet.all());
        return all;
    }

    private RetryOperations retries() {
        return new RetryOperations(
                scope,
                store.runs(),
                store.budgets(),
                store.treeRows(),
                rules.startSession,
                starts,
                rules.ports.clock());
    }

    private List<Operation<?, ?>> tokens() {
        var all = new ArrayList<Operation<?, ?>>();
        all.addAll(signIns.all());
        all.addAll(
                new TokenOperations(
                                scope,
                                parts.issuedTokens(),
                                parts.tokens(),
                                makeToken(),
                                fleet.joined(),
                                rules.ports.clock())
                        .all());
        return all;
    }

    private List<Operation<?, ?>> definitions() {
        var clock = rules.ports.clock();
        var all = new ArrayList<Operation<?, ?>>();
        all.addAll(
                new BlueprintOperations(
                                blueprints, registries, schemas, clock, scope.transactions())
                        .all());
        all.addAll(
                new ConfigurationOperations(
                                blueprints,
                                registries,
                                schemas,
                                clock,
                                scope.transactions(),
                                RequestMemory.ofArchives())
                        .all());
        return all;
    }

    private List<Operation<?, ?>> reports() {
        var all = new ArrayList<Operation<?, ?>>();
        all.addAll(observing.operations(scope));
        all.addAll(new TreeOperations(scope).all());
        return all;
    }

    /** Adds the operations of other modules, which replace operations of the same name. */
    private List<Operation<?, ?>> merged(List<Operation<?, ?>> own) {
        var byName = new LinkedHashMap<String, Operation<?, ?>>();
        own.forEach(operation -> byName.put(operation.call().name(), operation));
        for (var other : others) {
            other.operations().forEach(each -> byName.put(each.call().name(), each));
        }
        return List.copyOf(byName.values());
    }

    private Briefing briefing() {
        return new Briefing(
                blueprints,
                new Resolution(registries),
                schemas,
                parts.settings().environment().keySet(),
                rules.ports.transactions(),
                store.sessions(),
                store.runs());
    }

    private List<Operation<?, ?>> runs() {
        var all = new ArrayList<Operation<?, ?>>();
        all.addAll(starts.all());
        all.addAll(new RunOperations(scope, store.runs(), waits, rules.stop).all());
        all.addAll(budgets.all());
        all.addAll(waves().all());
        return all;
    }

    private WaveOperations waves() {
        return new WaveOperations(
                waves,
                rules.ports,
                advanceWaves,
                starter,
                schemas,
                rules.stopTree,
                watch,
                rules.callbackPorts.ids());
    }

    private BudgetOperations budgets() {
        return new BudgetOperations(
                scope, rules.ports, store.budgets(), rules.spending, parts.queries().peopleOnly());
    }

    private List<Operation<?, ?>> stops() {
        return new StopOperations(
                        scope,
                        rules.ports,
                        rules.stop,
                        rules.stopTree,
                        store.treeStops(),
                        rules.freeze,
                        parts.queries().peopleOnly(),
                        watch)
                .all();
    }

    private RemovalOperations removals() {
        return new RemovalOperations(
                scope,
                store.removals(),
                store.tasks(),
                rules.planRemoval,
                rules.removeTree,
                rules.undoRemoval,
                looking,
                parts.settings().confirmation(),
                parts.settings().removalDeadline(),
                watch);
    }

    private List<Operation<?, ?>> backups() {
        var ports = rules.ports;
        return new BackupOperations(
                        scope,
                        store.removals(),
                        store.tasks(),
                        parts.files().uploads(),
                        parts.files().backups(),
                        parts.files().restore(rules),
                        new Fsck(
                                ports.transactions(),
                                store.inventory(),
                                parts.files().strays(),
                                parts.settings().backups(),
                                parts.check()::damage),
                        new FileAudit(ports.transactions(), store.audit(), ports.clock()),
                        new StorageMeasure(parts.settings()),
                        looking,
                        parts.settings().backups(),
                        rules.callbackPorts.ids())
                .all();
    }

    private MakeToken makeToken() {
        return new MakeToken(parts.issuedTokens(), rules.callbackPorts.ids(), rules.ports.clock());
    }

    private Validity validity() {
        return new Validity(
                rules.ports.transactions(),
                parts.issuedTokens(),
                store.sessions(),
                rules.ports.clock());
    }

    private StreamRoutes live() {
        return new StreamRoutes(
                rules.ports.transactions(),
                store.sessions(),
                store.journal(),
                parts.tail(),
                parts.followers(),
                Wanted.Knowing.of(
                        rules.ports.transactions(),
                        parts.queries().index(),
                        parts.queries().waves()),
                rules.access,
                validity());
    }

    private ChangeRoutes changes() {
        return new ChangeRoutes(parts.tail(), parts.followers(), validity(), rules.ports.clock());
    }
}
