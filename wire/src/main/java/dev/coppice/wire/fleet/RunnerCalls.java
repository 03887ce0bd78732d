package dev.coppice.wire.fleet;

import com.fasterxml.jackson.annotation.JsonInclude;

import dev.coppice.wire.Call;
import dev.coppice.wire.Field;
import dev.coppice.wire.Inline;
import dev.coppice.wire.Said;
import dev.coppice.wire.session.EventCalls;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** What runners ask and report. */
public final class RunnerCalls {
    public static final Call<RegisterRequest, RegisteredView> REGISTER =
            Call.post(
                    "register_runner",
                    "/runner/register",
                    RegisterRequest.class,
                    RegisteredView.class,
                    "Register a runner");
    public static final Call<Poll, Polled> POLL =
            Call.get(
                            "poll_work",
                            "/runner/runs",
                            Poll.class,
                            Polled.class,
                            "Ask for work, and wait for it up to half a minute")
                    .takesLong();
    public static final Call<Heartbeat, Heartbeat.Answer> HEARTBEAT =
            Call.post(
                    "send_heartbeat",
                    "/runner/heartbeat",
                    Heartbeat.class,
                    Heartbeat.Answer.class,
                    "Show that a runner lives, and renew its leases");
    public static final Call<Report, Reported> STARTED =
            report("started", "Confirm a claim; the process starts");
    public static final Call<Report, Reported> COMPLETED = report("completed", "A run is done");
    public static final Call<Report, Reported> FAILED = report("failed", "A run failed");
    public static final Call<Report, Reported> STOPPED = report("stopped", "A run was stopped");
    public static final Call<SessionReport, SessionEnded> SESSION_ENDED =
            Call.post(
                    "report_session_end",
                    "/runner/sessions/{session_id}/status",
                    SessionReport.class,
                    SessionEnded.class,
                    "Report how a session between two runs ended");
    public static final Call<ErrandPart, EventCalls.Done> ERRAND_PART =
            Call.post(
                    "upload_work_part",
                    "/runner/errands/{errand_id}/part",
                    ErrandPart.class,
                    EventCalls.Done.class,
                    "Upload a part of a file to keep");
    public static final Call<ErrandDone, EventCalls.Done> ERRAND_DONE =
            Call.post(
                    "report_errand",
                    "/runner/errands/{errand_id}/done",
                    ErrandDone.class,
                    EventCalls.Done.class,
                    "Report what came of an errand");

    private RunnerCalls() {}

    private static Call<Report, Reported> report(String what, String says) {
        return Call.post(
                "report_" + what,
                "/runner/runs/{run_id}/" + what,
                Report.class,
                Reported.class,
                says);
    }

    /** Who asks for work. */
    public record Poll(@Field("the runner that asks") String runnerId) {}

    /** Something to do, or nothing: then it is 204. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Polled(
            @Field("a run to start") @Nullable ClaimedRun run,
            @Field("sessions to stop, for the original's runners")
                    @Nullable List<String> stopSessions,
            @Field("runs to stop") @Nullable List<StopOrder> stops,
            @Field("what to do with directories") @Nullable List<ErrandOrder> errands,
            @Field("true to send a heartbeat at once") @Nullable Boolean renew)
            implements Call.WithStatus {
        public static final Polled NOTHING = new Polled(null, null, null, null, null);

        @Override
        public int httpStatus() {
            return equals(NOTHING) ? 204 : 200;
        }
    }

    /** A report of a run. */
    public record Report(
            @Field(value = "the run", example = Said.RUN_ID) String runId,
            @Inline ReportRequest report) {}

    /** A report was taken, or is to be corrected. */
    @JsonInclude(JsonInclude.Include.NON_NULL)
    public record Reported(
            @Field("always true") boolean ok,
            @Field("the run") @Nullable String runId,
            @Field("its status now") @Nullable String status,
            @Field("what to tell the agent, whose result must be given again")
                    @Nullable String retry) {}

    /** How a session between two runs ended. */
    public record SessionReport(
            @Field(value = Said.SESSION, example = "s1") String sessionId,
            @Field("the runner that reports") @Nullable String runnerId,
            @Field("how it ended") SessionEnd status) {}

    /** How a session between two runs ends. */
    public enum SessionEnd {
        FINISHED,
        FAILED,
        STOPPED
    }

    /** The report was taken. */
    public record SessionEnded(
            @Field("always true") boolean ok,
            @Field(Said.SESSION) String sessionId,
            @Field("whether the session has ended") boolean ended) {}

    /** A part of a file to keep. */
    public record ErrandPart(
            @Field("the errand") String errandId, @Inline ErrandAnswer.Part part) {}

    /** What came of an errand. */
    public record ErrandDone(@Field("the errand") String errandId, @Inline ErrandAnswer answer) {}
}
