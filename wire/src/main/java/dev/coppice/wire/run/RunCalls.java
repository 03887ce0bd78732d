package dev.coppice.wire.run;

import dev.coppice.wire.Call;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;
import dev.coppice.wire.Inline;
import dev.coppice.wire.Paging;
import dev.coppice.wire.Patience;
import dev.coppice.wire.Sizes;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Runs: starting, reading, awaiting and stopping them. */
public final class RunCalls {
    public static final Call<StartRunRequest, RunAnswer> START =
            Call.post(
                            "start_run",
                            "/runs",
                            StartRunRequest.class,
                            RunAnswer.class,
                            "Start a session, or resume one")
                    .creates()
                    .repeatable()
                    .takesLong()
                    .older();
    public static final Call<Retry, RunAnswer> RETRY =
            Call.post(
                            "retry_session",
                            "/sessions/{session_id}/retry",
                            Retry.class,
                            RunAnswer.class,
                            "Start a session again that has ended: another one of the same"
                                    + " blueprint, prompt and settings in the same place of the"
                                    + " tree, as its continuation")
                    .creates()
                    .repeatable();
    public static final Call<Find, Page> LIST =
            Call.get("list_runs", "/runs", Find.class, Page.class, "List runs, newest first")
                    .older();
    public static final Call<Await, RunAnswer> READ =
            Call.get(
                            "read_run",
                            "/runs/{run_id}",
                            Await.class,
                            RunAnswer.class,
                            "Read a run, or wait for its end")
                    .takesLong()
                    .older();
    public static final Call<At, Stopped> STOP =
            Call.post(
                            "stop_run",
                            "/runs/{run_id}/stop",
                            At.class,
                            Stopped.class,
                            "Stop the session of a run")
                    .audited()
                    .older();
    public static final Call<ReadOutput, OutputView> OUTPUT =
            Call.get(
                            "read_output",
                            "/runs/{run_id}/output",
                            ReadOutput.class,
                            OutputView.class,
                            "Read the output of a run from its runner, or wait for more of it")
                    .takesLong();

    private RunCalls() {}

    /** The run in the path. */
    public record At(@Field(value = "the run", example = Descriptions.RUN_ID) String runId) {}

    /** The session to start again. */
    public record Retry(
            @Field(value = Descriptions.SESSION, example = "s1") String sessionId,
            @Field("the name of the new session; by default made of the former one")
                    @Nullable String sessionName) {}

    /** A run, and the time to wait for its end. */
    public record Await(
            @Field(value = "the run", example = Descriptions.RUN_ID) String runId,
            @Inline Patience patience) {}

    /** Selects a part of the output of a run. */
    public record ReadOutput(
            @Field(value = "the run", example = Descriptions.RUN_ID) String runId,
            @Field(
                            value =
                                    "the offset in standard output; a negative one counts from the"
                                            + " end",
                            fallback = "0")
                    long stdout,
            @Field(
                            value =
                                    "the offset in standard error; a negative one counts from the"
                                            + " end",
                            fallback = "0")
                    long stderr,
            @Field(
                            value = "the maximum number of bytes of each stream",
                            fallback = "65536",
                            min = 1,
                            max = Sizes.OUTPUT_PART_BYTES_MAX)
                    int bytes,
            @Inline Patience patience) {}

    /** Selects the runs to list. */
    public record Find(
            @Field(value = "only these states, comma-separated", example = "running")
                    @Nullable List<String> status,
            @Field("only runs of this session") @Nullable String sessionId,
            @Field("only runs of this session id and all below it") @Nullable String subtree,
            @Inline Paging page) {}

    /** A page of runs. */
    public record Page(
            @Field("the runs") List<RunView> runs,
            @Field(Descriptions.NEXT) @Nullable String next) {}

    /** The result of a stop. */
    public record Stopped(
            @Field("always true") boolean ok,
            @Field("the run") String runId,
            @Field("its session") String sessionId,
            @Field("the status of the run now") String status) {}
}
