package dev.coppice.dispatch;

import dev.coppice.access.Need;
import dev.coppice.access.Role;
import dev.coppice.fleet.AccountHolds;
import dev.coppice.fleet.Breaker;
import dev.coppice.fleet.RegisterRunner;
import dev.coppice.fleet.Runner;
import dev.coppice.fleet.Runners;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.Transactions;
import dev.coppice.run.Desk;
import dev.coppice.view.Views;
import dev.coppice.web.Exchange;
import dev.coppice.web.Method;
import dev.coppice.web.Problems;
import dev.coppice.web.Reply;
import dev.coppice.web.Route;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.InstantSource;
import java.util.Comparator;
import java.util.List;

/** The list of runners. */
public final class FleetRoutes {
    private final Transactions transactions;
    private final Runners runners;
    private final RegisterRunner register;
    private final Accounts accounts;
    private final InstantSource clock;

    /** Which accounts have met their limits, and who lets them go on. */
    public record Accounts(Desk desk, AccountHolds holds, Breaker breaker) {}

    public FleetRoutes(
            Transactions transactions,
            Runners runners,
            RegisterRunner register,
            Accounts accounts,
            InstantSource clock) {
        this.accounts = accounts;
        this.transactions = transactions;
        this.runners = runners;
        this.register = register;
        this.clock = clock;
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/runners", Need.READ_FLEET, "List runners", this::list)
                        .with(
                                new Route.Query("after", "the cursor 'next' of the page before"),
                                new Route.Query("limit", "how many at most; 100 by default")),
                Route.get(
                        "/accounts",
                        Need.READ_FLEET,
                        "List accounts that have met their limits",
                        this::accounts),
                Route.of(
                        Method.DELETE,
                        "/accounts/{account}",
                        Need.DEFINE,
                        "Start runs on the account again at once",
                        this::letThrough),
                Route.of(
                        Method.DELETE,
                        "/runners/{id}",
                        Need.MANAGE_FLEET,
                        "Take a runner off the list; what it held is lost",
                        this::remove));
    }

    private Reply list(Exchange x) {
        var cursor = x.cursor();
        var rest =
                transactions.read(runners::all).stream()
                        .sorted(Comparator.comparing((Runner r) -> r.id().value()))
                        .filter(r -> isAfter(r, cursor.after()))
                        .toList();
        boolean more = rest.size() > cursor.max();
        var shown = more ? rest.subList(0, cursor.max()) : rest;
        var body = Json.object();
        body.set("runners", Json.tree(shown.stream().map(this::shown).toList()));
        return Reply.ok(body.put("next", more ? shown.getLast().id().value() : null));
    }

    private static boolean isAfter(Runner runner, @Nullable String id) {
        return id == null || runner.id().value().compareTo(id) > 0;
    }

    private ObjectNode shown(Runner r) {
        var skills = r.skills();
        var row =
                Json.object()
                        .put("runner_id", r.id().value())
                        .put("registered_at", r.registered().toString())
                        .put("last_heartbeat", r.seen().toString())
                        .put("hostname", r.post().hostname())
                        .put("project_dir", r.post().projectDir())
                        .put("executor_profile", r.post().executorProfile());
        row.set("executor", Views.json(skills.executor()));
        row.set("tags", Json.tree(skills.tags().stream().sorted().toList()));
        return row.put(
                        "require_matching_tags",
                        skills.matching() == Runner.Matching.TAGGED_RUNS_ONLY)
                .put("capacity", skills.capacity())
                .put("status", register.isOnline(r) ? "online" : "stale")
                .put(
                        "seconds_since_heartbeat",
                        Duration.between(r.seen(), clock.instant()).toMillis() / 1000.0);
    }

    private Reply accounts(Exchange x) {
        var rows =
                transactions.read(accounts.holds()::all).stream()
                        .map(h ->
                                Json.object()
                                        .put("account", h.account())
                                        .put("held_until", h.until().toString())
                                        .put("failures", h.failures())
                                        .put("reason", h.reason()))
                        .toList();
        var body = Json.object();
        body.set("accounts", Json.tree(rows));
        return Reply.ok(body);
    }

    private Reply letThrough(Exchange x) {
        var account = x.path("account");
        accounts.breaker().release(accounts.desk(), account);
        return Reply.ok(Json.object().put("ok", true).put("account", account));
    }

    private Reply remove(Exchange x) {
        if (x.caller().role() == Role.RUNNER && !x.flag("self")) {
            return Problems.reply(
                    new RequestRefusal.NotAllowed("taking another runner off the list"));
        }
        return x.reply(
                register.deregister(new RunnerId(x.path("id"))),
                id -> Reply.ok(Json.object().put("ok", true).put("runner_id", id.value())));
    }
}
