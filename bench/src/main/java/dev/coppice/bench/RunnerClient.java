package dev.coppice.bench;

import dev.coppice.access.Caller;
import dev.coppice.access.Role;
import dev.coppice.client.CoppiceClient;
import dev.coppice.wire.Call;
import dev.coppice.wire.fleet.ClaimedRun;
import dev.coppice.wire.fleet.Heartbeat;
import dev.coppice.wire.fleet.RegisterRequest;
import dev.coppice.wire.fleet.ReportRequest;
import dev.coppice.wire.fleet.RunnerCalls;
import dev.coppice.wire.fleet.RunnerCalls.Polled;

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
        report(RunnerCalls.STARTED, run.runId(), run.fence(), null);
    }

    void completed(ClaimedRun run) {
        report(RunnerCalls.COMPLETED, run.runId(), run.fence(), "done");
    }

    void stopped(String run, long fence) {
        report(RunnerCalls.STOPPED, run, fence, null);
    }

    private void report(
            Call<RunnerCalls.Report, RunnerCalls.Reported> call,
            String run,
            long fence,
            @Nullable String result) {
        var report =
                new ReportRequest(
                        id, fence, null, null, null, "SIGTERM", result, null, null, null, null);
        client.call(call, new RunnerCalls.Report(run, report)).value();
    }

    void beat(List<Heartbeat.Held> held) {
        client.call(RunnerCalls.HEARTBEAT, new Heartbeat(id, held)).value();
    }
}
