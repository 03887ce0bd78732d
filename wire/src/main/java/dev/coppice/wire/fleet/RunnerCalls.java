package dev.coppice.wire.fleet;

import com.fasterxml.jackson.annotation.JsonInclude;

import dev.coppice.wire.Call;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;
import dev.coppice.wire.Inline;
import dev.coppice.wire.event.EventCalls;
import dev.coppice.wire.event.Sentence;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Requests and reports of runners. */
public final class RunnerCalls {
    public static final int SAMPLES_MAX = 1_000;
    static final long USE_MAX = 1L << 50;
    static final int COUNT_MAX = 1 << 24;

    public static final Call<RegisterRequest, RegisteredView> REGISTER =
            Call.post(
                            "register_runner",
                            "/runner/register",
                            RegisterRequest.class,
                            RegisteredView.class,
                            "Register a runner")
                    .older();
    public static final Call<Poll, Polled> POLL =
            Call.get(
                            "poll_work",
                            "/runner/runs",
                            Poll.class,
                            Polled.class,
                            "Poll for work, and wait for it up to half a minute")
                    .takesLong()
                    .older();
    public static final Call<Heartbeat, Heartbeat.Answer> HEARTBEAT =
            Call.post(
                            "send_heartbeat",
                            "/runner/heartbeat",
                            Heartbeat.class,
                            Heartbeat.Answer.class,
                            "Send a heartbeat and renew the leases of a runner")
                    .older();
    public static final Call<RunReport.Started, Reported> STARTED =
            report("started", RunReport.Started.class, "Confirm a claim before the process starts")
                    .older();
    public static final Call<RunReport.Completed, Reported> COMPLETED =
            report("completed", RunReport.Completed.class, "Report that a run is done").older();
    public static final Call<RunReport.Failed, Reported> FAILED =
            report("failed", RunReport.Failed.class, "Report that a run failed").older();
    public static final Call<RunReport.Stopped, Reported> STOPPED =
            report("stopped", RunReport.Stopped.class, "Report that a run was stopped").older();
    public static final Call<SessionReport, SessionEnded> SESSION_ENDED =
            Call.post(
                            "report_session_end",
                            "/runner/sessions/{session_id}/status",
                            SessionReport.class,
                            SessionEnded.class,
                            "Report the end of a session between two runs")
                    .older();
    public static final Call<TaskPart, EventCalls.Done> TASK_PART =
            Call.post(
                    "upload_work_part",
                    "/runner/tasks/{task_id}/part",
                    TaskPart.class,
                    EventCalls.Done.class,
                    "Upload a part of a file of preserved work");
    public static final Call<TaskDone, EventCalls.Done> TASK_DONE =
            Call.post(
                    "report_task",
                    "/runner/tasks/{task_id}/done",
                    TaskDone.class,
                    EventCalls.Done.class,
                    "Report the result of a directory task");
    public static final Call<OutputRead, EventCalls.Done> OUTPUT_READ =
            Call.post(
                    "send_output",
                    "/runner/output/{order_id}",
                    OutputRead.class,
                    EventCalls.Done.class,
                    "Send the part of an output that the coordinator asked for");

    public static final Call<Samples, EventCalls.Done> SAMPLES =
            Call.post(
                    "send_samples",
                    "/runner/samples",
                    Samples.class,
                    EventCalls.Done.class,
                    "Send what the processes of runs use");

    private RunnerCalls() {}

    private static <R extends Record> Call<R, Reported> report(
            String what, Class<R> report, String says) {
        return Call.post(
                "report_" + what, "/runner/runs/{run_id}/" + what, report, Reported.class, says);
    }

    /** A poll for work. */
    public record Poll(
            @Field("the runner that polls") String runnerId,
            @Field("at most so many runs at once; one if absent") @Nullable Integer max) {}

    /** The report was accepted, or the agent has to give another result. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Reported(
            @Field("always true") boolean ok,
            @Field("the run") @Nullable String runId,
            @Field("its status now") @Nullable String status,
            @Field("the prompt for the agent, if it has to give another result")
                    @Nullable String retry) {}

    /** The end of a session between two runs. */
    public record SessionReport(
            @Field(value = Descriptions.SESSION, example = "s1") String sessionId,
            @Field("the runner that reports") @Nullable String runnerId,
            @Field("how it ended") SessionEnd status) {}

    /** The ways in which a session between two runs ends. */
    public enum SessionEnd {
        FINISHED,
        FAILED,
        STOPPED
    }

    /** The report was accepted. */
    public record SessionEnded(
            @Field("always true") boolean ok,
            @Field(Descriptions.SESSION) String sessionId,
            @Field("whether the session has ended") boolean ended) {}

    /** The resource use of the processes of runs. */
    public record Samples(
            @Field("the runner that holds the runs") String runnerId,
            @Field(value = "one for each run", max = SAMPLES_MAX) List<Sample> samples) {}

    /** The resource use of a run's processes. */
    public record Sample(
            @Field(value = "the run", example = Descriptions.RUN_ID) String runId,
            @Field(value = "milliseconds of processor time", min = 0, max = USE_MAX) long cpuMillis,
            @Field(value = "bytes of memory", min = 0, max = USE_MAX) long memoryBytes,
            @Field(value = "processes", min = 0, max = COUNT_MAX) int processes,
            @Field(value = "open files", min = 0, max = COUNT_MAX) int openFiles,
            @Field(value = "the last line that it printed", chars = Sentence.CHARS_MAX)
                    @Nullable String lastLine,
            @Field(
                            value = "milliseconds since it printed something",
                            fallback = "0",
                            min = 0,
                            max = USE_MAX)
                    long quietMs) {}

    /** A part of a file of preserved work. */
    public record TaskPart(
            @Field("the directory task") String taskId, @Inline DirectoryTaskResult.Part part) {}

    /** A part of an output. */
    public record OutputRead(@Field("the order") String orderId, @Inline OutputAnswer answer) {}

    /** The result of a directory task. */
    public record TaskDone(
            @Field("the directory task") String taskId, @Inline DirectoryTaskResult answer) {}
}
