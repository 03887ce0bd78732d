package dev.coppice.boot;

import dev.coppice.access.Caller;
import dev.coppice.access.Role;
import dev.coppice.access.Tokens;
import dev.coppice.alerts.AlertFile;
import dev.coppice.audit.HourlyLimit;
import dev.coppice.follow.Followers;
import dev.coppice.follow.Tail;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Ids;
import dev.coppice.meter.PriceFile;
import dev.coppice.request.TopicNotifier;
import dev.coppice.session.Sessions;
import dev.coppice.store.SqlAlerts;
import dev.coppice.store.SqlAsks;
import dev.coppice.store.SqlEventIndex;
import dev.coppice.store.SqlExports;
import dev.coppice.store.SqlFigures;
import dev.coppice.store.SqlHealths;
import dev.coppice.store.SqlModelUses;
import dev.coppice.store.SqlNodes;
import dev.coppice.store.SqlObservations;
import dev.coppice.store.SqlSpans;
import dev.coppice.store.SqlStore;
import dev.coppice.store.engine.Database;
import dev.coppice.store.schema.Databases;
import dev.coppice.store.session.SqlIssuedTokens;
import dev.coppice.store.session.SqlPeopleOnly;
import dev.coppice.store.session.SqlRelations;
import dev.coppice.store.session.SqlSpawns;
import dev.coppice.store.session.SqlWaves;
import dev.coppice.thread.Loops;
import dev.coppice.upkeep.Sweeps;
import dev.coppice.view.Criticals;
import dev.coppice.view.JsonPrompting;
import dev.coppice.web.Authentication;
import dev.coppice.web.Dispatcher;
import dev.coppice.web.Doorway;
import dev.coppice.web.OriginCheck;
import dev.coppice.web.RequestMemory;
import dev.coppice.web.RequestPipeline;
import dev.coppice.web.RoleCheck;
import dev.coppice.web.Route;
import dev.coppice.web.Router;
import dev.coppice.web.WebServer;
import dev.coppice.wiring.Rules;
import dev.coppice.wiring.Store;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;

/**
 * The whole coordinator, built by hand from top to bottom: the store, the rules, the faces, the
 * sweeps. It closes waiting requests first and the store last.
 */
public final class Coordinator implements AutoCloseable {
    private static final String HOST = "127.0.0.1";

    private final DataDirectory directory;
    private final Database database;
    private final Loops loops;
    private final Sessions sessions;
    private final TopicNotifier notifier;
    private final Tail tail;
    private final Sweeps sweeps;
    private final AlertFile alerts;
    private final WebServer web;
    private final Faces faces;
    private final List<WebServer.Port> hookPorts;
    private final List<WebServer.Port> pathPorts;
    private final @Nullable Beyond beyond;
    private final Settings settings;
    private final String url;
    private final Tokens tokens;
    private final List<Route> routes;

    private Coordinator(
            Settings settings, List<Face.Maker> others, Opened opened, InstantSource clock) {
        this.directory = opened.directory();
        this.notifier = opened.notifier();
        this.database = opened.database();
        this.loops = opened.loops();
        this.tokens = new Tokens(directory.token());
        var store = SqlStore.on(database);
        var issued = new SqlIssuedTokens();
        this.sessions = store.sessions();
        var absences = new Absences(database, clock);
        var files = Files.in(settings.backups(), store, clock);
        var outside =
                new Rules.Outside(
                        clock,
                        Ids.from(new SecureRandom()),
                        new JsonPrompting(),
                        Criticals.on(store, clock, absences::awakeSince),
                        files.backups());
        var rules = new Rules(store, outside, settings.terms());
        this.tail = new Tail(database, store.journal(), store.sessions(), notifier);
        directory.serve();
        absences.begin(rules);
        var check = checked(store, settings);
        var queries = queries(database, store.sessions());
        this.alerts = alerts(settings, clock);
        var parts =
                new FaceParts(
                        settings,
                        () -> Beyond.address(settings.reach(), opened.beyond()),
                        files,
                        notifier,
                        tail,
                        Followers.ofThisProcess(),
                        tokens,
                        issued,
                        queries,
                        directory.registries(),
                        check,
                        new PriceFile(settings.data().resolve("prices.json")),
                        alerts,
                        loops);
        var roles = roles(database, store, clock);
        this.faces = new Faces(rules, parts, roles, others);
        this.routes = faces.routes();
        this.sweeps = sweeps(rules, parts, absences);
        this.web = opened.web();
        this.url = "http://" + HOST + ":" + opened.ports().getFirst().number();
        var authentication = new Authentication(tokens, database, store.sessions(), issued, clock);
        this.beyond = opened.beyond();
        int pathPortsAt = 1 + settings.hookPorts().size();
        this.hookPorts = opened.ports().subList(1, pathPortsAt);
        this.pathPorts = opened.ports().subList(pathPortsAt, opened.ports().size());
        this.settings = settings;
        serve(settings, opened.ports().getFirst(), roles, authentication);
    }

    private Sweeps sweeps(Rules rules, FaceParts parts, Absences absences) {
        return new Sweeps(
                new Housekeeping(
                                rules,
                                parts.queries(),
                                faces.advanceWaves(),
                                faces.runHooks(),
                                faces.observing().person(),
                                faces.observing().meter(),
                                faces.endpoints(),
                                faces.routines(),
                                alerts,
                                parts.files(),
                                absences,
                                parts.settings())
                        .sweeps(),
                notifier,
                loops);
    }

    private StoreCheck checked(Store store, Settings settings) {
        var check = new StoreCheck(database, store.journal(), settings.data());
        if (directory.wasKilled()) check.checkAfterCrash();
        return check;
    }

    private static AlertFile alerts(Settings settings, InstantSource clock) {
        return new AlertFile(
                settings.data().resolve("alerts.json"), System.getenv(), settings.alertTo(), clock);
    }

    private static RoleCheck roles(Database database, Store store, InstantSource clock) {
        var limit = HourlyLimit.ofAllButAdmin(Bounds.AUDITED_REFUSALS_MAX);
        return new RoleCheck(new RefusedRequests(database, store.audit(), clock, limit));
    }

    private static FaceParts.Queries queries(Database database, Sessions sessions) {
        return new FaceParts.Queries(
                new SqlEventIndex(database.dialect()),
                new SqlObservations(),
                new SqlSpawns(),
                new SqlWaves(),
                new SqlHealths(sessions),
                new SqlNodes(),
                new SqlSpans(),
                new SqlRelations(),
                new SqlAlerts(),
                new SqlAsks(),
                new SqlModelUses(),
                new SqlFigures(),
                new SqlExports(),
                new SqlPeopleOnly());
    }

    /** Ports of the hook server serve only its paths; all other ports serve every route. */
    private void serve(Settings settings, WebServer.Port main, RoleCheck roles, Authentication by) {
        var origins = originCheck(settings, main.number());
        var own = Doorway.own(new Dispatcher(new Router(routes), roles), origins);
        var memory = RequestMemory.ofThisProcess();
        web.serve(main, new RequestPipeline(own, by, memory, loops));
        for (var port : hookPorts) {
            var hooks = hookServer(settings, port.number(), roles);
            web.serve(port, new RequestPipeline(hooks, by, memory, loops));
        }
        if (beyond != null) {
            var door = Doorway.own(new Dispatcher(new Router(routes), roles), beyond.originCheck());
            web.serve(beyond.port(), new RequestPipeline(door, by, memory, loops));
        }
        for (var port : pathPorts) {
            var all = new Dispatcher(new Router(routes), roles);
            var door = Doorway.ofPathTokens(all, originCheck(settings, port.number()));
            web.serve(port, new RequestPipeline(door, by, memory, loops));
        }
    }

    private Doorway hookServer(Settings settings, int port, RoleCheck roles) {
        return Doorway.ofHookServer(
                new Dispatcher(new Router(faces.hookRoutes(port)), roles),
                port,
                settings.areHookPortsOpen() ? Caller.as(Role.OPERATOR) : null);
    }

    private static Database database(
            Settings settings,
            DataDirectory directory,
            InstantSource clock,
            TopicNotifier notifier,
            Loops loops) {
        new DatabaseSchema(settings).copyBeforeSteps();
        var address = settings.database();
        return address == null
                ? Databases.sqlite(directory.database(), clock, notifier, loops)
                : Databases.postgres(address, settings.databaseWait(), clock, notifier, loops);
    }

    private static OriginCheck originCheck(Settings settings, int port) {
        var reach = settings.reach();
        var hosts = new HashSet<>(reach.hosts());
        hosts.addAll(OriginCheck.local(port));
        return OriginCheck.of("http", hosts)
                .at(reach.publicUrl(), reach.proxies())
                .with(reach.origins());
    }

    /** Bound ports that serve no request yet, a locked directory, and its database. */
    private record Opened(
            WebServer web,
            List<WebServer.Port> ports,
            @Nullable Beyond beyond,
            DataDirectory directory,
            TopicNotifier notifier,
            Loops loops,
            Database database) {}

    /** Starts a coordinator with the server's own faces. */
    public static Coordinator start(Settings settings) {
        return start(settings, List.of());
    }

    /** Starts a coordinator with faces of other modules, too. */
    public static Coordinator start(Settings settings, List<Face.Maker> others) {
        // The store keeps milliseconds: a time must not change when it is stored and read.
        InstantSource clock = () -> InstantSource.system().instant().truncatedTo(ChronoUnit.MILLIS);
        var opened = new ArrayDeque<Runnable>();
        try {
            // The port first, then the lock, then the database: a failed start changes nothing.
            var web = new WebServer();
            opened.push(web::close);
            var ports = new ArrayList<>(List.of(open(web, settings.port())));
            for (int port : settings.hookPorts()) ports.add(open(web, port));
            for (int port : settings.pathPorts()) ports.add(open(web, port));
            var beyond = Beyond.open(web, settings.reach());
            var directory = DataDirectory.open(settings.data());
            opened.push(directory::close);
            DataDirectory.restrict(settings.backups());
            var notifier = new TopicNotifier();
            var loops = new Loops();
            var database = database(settings, directory, clock, notifier, loops);
            opened.push(database::close);
            // Only one coordinator uses a database in a data directory.
            if (settings.database() != null) BackupDirectory.bind(settings.backups(), database);
            var all = new Opened(web, ports, beyond, directory, notifier, loops, database);
            var coordinator = new Coordinator(settings, others, all, clock);
            opened.clear();
            opened.push(coordinator::close);
            coordinator.begin();
            return coordinator;
        } catch (RuntimeException e) {
            opened.forEach(close -> after(e, close));
            throw e;
        }
    }

    private static void after(RuntimeException failure, Runnable close) {
        try {
            close.run();
        } catch (RuntimeException e) {
            failure.addSuppressed(e);
        }
    }

    private void begin() {
        // No other coordinator uses a database in this data directory.
        if (settings.database() == null) faces.observing().person().withdrawAll();
        tail.start(loops);
        if (beyond != null) beyond.renew(loops);
        sweeps.start();
        web.start();
        directory.announceBeyond(beyond == null ? null : beyond.url());
        directory.announce(url);
    }

    private static WebServer.Port open(WebServer web, int port) {
        try {
            return web.open(HOST, port);
        } catch (IOException e) {
            throw new DataDirectory.Unusable(
                    ("port %d on %s is taken: %s; if Coppice runs there, use it, or choose another"
                                    + " port with --port")
                            .formatted(port, HOST, e.getMessage()));
        }
    }

    public String url() {
        return url;
    }

    /** Where other machines reach it; null if they do not. */
    public @Nullable Beyond beyond() {
        return beyond;
    }

    /** The addresses of the ports that serve the hook server's paths. */
    public List<String> hookUrls() {
        return urls(hookPorts);
    }

    /** The addresses of the ports that take an operator's token in the address. */
    public List<String> pathUrls() {
        return urls(pathPorts);
    }

    private static List<String> urls(List<WebServer.Port> ports) {
        return ports.stream().map(p -> "http://" + HOST + ":" + p.number()).toList();
    }

    /** True if the ports of the hook server need no token. */
    public boolean areHookUrlsOpen() {
        return settings.areHookPortsOpen();
    }

    public Tokens tokens() {
        return tokens;
    }

    /** Returns a token for this caller. An agent's token is valid while its session exists. */
    public String token(Caller who) {
        var id = who.session();
        if (id == null) return tokens.issue(who);
        var session = database.read(() -> sessions.find(id)).orElseThrow();
        return tokens.issue(id, session.times().created());
    }

    /** Returns the address of the dashboard, which signs a browser in once. */
    public String signInUrl() {
        return url + faces.signIns().link(Caller.as(Role.OPERATOR)).path();
    }

    public List<Route> routes() {
        return routes;
    }

    @Override
    public void close() {
        notifier.close();
        tail.close();
        if (beyond != null) beyond.close();
        faces.endpoints().forEach(Endpoint::close);
        web.close();
        alerts.close();
        faces.close();
        sweeps.close();
        database.close();
        directory.close();
    }
}
