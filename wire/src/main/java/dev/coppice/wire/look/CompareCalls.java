package dev.coppice.wire.look;

import dev.coppice.wire.Call;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;
import dev.coppice.wire.look.UsageCalls.ModelView;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Two sessions or trees beside each other. */
public final class CompareCalls {
    public static final Call<With, Compared> COMPARE =
            Call.get(
                    "compare_sessions",
                    "/sessions/{session_id}/compare",
                    With.class,
                    Compared.class,
                    "Show where two sessions with all below them first differ, and what each cost"
                            + " and changed");

    private CompareCalls() {}

    /** Names the other session. */
    public record With(
            @Field(value = Descriptions.SESSION, example = "s1") String sessionId,
            @Field(value = "the id of the other session", example = "s2") String with,
            @Field(value = "leave out the sessions below", fallback = "false") boolean alone) {}

    /** Two sessions. */
    public record Compared(
            @Field("the session") SideView a,
            @Field("the other one") SideView b,
            @Field("the number of steps that both began with") int commonSteps,
            @Field("true if both took the same steps") boolean same,
            @Field("the steps around the first difference, beside each other")
                    List<RowView> rows) {}

    /** One of the two. */
    public record SideView(
            @Field(Descriptions.SESSION) String sessionId,
            @Field(Descriptions.NAME) String sessionName,
            @Field(value = "its state", example = "finished") String state,
            @Field("why it is in this state") @Nullable String reason,
            @Field(value = "when it started", example = Descriptions.TIME)
                    @Nullable String startedAt,
            @Field(value = "when it ended", example = Descriptions.TIME) @Nullable String endedAt,
            @Field("milliseconds from its start to its end, or until now") long durationMs,
            @Field("sessions") long sessions,
            @Field("runs") long runs,
            @Field("steps: prompts, uses of tools, and ends") int steps,
            @Field("true if it has more events than were read") boolean cut,
            @Field("tokens") long tokens,
            @Field("millionths of a dollar") long costMicros,
            @Field("the models") List<ModelView> models,
            @Field("files that its tools wrote, as far as their events tell") List<String> files,
            @Field("commits that its commands made, as far as their output tells")
                    List<CommitView> commits) {}

    public record CommitView(
            @Field(value = "its id", example = "1a2b3c4") String commit,
            @Field(value = "its branch", example = "main") String branch,
            @Field("its subject") String subject) {}

    /** A step of each; null where one has no more. */
    public record RowView(
            @Field("its number") int step,
            @Field("true if both are the same") boolean same,
            @Field("the step of the session") @Nullable StepView a,
            @Field("the step of the other one") @Nullable StepView b) {}

    public record StepView(
            @Field("the number of its event") long eventId,
            @Field("the session that took it, by the order of appearance in its tree: 0, 0.1")
                    String agent,
            @Field(Descriptions.SESSION) String sessionId,
            @Field(value = "prompt, tool, failed or ended", example = "tool") String kind,
            @Field(value = "the tool, the prompt or the state, and what for", example = "Bash: ls")
                    String text) {}
}
