package dev.coppice.bench;

import dev.coppice.access.Caller;
import dev.coppice.access.Role;
import dev.coppice.client.CoppiceClient;
import dev.coppice.wire.fleet.ClaimedRun;
import dev.coppice.wire.fleet.Heartbeat;
import dev.coppice.wire.fleet.Polled;
import dev.coppice.wire.fleet.RegisterRequest;
import dev.coppice.wire.fleet.RunReport;
import dev.coppice.wire.fleet.RunnerCalls;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.util.List;

/** The requests of a runner that has no processes. */
final class RunnerClient {
    private static final int CAPACITY = 10_000;

    private final CoppiceClient client;
    private final String id;

    /** Registers a runner of this name. */
    RunnerClient(Server server, String name) {
        var token = server.coordinator().tokens().issue(Caller.as(Role.RUNNER));
        this.client = new CoppiceClient(URI.create(server.coordinator().url()), token);
        var request =
                new RegisterRequest(
                        "bench",
                        "/",
                        name,
                        null,
                        null,
                        false,
                        null,
                        RegisterRequest.PROTOCOL,
                        CAPACITY,
                        List.of());
        this.id = client.call(RunnerCalls.REGISTER, request).value().runnerId();
    }

    /** Returns null if the coordinator refuses the runner. */
    @Nullable Polled poll(int max) {
        var answer = client.call(RunnerCalls.POLL, new RunnerCalls.Poll(id, max));
        return answer.isGood() ? answer.value() : null;
    }

    void started(ClaimedRun run) {
        var report = new RunReport.Started(run.runId(), id, run.fence(), null);
        client.call(RunnerCalls.STARTED, report).value();
    }

    void completed(ClaimedRun run) {
        var report =
                new RunReport.Completed(
                        run.runId(), id, run.fence(), null, "done", null, null, null);
        client.call(RunnerCalls.COMPLETED, report).value();
    }

    void stopped(String run, long fence) {
        var report = new RunReport.Stopped(run, id, fence, "SIGTERM", null);
        client.call(RunnerCalls.STOPPED, report).value();
    }

    void beat(List<Heartbeat.Held> held) {
        client.call(RunnerCalls.HEARTBEAT, new Heartbeat(id, held)).value();
    }
}
