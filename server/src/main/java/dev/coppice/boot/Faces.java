package dev.coppice.boot;

import dev.coppice.access.Tokens;
import dev.coppice.backup.FileAudit;
import dev.coppice.backup.Fsck;
import dev.coppice.blueprints.FileBlueprints;
import dev.coppice.blueprints.JsonSchemas;
import dev.coppice.dispatch.ErrandRoutes;
import dev.coppice.dispatch.FleetRoutes;
import dev.coppice.dispatch.Handover;
import dev.coppice.dispatch.ReportRoutes;
import dev.coppice.dispatch.RunnerRoutes;
import dev.coppice.http.AgentRoutes;
import dev.coppice.http.AuditRoutes;
import dev.coppice.http.Briefing;
import dev.coppice.http.BudgetRoutes;
import dev.coppice.http.CallbackRoutes;
import dev.coppice.http.HealthRoutes;
import dev.coppice.http.KeptRoutes;
import dev.coppice.http.LaterRoutes;
import dev.coppice.http.LookingAtWork;
import dev.coppice.http.OpenApi;
import dev.coppice.http.RemovalRoutes;
import dev.coppice.http.Room;
import dev.coppice.http.RunRoutes;
import dev.coppice.http.RunWaits;
import dev.coppice.http.SessionEventRoutes;
import dev.coppice.http.SessionRoutes;
import dev.coppice.http.SessionWorkRoutes;
import dev.coppice.http.StartRoutes;
import dev.coppice.http.StopRoutes;
import dev.coppice.http.TreeRoutes;
import dev.coppice.live.LiveRoutes;
import dev.coppice.live.Tail;
import dev.coppice.mcp.McpRoutes;
import dev.coppice.session.SessionJournal;
import dev.coppice.stop.FreezeTree;
import dev.coppice.store.Store;
import dev.coppice.web.Bell;
import dev.coppice.web.Once;
import dev.coppice.web.Route;
import dev.coppice.web.Router;
import dev.coppice.web.Switchboard;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Every face, on top of the rules. */
final class Faces {
    private final Rules rules;
    private final Parts parts;
    private final Store store;
    private final Room room;
    private final Once once;
    private final BudgetRoutes budgets;
    private final FileBlueprints blueprints;
    private final JsonSchemas schemas = new JsonSchemas();

    /** What the faces share beside the store. */
    record Parts(Bell bell, Tail tail, Tokens tokens, Path agents, StoreCheck check) {}

    Faces(Rules rules, Parts parts) {
        this.rules = rules;
        this.parts = parts;
        this.store = rules.store;
        this.room = new Room(rules.desk.transactions(), store.sessions(), rules.access);
        this.once = new Once(rules.desk.transactions(), store.receipts(), rules.desk.clock());
        this.budgets = new BudgetRoutes(room, rules.desk, store.book(), rules.spending, once);
        this.blueprints = new FileBlueprints(parts.agents());
    }

    List<Route> routes() {
        var routes = new ArrayList<Route>();
        routes.addAll(new HealthRoutes(Coordinator.VERSION, parts.check()).routes());
        routes.addAll(sessions());
        routes.addAll(runs());
        routes.addAll(callbacks());
        routes.addAll(new AgentRoutes(blueprints, schemas, once, rules.desk.clock()).routes());
        routes.addAll(fleet());
        routes.addAll(live());
        routes.addAll(LaterRoutes.routes());
        var passing = new Switchboard(new Router(routes), rules::turnedAway);
        routes.addAll(new McpRoutes(passing, Coordinator.VERSION).routes());
        routes.add(new OpenApi(routes, Coordinator.VERSION).route());
        return List.copyOf(routes);
    }

    private List<Route> sessions() {
        var clock = rules.desk.clock();
        var journal = new SessionJournal(store.journal(), clock);
        var routes = new ArrayList<Route>();
        routes.addAll(new SessionRoutes(room, rules.startSession, rules.desk, once).routes());
        routes.addAll(
                new SessionWorkRoutes(room, store.runs(), rules.desk.room(), journal, clock)
                        .routes());
        routes.addAll(
                new SessionEventRoutes(room, store.journal(), rules.reportEvent, once).routes());
        routes.addAll(new TreeRoutes(room).routes());
        routes.addAll(budgets.routes());
        var stops =
                new StopRoutes.Stops(
                        rules.stop, rules.stopTree, store.treeStops(), new FreezeTree(rules.desk));
        routes.addAll(new StopRoutes(room, rules.desk, stops, parts.bell()).routes());
        var looking =
                new LookingAtWork(
                        rules.desk.transactions(),
                        rules.lookAtWork,
                        store.runners(),
                        parts.bell(),
                        clock);
        var removing =
                new RemovalRoutes.Removing(
                        store.removals(),
                        store.errands(),
                        rules.planRemoval,
                        rules.removeTree,
                        rules.undoRemoval,
                        looking,
                        rules.settings.removalDeadline());
        routes.addAll(new RemovalRoutes(room, removing, parts.bell(), clock).routes());
        var kept =
                new KeptRoutes.Kept(
                        store.removals(),
                        store.errands(),
                        rules.storeroom,
                        rules.backups,
                        rules.restoreFile,
                        new Fsck(
                                rules.desk.transactions(),
                                store.inventory(),
                                rules.strays(),
                                rules.settings.backups(),
                                parts.check()::damage),
                        new FileAudit(rules.desk.transactions(), store.audit(), rules.desk.clock()),
                        looking,
                        rules.settings.backups());
        routes.addAll(new KeptRoutes(room, kept, rules.ids).routes());
        routes.addAll(new AuditRoutes(room, store.audit()).routes());
        return routes;
    }

    private List<Route> runs() {
        var desk = rules.desk;
        var waits = new RunWaits(room, store.runs(), parts.bell(), desk.clock());
        var briefing =
                new Briefing(
                        blueprints,
                        schemas,
                        rules.settings.environment().keySet(),
                        new Briefing.Past(desk.transactions(), store.sessions(), store.runs()));
        var routes = new ArrayList<Route>();
        routes.addAll(
                new StartRoutes(room, rules.startRun, briefing, once, waits, budgets).routes());
        routes.addAll(new RunRoutes(room, store.runs(), waits, rules.stop).routes());
        return routes;
    }

    private List<Route> callbacks() {
        return new CallbackRoutes(
                        room,
                        new CallbackRoutes.Kept(store.callbacks(), store.joins()),
                        new CallbackRoutes.Commands(rules.send, rules.join, rules.askAgain),
                        once)
                .routes();
    }

    private List<Route> fleet() {
        var desk = rules.desk;
        var fleet =
                new RunnerRoutes.Fleet(
                        desk.transactions(),
                        store.runners(),
                        store.runs(),
                        rules.register,
                        rules.claim,
                        rules.renew,
                        rules.doErrands);
        var settings = rules.settings;
        var handover =
                new Handover(parts.tokens(), settings.environment(), settings.leases().run());
        var reports =
                new ReportRoutes.Reports(
                        rules.report, rules.stop, schemas, settings.leases(), store.workplaces());
        var routes = new ArrayList<Route>();
        routes.addAll(new RunnerRoutes(fleet, handover, parts.bell(), desk.clock()).routes());
        routes.addAll(
                new ReportRoutes(desk.transactions(), store.runners(), store.runs(), reports)
                        .routes());
        routes.addAll(
                new ErrandRoutes(
                                desk.transactions(),
                                store.runners(),
                                rules.doErrands,
                                rules.storeroom)
                        .routes());
        routes.addAll(
                new FleetRoutes(
                                desk.transactions(),
                                store.runners(),
                                rules.register,
                                new FleetRoutes.Accounts(desk, store.accountHolds(), rules.breaker),
                                desk.clock())
                        .routes());
        return routes;
    }

    private List<Route> live() {
        return new LiveRoutes(
                        rules.desk.transactions(),
                        store.sessions(),
                        store.journal(),
                        parts.tail(),
                        rules.access)
                .routes();
    }
}
