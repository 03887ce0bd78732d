package dev.coppice.dispatch;

import dev.coppice.access.Need;
import dev.coppice.fleet.RegisterRunner;
import dev.coppice.fleet.Runner;
import dev.coppice.fleet.Runners;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.Transactions;
import dev.coppice.view.Views;
import dev.coppice.web.Exchange;
import dev.coppice.web.Method;
import dev.coppice.web.Reply;
import dev.coppice.web.Route;
import dev.coppice.wire.Json;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;

/** The list of runners. */
public final class FleetRoutes {
    private final Transactions transactions;
    private final Runners runners;
    private final RegisterRunner register;
    private final InstantSource clock;

    public FleetRoutes(
            Transactions transactions,
            Runners runners,
            RegisterRunner register,
            InstantSource clock) {
        this.transactions = transactions;
        this.runners = runners;
        this.register = register;
        this.clock = clock;
    }

    public List<Route> routes() {
        return List.of(
                Route.get("/runners", Need.READ_FLEET, "List runners", _ -> list()),
                Route.of(
                        Method.DELETE,
                        "/runners/{id}",
                        Need.MANAGE_FLEET,
                        "Take a runner off the list; what it held is lost",
                        this::remove));
    }

    private Reply list() {
        var found = transactions.read(runners::all);
        var body = Json.object();
        body.set("runners", Json.tree(found.stream().map(this::shown).toList()));
        return Reply.ok(body);
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

    private Reply remove(Exchange x) {
        return x.reply(
                register.deregister(new RunnerId(x.path("id"))),
                id -> Reply.ok(Json.object().put("ok", true).put("runner_id", id.value())));
    }
}
