package dev.coppice.operations.fleet;

import dev.coppice.access.Need;
import dev.coppice.fleet.Runner;
import dev.coppice.fleet.Runners;
import dev.coppice.kernel.Ids;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.RunRefusal;
import dev.coppice.operations.Scope;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.request.Wait;
import dev.coppice.run.Holder;
import dev.coppice.run.Run;
import dev.coppice.run.RunState;
import dev.coppice.run.RunWord;
import dev.coppice.run.Runs;
import dev.coppice.wire.event.EventCalls;
import dev.coppice.wire.fleet.OutputAnswer;
import dev.coppice.wire.fleet.OutputOrder;
import dev.coppice.wire.fleet.RunnerCalls;
import dev.coppice.wire.run.OutputView;
import dev.coppice.wire.run.RunCalls;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** Reads the output of runs from the runners that hold it. */
public final class OutputOperations {
    /** The time in which a runner must answer, in addition to the requested wait. */
    private static final Duration ANSWER_MAX = Duration.ofSeconds(10);

    /** A longer wait is answered after this time; a caller that follows a run asks again. */
    private static final long WAIT_MS_MAX = 60_000;

    private final Scope scope;
    private final Runs runs;
    private final Runners runners;
    private final OutputReads reads;
    private final Ids ids;

    public OutputOperations(Scope scope, Runs runs, Runners runners, OutputReads reads, Ids ids) {
        this.scope = scope;
        this.runs = runs;
        this.runners = runners;
        this.reads = reads;
        this.ids = ids;
    }

    public List<Operation<?, ?>> all() {
        return List.of(
                Operation.of(RunCalls.OUTPUT, Need.READ, this::read).then(this::wait),
                Operation.of(RunnerCalls.OUTPUT_READ, Need.RUN, (_, in) -> answered(in)));
    }

    private Outcome<EventCalls.Done> answered(RunnerCalls.OutputRead in) {
        reads.answer(in.orderId(), in.answer());
        return Outcome.done(EventCalls.Done.OK);
    }

    /** The state of the run, before its output is asked for. */
    private Outcome<OutputView> read(Context x, RunCalls.ReadOutput in) {
        return scope.transactions()
                .read(() ->
                        runs.find(new RunId(in.runId()))
                                .filter(run -> scope.access().sees(x.caller(), run.session()))
                                .map(run -> Outcome.done(before(run)))
                                .orElseGet(() ->
                                        Outcome.refused(new RunRefusal.RunUnknown(in.runId()))));
    }

    private OutputView before(Run run) {
        var holder = holderOf(run.state());
        var empty = new OutputView.Part(0, 0, 0, "");
        boolean ended = run.state() instanceof RunState.Ended;
        var state = RunWord.of(run.state());
        if (holder == null) {
            // No runner has claimed the run: it has no output yet, or never will.
            return new OutputView(run.id().value(), state, ended, empty, empty, null);
        }
        var runner = runners.find(holder.runner());
        var missing = runner.isEmpty() ? "its runner %s is gone" : unfit(runner.get());
        var why = missing == null ? null : missing.formatted(holder.runner().value());
        return new OutputView(run.id().value(), state, ended, null, null, why);
    }

    private static @Nullable String unfit(Runner runner) {
        return runner.protocol() == Runner.Protocol.FENCED
                ? null
                : "its runner %s is one of the originals', which keep no output";
    }

    private static @Nullable Holder holderOf(RunState state) {
        var lease = state.held();
        if (lease != null) return lease.holder();
        return state instanceof RunState.Ended end ? end.by() : null;
    }

    /** Asks the runner, unless the first answer is final. */
    private Optional<Wait> wait(Context x, RunCalls.ReadOutput in, OutputView before) {
        if (before.stdout() != null || before.unavailable() != null) return Optional.empty();
        var holder =
                scope.transactions()
                        .read(() -> runs.find(new RunId(in.runId())))
                        .map(run -> holderOf(run.state()));
        if (holder.isEmpty()) return Optional.empty();
        long wait = before.ended() ? 0 : Math.min(in.patience().orZero().toMillis(), WAIT_MS_MAX);
        var order =
                new OutputOrder(
                        "out_" + ids.twelveHex(),
                        in.runId(),
                        in.stdout(),
                        in.stderr(),
                        in.bytes(),
                        wait);
        var asked = reads.ask(x.caller(), holder.get().runner(), order);
        long until = System.nanoTime() + ANSWER_MAX.plusMillis(wait).toNanos();
        return Optional.of(
                new Wait() {
                    @Override
                    public @Nullable Object within(Duration time) throws InterruptedException {
                        return OutputOperations.within(asked, before, time, until);
                    }

                    @Override
                    public void close() {
                        reads.close(asked);
                    }
                });
    }

    private static @Nullable Object within(
            OutputReads.Asked asked, OutputView before, Duration time, long until)
            throws InterruptedException {
        long left = until - System.nanoTime();
        try {
            var answer =
                    asked.answer()
                            .get(Math.max(0, Math.min(left, time.toNanos())), TimeUnit.NANOSECONDS);
            return shown(before, answer);
        } catch (TimeoutException _) {
            if (left > time.toNanos()) return null;
            return unavailable(
                    before, "its runner %s does not answer".formatted(asked.runner().value()));
        } catch (ExecutionException e) {
            throw new IllegalStateException("an answer is never completed with a failure", e);
        }
    }

    private static OutputView shown(OutputView before, OutputAnswer answer) {
        if (answer.error() != null) return unavailable(before, answer.error());
        return new OutputView(
                before.runId(),
                before.state(),
                before.ended(),
                answer.stdout(),
                answer.stderr(),
                null);
    }

    private static OutputView unavailable(OutputView before, String why) {
        return new OutputView(before.runId(), before.state(), before.ended(), null, null, why);
    }
}
