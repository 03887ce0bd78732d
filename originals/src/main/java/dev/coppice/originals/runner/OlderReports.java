package dev.coppice.originals.runner;

import dev.coppice.access.Need;
import dev.coppice.boot.Ground;
import dev.coppice.fleet.Runner;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.RunRefusal;
import dev.coppice.kernel.RunnerId;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.run.Holder;
import dev.coppice.run.Run;
import dev.coppice.run.RunState;
import dev.coppice.run.RunWord;
import dev.coppice.view.Words;
import dev.coppice.wire.Call;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;
import dev.coppice.wire.Inline;
import dev.coppice.wire.fleet.RunReport;
import dev.coppice.wire.fleet.RunnerCalls;
import dev.coppice.wire.fleet.RunnerCalls.Reported;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/**
 * Reports of all runners in the older shape, which may lack the fence. Such a runner must itself
 * hold the lease of the run, or have ended the run; its fence is looked up.
 */
final class OlderReports {
    private final Ground ground;
    private final Operation<RunReport.Started, Reported> started;
    private final Operation<RunReport.Completed, Reported> completed;
    private final Operation<RunReport.Failed, Reported> failed;
    private final Operation<RunReport.Stopped, Reported> stopped;

    OlderReports(Ground ground) {
        this.ground = ground;
        var reports = ground.fleet().reports();
        this.started = reports.started();
        this.completed = reports.completed();
        this.failed = reports.failed();
        this.stopped = reports.stopped();
    }

    /** A report about a run. */
    record Report(
            @Field(value = "the run", example = Descriptions.RUN_ID) String runId,
            @Inline ReportRequest report) {
        private String runner() {
            return String.valueOf(report.runnerId());
        }
    }

    List<Operation<?, ?>> all() {
        return List.of(
                Operation.of(in(RunnerCalls.STARTED), Need.RUN, this::started),
                Operation.of(in(RunnerCalls.COMPLETED), Need.RUN, this::completed),
                Operation.of(in(RunnerCalls.FAILED), Need.RUN, this::failed),
                Operation.of(in(RunnerCalls.STOPPED), Need.RUN, this::stopped));
    }

    private static Call<Report, Reported> in(Call<?, Reported> call) {
        return Call.post(call.name(), call.path(), Report.class, Reported.class, call.says())
                .older();
    }

    /** Such a runner may report the end of a short run before it reports its start. */
    private Outcome<Reported> started(Context x, Report in) {
        return fence(in)
                .then(fence -> {
                    var ended =
                            in.report().fence() == null ? ended(in) : Optional.<Reported>empty();
                    return ended.isPresent() ? Outcome.done(ended.get()) : started(x, in, fence);
                });
    }

    private Outcome<Reported> started(Context x, Report in, long fence) {
        var place = in.report().workplace();
        var report =
                new RunReport.Started(
                        in.runId(), in.runner(), fence, place == null ? null : place.told());
        return started.action().on(x, report);
    }

    private Outcome<Reported> completed(Context x, Report in) {
        var body = in.report();
        return fence(in)
                .then(fence -> {
                    boolean isFenced = body.fence() != null;
                    if (!isFenced && isClaimed(in)) started(x, in, fence);
                    var report =
                            new RunReport.Completed(
                                    in.runId(),
                                    in.runner(),
                                    fence,
                                    body.sessionStatus(),
                                    body.resultText(),
                                    body.resultData(),
                                    isFenced ? body.attempt() : null,
                                    body.outputBytes());
                    return completed.action().on(x, report);
                });
    }

    private Outcome<Reported> failed(Context x, Report in) {
        var body = in.report();
        return fence(in)
                .then(fence -> {
                    var report =
                            new RunReport.Failed(
                                    in.runId(),
                                    in.runner(),
                                    fence,
                                    body.error(),
                                    body.outputBytes());
                    return failed.action().on(x, report);
                });
    }

    private Outcome<Reported> stopped(Context x, Report in) {
        var body = in.report();
        return fence(in)
                .then(fence -> {
                    var report =
                            new RunReport.Stopped(
                                    in.runId(),
                                    in.runner(),
                                    fence,
                                    body.signal(),
                                    body.outputBytes());
                    return stopped.action().on(x, report);
                });
    }

    /** The fence that was sent, or that of the runner's lease. */
    private Outcome<Long> fence(Report in) {
        var sent = in.report().fence();
        if (sent != null) return Outcome.done(sent);
        return ground.scope().transactions().read(() -> looked(in));
    }

    private Outcome<Long> looked(Report in) {
        var id = new RunId(in.runId());
        var runnerId = new RunnerId(in.runner());
        var runner = ground.fleet().runners().find(runnerId);
        if (runner.isEmpty()) {
            return Outcome.refused(new RunRefusal.RunnerUnknown(runnerId.value()));
        }
        var run = ground.fleet().runs().find(id);
        if (run.isEmpty()) return Outcome.refused(new RunRefusal.RunUnknown(id.value()));
        var held = holderOf(run.get().state());
        return runner.get().protocol() == Runner.Protocol.UNFENCED
                        && held != null
                        && held.runner().equals(runnerId)
                ? Outcome.done(held.fence())
                : Outcome.refused(new RunRefusal.LeaseLost(id, runnerId));
    }

    private static @Nullable Holder holderOf(RunState state) {
        var lease = state.held();
        if (lease != null) return lease.holder();
        return state instanceof RunState.Ended end ? end.by() : null;
    }

    private Optional<Run> run(Report in) {
        var id = new RunId(in.runId());
        return ground.scope().transactions().read(() -> ground.fleet().runs().find(id));
    }

    private boolean isClaimed(Report in) {
        return run(in).filter(run -> run.state() instanceof RunState.Claimed).isPresent();
    }

    private Optional<Reported> ended(Report in) {
        return run(in).filter(run -> run.state() instanceof RunState.Ended)
                .map(run -> {
                    var status = Words.ofRun(RunWord.of(run.state()));
                    return new Reported(true, in.runId(), status, null);
                });
    }
}
