package dev.coppice.boot;

import dev.coppice.access.Caller;
import dev.coppice.access.Tokens;
import dev.coppice.audit.HourlyLimit;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Ids;
import dev.coppice.live.Tail;
import dev.coppice.operation.TopicNotifier;
import dev.coppice.rules.Rules;
import dev.coppice.session.Sessions;
import dev.coppice.store.SqlObservations;
import dev.coppice.store.SqlStore;
import dev.coppice.store.engine.Database;
import dev.coppice.store.schema.Databases;
import dev.coppice.store.session.SqlIssuedTokens;
import dev.coppice.store.session.SqlTreeReports;
import dev.coppice.upkeep.Sweeps;
import dev.coppice.view.Criticals;
import dev.coppice.view.JsonPrompting;
import dev.coppice.web.Authentication;
import dev.coppice.web.Dispatcher;
import dev.coppice.web.OriginCheck;
import dev.coppice.web.RequestPipeline;
import dev.coppice.web.RoleCheck;
import dev.coppice.web.Route;
import dev.coppice.web.Router;
import dev.coppice.web.WebServer;

import java.io.IOException;
import java.security.SecureRandom;
import java.time.InstantSource;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.HashSet;
import java.util.List;

/**
 * The whole coordinator, built by hand from top to bottom: the store, the rules, the faces, the
 * sweeps. It closes waiting requests first and the store last.
 */
public final class Coordinator implements AutoCloseable {
    public static final String VERSION = "0.1.0";
    private static final String HOST = "127.0.0.1";

    private final DataDirectory directory;
    private final Database database;
    private final Sessions sessions;
    private final TopicNotifier notifier;
    private final Tail tail;
    private final Sweeps sweeps;
    private final WebServer web;
    private final RequestPipeline door;
    private final String url;
    private final Tokens tokens;
    private final List<Route> routes;

    private Coordinator(Settings settings, Opened opened, InstantSource clock) {
        this.directory = opened.directory();
        this.notifier = opened.notifier();
        this.database = opened.database();
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
        this.tail = new Tail(database, store.journal(), notifier);
        // No runner could renew while the coordinator was down: extend leases before any request.
        rules.renew.extendAllLeases();
        var check = new StoreCheck(database, store.journal());
        if (directory.wasKilled()) check.checkAfterCrash();
        var parts =
                new Faces.Parts(
                        settings,
                        files,
                        notifier,
                        tail,
                        tokens,
                        issued,
                        new SqlTreeReports(),
                        new SqlObservations(),
                        directory.agents(),
                        check);
        var roles =
                new RoleCheck(
                        new RefusedRequests(
                                database,
                                store.audit(),
                                clock,
                                HourlyLimit.ofAllButAdmin(Bounds.AUDITED_REFUSALS_MAX)));
        this.routes = new Faces(rules, parts).routes(roles);
        this.sweeps =
                new Sweeps(new Housekeeping(rules, files, absences, settings).sweeps(), notifier);
        this.web = opened.web();
        this.url = "http://" + HOST + ":" + opened.port();
        this.door =
                new RequestPipeline(
                        new Dispatcher(new Router(routes), roles),
                        new Authentication(tokens, database, store.sessions(), issued, clock),
                        originCheck(settings, opened.port()));
    }

    private static Database database(
            Settings settings,
            DataDirectory directory,
            InstantSource clock,
            TopicNotifier notifier) {
        var address = settings.database();
        return address == null
                ? Databases.sqlite(directory.database(), clock, notifier)
                : Databases.postgres(address, settings.databaseWait(), clock, notifier);
    }

    private static OriginCheck originCheck(Settings settings, int port) {
        var hosts = new HashSet<>(settings.hosts());
        hosts.addAll(OriginCheck.local(port));
        return new OriginCheck(hosts, settings.origins());
    }

    /** A bound port that serves no request yet, a locked directory, and its database. */
    private record Opened(
            WebServer web,
            int port,
            DataDirectory directory,
            TopicNotifier notifier,
            Database database) {}

    public static Coordinator start(Settings settings) {
        // The store has milliseconds: a time must not change when it is stored and read.
        InstantSource clock = () -> InstantSource.system().instant().truncatedTo(ChronoUnit.MILLIS);
        var opened = new ArrayDeque<Runnable>();
        try {
            // The port first, then the lock, then the database: a failed start changes nothing.
            var web = new WebServer(HOST, settings.port());
            opened.push(web::close);
            int port = open(web, settings.port());
            var directory = DataDirectory.open(settings.data());
            opened.push(directory::close);
            DataDirectory.restrict(settings.backups());
            var notifier = new TopicNotifier();
            var database = database(settings, directory, clock, notifier);
            opened.push(database::close);
            var all = new Opened(web, port, directory, notifier, database);
            var coordinator = new Coordinator(settings, all, clock);
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
        tail.start();
        sweeps.start();
        web.start(door);
        directory.announce(url);
    }

    private static int open(WebServer web, int port) {
        try {
            return web.open();
        } catch (IOException e) {
            throw new DataDirectory.Unusable(
                    "port %d on %s is taken: %s".formatted(port, HOST, e.getMessage()));
        }
    }

    public String url() {
        return url;
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

    public List<Route> routes() {
        return routes;
    }

    @Override
    public void close() {
        notifier.close();
        tail.close();
        web.close();
        sweeps.close();
        database.close();
        directory.close();
    }
}
