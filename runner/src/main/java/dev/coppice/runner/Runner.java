package dev.coppice.runner;

import dev.coppice.client.CoppiceClient;
import dev.coppice.runner.agents.Agent;
import dev.coppice.runner.agents.CommandAgent;
import dev.coppice.runner.agents.ScriptedAgent;
import dev.coppice.wire.ClaimedRun;
import dev.coppice.wire.Heartbeat;
import dev.coppice.wire.Json;
import dev.coppice.wire.RegisterRequest;
import dev.coppice.wire.RegisteredView;
import dev.coppice.wire.StopOrder;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Takes runs and works them. Three things go on beside each other: the poll that asks for work, the
 * heartbeat that keeps the leases, and one thread for each run. When the coordinator goes away they
 * all go on, and the agents with them; when it comes back the heartbeat says what is held.
 */
public final class Runner implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("runner");
    private static final Duration BEAT_MAX = Duration.ofSeconds(5);
    private static final Duration CONFIRM_MAX = Duration.ofSeconds(10);
    private static final Duration PAUSE_MIN = Duration.ofMillis(200);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(5);
    private static final Duration CLOSE_GRACE = Duration.ofSeconds(3);

    private final RunnerSettings settings;
    private final CoppiceClient client;
    private final Workplace workplace;
    private final Map<String, Agent> agents =
            Map.of("command", new CommandAgent(), "scripted", new ScriptedAgent());
    private final Map<String, RunWork> works = new ConcurrentHashMap<>();
    private final CountDownLatch closed = new CountDownLatch(1);
    private final CountDownLatch registered = new CountDownLatch(1);
    private final List<Thread> threads = new ArrayList<>();
    private volatile String id = "";
    private volatile Duration beat = BEAT_MAX;

    public Runner(RunnerSettings settings) {
        this.settings = settings;
        this.client = new CoppiceClient(settings.coordinator(), settings.token());
        this.workplace = new Workplace(settings.directory());
    }

    public void start() {
        threads.add(Thread.ofVirtual().name("runner-poll").start(this::pollOn));
        threads.add(Thread.ofVirtual().name("runner-heartbeat").start(this::beatOn));
    }

    /** Whether it has registered within this time. */
    public boolean isRegisteredWithin(Duration patience) throws InterruptedException {
        return registered.await(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    public String id() {
        return id;
    }

    boolean isOpen() {
        return closed.getCount() > 0;
    }

    private void pollOn() {
        var pause = PAUSE_MIN;
        while (isOpen()) {
            try {
                if (id.isEmpty()) register();
                poll();
                pause = PAUSE_MIN;
            } catch (RuntimeException e) {
                if (!isOpen()) return;
                LOG.log(System.Logger.Level.DEBUG, "polling; will try again", e);
                if (waited(pause)) return;
                pause =
                        pause.multipliedBy(2).compareTo(PAUSE_MAX) < 0
                                ? pause.multipliedBy(2)
                                : PAUSE_MAX;
            }
        }
    }

    /** True when the runner was closed meanwhile. */
    private boolean waited(Duration length) {
        try {
            return closed.await(length.toMillis(), TimeUnit.MILLISECONDS);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return true;
        }
    }

    private void register() {
        var request =
                new RegisterRequest(
                        hostname(),
                        settings.directory().toString(),
                        settings.profile(),
                        Json.object().put("type", "autonomous").put("command", "coppice"),
                        settings.tags(),
                        false,
                        null,
                        RegisterRequest.PROTOCOL,
                        settings.capacity(),
                        List.copyOf(works.keySet()));
        var answer = client.post("/runner/register", request);
        if (!answer.isGood()) throw new IllegalStateException("registering: " + answer.error());
        var view = Json.as(answer.body(), RegisteredView.class);
        id = view.runnerId();
        beat = Duration.ofMillis(Math.min(BEAT_MAX.toMillis(), view.leaseSeconds() * 1000L / 3));
        if (works.isEmpty()) endStrays();
        registered.countDown();
    }

    /**
     * Processes an earlier life of this runner has left; their runs are lost and will be told so.
     */
    private void endStrays() {
        for (var stray : Marker.carrying(Marker.RUNNER, id)) {
            LOG.log(
                    System.Logger.Level.INFO,
                    "ending process {0} of an earlier runner",
                    stray.pid());
            stray.destroyForcibly();
        }
    }

    static String hostname() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException _) {
            return "localhost";
        }
    }

    private void poll() {
        var answer = client.get("/runner/runs?runner_id=" + id);
        if (answer.status() == 401) {
            id = "";
            return;
        }
        if (!answer.isGood()) throw new IllegalStateException("polling: " + answer.error());
        var run = answer.body().get("run");
        if (run != null) begin(Json.as(run, ClaimedRun.class));
        stop(answer.body().get("stops"));
    }

    private void begin(ClaimedRun run) {
        var kind = Json.text(run.resolvedAgentBlueprint(), "kind");
        var agent = agents.get(kind == null ? impliedKind(run) : kind);
        var work = new RunWork(this, run, agent);
        if (works.putIfAbsent(run.runId(), work) == null) {
            Thread.ofVirtual().name(run.runId()).start(work);
            work.awaitConfirmed(CONFIRM_MAX);
        }
    }

    private static String impliedKind(ClaimedRun run) {
        return run.resolvedAgentBlueprint().hasNonNull("command") ? "command" : "scripted";
    }

    private void stop(@Nullable JsonNode stops) {
        if (stops == null) return;
        for (var stop : stops) stop(Json.as(stop, StopOrder.class));
    }

    private void stop(StopOrder order) {
        var work = works.get(order.runId());
        if (work != null) {
            work.stop(Duration.ofMillis(order.graceMs()));
            return;
        }
        LOG.log(System.Logger.Level.DEBUG, "asked to stop {0}, which is not here", order.runId());
    }

    private void beatOn() {
        while (!waited(beat)) {
            try {
                if (!id.isEmpty()) beat();
            } catch (RuntimeException e) {
                LOG.log(System.Logger.Level.DEBUG, "heartbeat; will try again", e);
            }
        }
    }

    private void beat() {
        var held =
                works.values().stream()
                        .filter(RunWork::isConfirmed)
                        .map(w -> new Heartbeat.Held(w.claimed().runId(), w.claimed().fence()))
                        .toList();
        var answer = client.post("/runner/heartbeat", new Heartbeat(id, held));
        if (answer.status() == 401) {
            id = "";
            return;
        }
        if (!answer.isGood()) throw new IllegalStateException("heartbeat: " + answer.error());
        var orders = Json.as(answer.body(), Heartbeat.Answer.class);
        for (var lost : orders.lost()) {
            var work = works.get(lost);
            if (work != null) work.abandon();
        }
        orders.stops().forEach(this::stop);
    }

    CoppiceClient client() {
        return client;
    }

    Workplace workplace() {
        return workplace;
    }

    Surroundings surroundings() {
        return new Surroundings(settings, id);
    }

    void done(RunWork work) {
        works.remove(work.claimed().runId(), work);
    }

    /** Ends every agent and reports each as stopped, as long as someone listens. */
    @Override
    public void close() {
        closed.countDown();
        threads.forEach(Thread::interrupt);
        var last = List.copyOf(works.values());
        last.forEach(work -> work.stop(CLOSE_GRACE));
        for (var work : last) {
            try {
                work.awaitOver(CLOSE_GRACE.multipliedBy(3));
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
        }
    }
}
