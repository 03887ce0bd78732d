package dev.coppice.wire.fleet;

import dev.coppice.wire.Call;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;
import dev.coppice.wire.Inline;
import dev.coppice.wire.Paging;
import dev.coppice.wire.Sizes;
import dev.coppice.wire.observe.HookCalls.Program;
import dev.coppice.wire.session.SessionView;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The processes of agent programs that Coppice did not start. */
public final class ProcessCalls {
    public static final int REPORTS_MAX = 1_000;
    static final long PID_MAX = 1L << 32;
    static final String START = "what tells it from an earlier process with its id";
    static final String START_OF_ONE = "3d1219c7-c4c5-404a-af1f-6d2a48adfda4:75547";

    public static final Call<Find, Page> LIST =
            Call.get(
                    "list_processes",
                    "/processes",
                    Find.class,
                    Page.class,
                    "List the live processes of programs that Coppice did not start");
    public static final Call<Adopt, Adopted> ADOPT =
            Call.post(
                            "adopt_process",
                            "/processes",
                            Adopt.class,
                            Adopted.class,
                            "Take a running agent program into a tree, and say whether a stop of"
                                    + " its session may end its process")
                    .audited();
    public static final Call<Reports, Watched> REPORT =
            Call.post(
                    "report_processes",
                    "/runner/processes",
                    Reports.class,
                    Watched.class,
                    "Report on processes of programs that Coppice did not start");

    private ProcessCalls() {}

    /** Selects processes. */
    public record Find(
            @Field("only those of this session and of all below it") @Nullable String sessionId,
            @Inline Paging page) {}

    /** A page of processes. */
    public record Page(
            @Field("the processes") List<ProcessView> processes,
            @Field(Descriptions.NEXT) @Nullable String next) {}

    public record ProcessView(
            @Field(Descriptions.SESSION) String sessionId,
            @Field(Descriptions.NAME) String sessionName,
            @Field("its host") String hostname,
            @Field("its id on that host") long pid,
            @Field(value = "the program", example = "codex") String program,
            @Field(START + "; null until a runner has found it") @Nullable String start,
            @Field("whether a stop of the session may end it") boolean mayStop,
            @Field("the deadline of a stop that was asked for") @Nullable String endBy) {}

    /** A running program, and its place in a tree. */
    public record Adopt(
            @Field(value = "the program", example = "codex") Program program,
            @Field(
                            value = "its host; by default that of the coordinator",
                            chars = Sizes.LABEL_CHARS_MAX)
                    @Nullable String hostname,
            @Field(value = "its process id", example = "4711", min = 1, max = PID_MAX) long pid,
            @Field(value = START, example = START_OF_ONE, chars = Sizes.LABEL_CHARS_MAX)
                    String start,
            @Field(value = "the directory it works in", chars = Sizes.PATH_CHARS_MAX)
                    String projectDir,
            @Field("its own id of its session, or the session that has it already")
                    @Nullable String sessionId,
            @Field(
                            value = "the file to which it writes its transcript",
                            chars = Sizes.PATH_CHARS_MAX)
                    @Nullable String transcriptPath,
            @Field("the id of the session above; only for a new session")
                    @Nullable String parentSessionId,
            @Field("the name of the session above; the id wins") @Nullable String parentSessionName,
            @Field(value = "whether a stop of the session may end the process", fallback = "false")
                    boolean mayStop) {}

    /** The session of an adopted program, and its process. */
    public record Adopted(
            @Field("the session") SessionView session, @Field("the process") ProcessView process) {}

    /** The changes that a runner found. */
    public record Reports(
            @Field("the runner") String runnerId,
            @Field(value = "what changed since the last report", max = REPORTS_MAX)
                    List<Report> processes) {}

    /** A process that was looked for. */
    public record Report(
            @Field(Descriptions.SESSION) String sessionId,
            @Field(value = "the process", min = 1, max = PID_MAX) long pid,
            @Field(
                            value = START + "; null if there is no such process",
                            example = START_OF_ONE,
                            chars = Sizes.LABEL_CHARS_MAX)
                    @Nullable String start) {}

    /** The processes to look for. */
    public record Watched(
            @Field("the processes on the host of the runner") List<Order> processes) {}

    /** A process to look for. */
    public record Order(
            @Field(Descriptions.SESSION) String sessionId,
            @Field("the process") long pid,
            @Field(START + "; null if that is not known") @Nullable String start,
            @Field("the program") Program program,
            @Field("the directory it must work in, if no runner has found it yet")
                    @Nullable String projectDir,
            @Field("end it within this time; null to leave it alone") @Nullable Long endWithinMs) {}
}
