package dev.coppice.runner;

import dev.coppice.client.CoppiceClient;
import dev.coppice.client.Refused;
import dev.coppice.runner.agents.Agent;
import dev.coppice.runner.agents.CommandAgent;
import dev.coppice.runner.agents.DrivenAgent;
import dev.coppice.runner.agents.ProceduralAgent;
import dev.coppice.runner.agents.ScriptedAgent;
import dev.coppice.thread.Loops;
import dev.coppice.thread.Round;
import dev.coppice.thread.Threads;
import dev.coppice.wire.Code;
import dev.coppice.wire.Json;
import dev.coppice.wire.Release;
import dev.coppice.wire.fleet.ClaimedRun;
import dev.coppice.wire.fleet.Heartbeat;
import dev.coppice.wire.fleet.Polled;
import dev.coppice.wire.fleet.RegisterRequest;
import dev.coppice.wire.fleet.RunnerCalls;
import dev.coppice.wire.fleet.StopOrder;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Claims runs and works on them. The poll asks for work, the heartbeat renews the leases, and each
 * run has a thread. When the coordinator is unreachable they all continue, and so do the agents;
 * when it is back, the heartbeat reports the held runs.
 */
public final class Runner implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger("runner");
    private static final Duration BEAT_MAX = Duration.ofSeconds(5);
    private static final Duration CONFIRM_MAX = Duration.ofSeconds(10);
    private static final Duration PAUSE_MIN = Duration.ofMillis(200);
    private static final Duration PAUSE_MAX = Duration.ofSeconds(2);
    private static final Duration WATCH = Duration.ofMillis(500);
    private static final Duration CLOSE_GRACE = Duration.ofSeconds(3);
    private static final int RUNS_AT_ONCE_MAX = 16;

    /** A file of this name in its directory asks a runner to leave its agents alive at its end. */
    public static final String LEAVE = "leave";

    /** Answers to a registration after which another try is useless. */
    private static final Set<String> REFUSALS =
            Set.of(
                    Code.TOKEN_MISSING.word(),
                    Code.NOT_ALLOWED.word(),
                    Code.VERSIONS_TOO_FAR_APART.word());

    private final RunnerSettings settings;
    private final Station station;
    private final TaskWorker tasks;
    private final OutputReader outputs;
    private final Map<String, Agent> agents =
            Map.of(
                    "command",
                    new CommandAgent(),
                    "scripted",
                    new ScriptedAgent(),
                    "claude-code",
                    new DrivenAgent("claude-code", List.of("claude")),
                    "codex",
                    new DrivenAgent("codex", List.of("codex")),
                    "acp",
                    new DrivenAgent("acp", List.of()),
                    ProceduralAgent.KIND,
                    new ProceduralAgent());
    private final Map<String, RunWork> works = new ConcurrentHashMap<>();
    private final CountDownLatch registered = new CountDownLatch(1);
    private final CountDownLatch refused = new CountDownLatch(1);
    private volatile @Nullable String refusal;
    private final Loops loops = new Loops();
    private final List<Thread> threads = new ArrayList<>();
    private final List<RunWork> recovered = new ArrayList<>();
    private final Leftovers leftovers;
    private volatile Duration lease = Duration.ofSeconds(30);
    private volatile long renewed = System.nanoTime();
    private volatile Duration beat = Duration.ofSeconds(1);

    /** The wait after a poll that failed; only the poll uses it. */
    private Duration pollPause = PAUSE_MIN;

    private @Nullable DirectoryLock lock;

    public Runner(RunnerSettings settings) {
        this.settings = settings;
        this.station = new Station(settings);
        this.leftovers = new Leftovers(station.machine(), station.directories());
        this.tasks = new TaskWorker(station, leftovers, this::isAtWorkFor);
        this.outputs = new OutputReader(station, works::containsKey);
    }

    /** Returns the name of the containment that holds the processes of an agent together. */
    public String containment() {
        return station.machine().containment().name();
    }

    public void start() {
        station.directories().mark();
        lock = DirectoryLock.of(settings.directory());
        // A request of an earlier process, which was killed before it read it.
        var _ = isToLeaveAgents();
        tasks.clear();
        for (var hold : HeldRun.all(station.directories().runs()))
            works.put(hold.runId(), new RunWork(station, hold, this::done));
        recovered.addAll(works.values());
        var sampler = new Sampler(station.client());
        loop("runner-lease", this::watchLeases);
        loop("runner-poll", this::pollOn);
        loop("runner-heartbeat", this::beatOn);
        loop("runner-sampler", () -> sample(sampler));
        loop("runner-outside", new OutsideWatch(station)::watch);
    }

    private void loop(String name, Round round) {
        threads.add(loops.start(name, station::isOpen, round));
    }

    /** Waits for the registration; false if it takes longer than {@code patience}. */
    public boolean isRegisteredWithin(Duration patience) throws InterruptedException {
        return registered.await(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    public String id() {
        return station.id();
    }

    private void pollOn() {
        try {
            if (station.id().isEmpty()) {
                register();
                // A coordinator that was away extends each lease by no more than its length:
                // renew now.
                beat();
            }
            poll();
            pollPause = PAUSE_MIN;
        } catch (CoppiceClient.Unreachable | Refused e) {
            LOG.log(System.Logger.Level.DEBUG, "polling; will retry", e);
            if (station.waited(pollPause)) return;
            var longer = pollPause.multipliedBy(2);
            pollPause = longer.compareTo(PAUSE_MAX) < 0 ? longer : PAUSE_MAX;
        }
    }

    private void register() {
        var request =
                new RegisterRequest(
                        hostname(),
                        settings.directory().toString(),
                        settings.profile(),
                        Json.object()
                                .put("type", "autonomous")
                                .put("command", "coppice")
                                .put("version", Release.ours().version()),
                        settings.tags(),
                        false,
                        null,
                        RegisterRequest.PROTOCOL,
                        settings.capacity(),
                        List.copyOf(works.keySet()));
        var answer = station.client().call(RunnerCalls.REGISTER, request);
        if (!answer.isGood() && REFUSALS.contains(answer.problem().code())) {
            refuse(
                    answer.says(Code.TOKEN_MISSING.word())
                            ? "its token was revoked or has expired"
                            : new Refused(answer.problem()).getMessage());
        }
        if (!answer.isGood()) throw new Refused(answer.problem());
        var view = answer.value();
        station.registered(view.runnerId());
        beat = Duration.ofMillis(Math.min(BEAT_MAX.toMillis(), view.leaseSeconds() * 1000L / 3));
        lease = Duration.ofSeconds(view.leaseSeconds());
        renewed = System.nanoTime();
        recover();
        station.machine().expectAgents();
        registered.countDown();
    }

    /** Ends all agents at once: with this token, nothing renews a lease. */
    private void refuse(@Nullable String why) {
        works.values().forEach(RunWork::abandon);
        // The agents of an earlier process of this runner end, too.
        begin();
        refusal = why;
        refused.countDown();
    }

    /** Why the coordinator refuses this runner; null if it does not. */
    public @Nullable String refusal() {
        return refusal;
    }

    private void begin() {
        List<RunWork> ours;
        synchronized (recovered) {
            ours = List.copyOf(recovered);
            recovered.clear();
        }
        ours.forEach(work -> Threads.virtual(work.held().runId()).start(work));
    }

    /** Waits until the coordinator refuses the token; false if it does not for so long. */
    public boolean isRefusedWithin(Duration patience) throws InterruptedException {
        return refused.await(patience.toMillis(), TimeUnit.MILLISECONDS);
    }

    /** Takes over the runs of earlier processes of this runner, and ends their other leftovers. */
    private void recover() {
        begin();
        leftovers.endUnheld(station.id(), works.keySet());
    }

    /**
     * Ends the agents before their leases expire, because another runner may get the runs then. No
     * lease expires while the coordinator of this machine is known to be away, whether or not this
     * runner had registered with it.
     */
    private void watchLeases() {
        if (station.waited(WATCH)) return;
        // The leases first: what follows may fail in every round.
        endBeforeExpiry();
        works.values().forEach(RunWork::watchOutput);
        leftovers.endAdopted(!works.isEmpty());
    }

    private void endBeforeExpiry() {
        if (sinceRenewal().compareTo(beat.multipliedBy(2)) < 0) return;
        var localCoordinator = settings.localCoordinator();
        if (localCoordinator != null && localCoordinator.isAway()) renewed = System.nanoTime();
        if (sinceRenewal().compareTo(lease.multipliedBy(4).dividedBy(5)) >= 0) endConfirmed();
    }

    private Duration sinceRenewal() {
        return Duration.ofNanos(System.nanoTime() - renewed);
    }

    private void endConfirmed() {
        for (var work : works.values()) {
            // Abandon each run once: it stays listed until its processes are gone.
            if (!work.isConfirmed() || work.isAbandoned()) continue;
            LOG.log(
                    System.Logger.Level.WARNING,
                    "could not renew the lease for {0}; ending {1}",
                    sinceRenewal(),
                    work.held().runId());
            work.abandon();
        }
    }

    /** Returns the host name of this machine. */
    public static String hostname() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException _) {
            return "localhost";
        }
    }

    private void poll() {
        var answer =
                station.client()
                        .call(
                                RunnerCalls.POLL,
                                new RunnerCalls.Poll(station.id(), RUNS_AT_ONCE_MAX));
        if (answer.status() == 401) {
            station.unregistered();
            return;
        }
        if (!answer.isGood()) throw new Refused(answer.problem());
        switch (answer.value()) {
            case Polled.Runs runs -> begin(runs.all());
            case Polled.Stops(var stops) -> stops.forEach(this::stop);
            case Polled.Outputs(var orders) -> orders.forEach(outputs::begin);
            case Polled.Tasks(var orders) -> orders.forEach(tasks::begin);
            // A run is to be suspended or resumed; the heartbeat's answer says which.
            case Polled.Renew _ -> beat();
            case Polled.Nothing _ -> {}
        }
    }

    /** Begins all runs, then waits until the coordinator knows that they have arrived here. */
    private void begin(List<ClaimedRun> runs) {
        var begun = new ArrayList<RunWork>();
        for (var run : runs) {
            var kind = Json.text(run.resolvedAgentBlueprint(), "kind");
            var agent = agents.get(kind == null ? impliedKind(run) : kind);
            var work = new RunWork(station, run, agent, this::done);
            if (works.putIfAbsent(run.runId(), work) != null) continue;
            Threads.virtual(run.runId()).start(work);
            begun.add(work);
        }
        begun.forEach(work -> work.awaitConfirmed(CONFIRM_MAX));
    }

    private static String impliedKind(ClaimedRun run) {
        return run.resolvedAgentBlueprint().hasNonNull("command") ? "command" : "scripted";
    }

    private void stop(StopOrder order) {
        var work = works.get(order.runId());
        if (work != null) {
            work.stop(Duration.ofMillis(order.graceMs()));
            return;
        }
        LOG.log(System.Logger.Level.DEBUG, "asked to stop {0}, which is not held", order.runId());
    }

    private void sample(Sampler sampler) {
        if (station.waited(Sampler.INTERVAL) || station.id().isEmpty()) return;
        try {
            sampler.send(station.id(), List.copyOf(works.values()));
        } catch (CoppiceClient.Unreachable e) {
            LOG.log(System.Logger.Level.DEBUG, "sampling; will go on", e);
        }
    }

    private void beatOn() {
        if (station.waited(beat) || station.id().isEmpty()) return;
        try {
            beat();
        } catch (CoppiceClient.Unreachable | Refused e) {
            LOG.log(System.Logger.Level.DEBUG, "heartbeat; will retry", e);
        }
    }

    private void beat() {
        var printed = new HashMap<RunWork, Long>();
        works.values().forEach(work -> printed.put(work, work.printed()));
        var held =
                printed.entrySet().stream()
                        .filter(e -> e.getKey().isConfirmed())
                        .map(e -> e.getKey().heldNow(e.getValue()))
                        .toList();
        long asked = System.nanoTime();
        var answer =
                station.client()
                        .patient(beat.multipliedBy(2))
                        .call(RunnerCalls.HEARTBEAT, new Heartbeat(station.id(), held));
        if (answer.status() == 401) {
            station.unregistered();
            return;
        }
        // A coordinator that cannot write cannot give the runs to another runner either.
        if (answer.says(Code.STORE_UNWRITABLE.word())) renewed = asked;
        if (!answer.isGood()) throw new Refused(answer.problem());
        renewed = asked;
        printed.forEach(RunWork::outputReported);
        var orders = answer.value();
        for (var lost : orders.lost()) {
            var work = works.get(lost);
            if (work != null) work.abandon();
        }
        orders.stops().forEach(this::stop);
        for (var overfull : orders.overfull() == null ? List.<String>of() : orders.overfull()) {
            var work = works.get(overfull);
            if (work != null) work.breakOff();
        }
        var frozen = orders.frozen() == null ? List.<String>of() : orders.frozen();
        works.forEach((run, work) -> work.suspend(frozen.contains(run)));
    }

    private boolean isAtWorkFor(Set<String> sessions) {
        return works.values().stream().anyMatch(w -> sessions.contains(w.held().sessionId()));
    }

    private void done(RunWork work) {
        works.remove(work.held().runId(), work);
    }

    /**
     * Ends every agent, and reports each as stopped if the coordinator answers. If it was asked to
     * leave them, they go on, and the next process of this runner takes them back.
     */
    @Override
    public void close() {
        station.close();
        threads.forEach(Thread::interrupt);
        if (!isToLeaveAgents()) endAgents();
        station.machine().close();
        if (lock != null) lock.close();
    }

    private boolean isToLeaveAgents() {
        try {
            return Files.deleteIfExists(settings.directory().resolve(LEAVE));
        } catch (IOException e) {
            LOG.log(System.Logger.Level.WARNING, "looking for a request to leave agents", e);
            return false;
        }
    }

    private void endAgents() {
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
