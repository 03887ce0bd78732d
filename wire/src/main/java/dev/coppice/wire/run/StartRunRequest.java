package dev.coppice.wire.run;

import dev.coppice.wire.Field;
import dev.coppice.wire.Inline;
import dev.coppice.wire.Patience;
import dev.coppice.wire.Sizes;
import dev.coppice.wire.budget.BudgetRequest;
import dev.coppice.wire.session.LimitsView;
import dev.coppice.wire.session.OnParentEnd;
import dev.coppice.wire.session.SessionKind;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/** A session to start with a run, or to resume. */
public record StartRunRequest(
        @Field(value = "start or resume", fallback = "start_session") RunKind type,
        @Field(value = "short for parameters {\"prompt\": …}", example = "draft the plan")
                @Nullable String prompt,
        @Field(value = "the parameters of the blueprint", bytes = Sizes.PARAMETERS_BYTES_MAX)
                @Nullable JsonNode parameters,
        @Field("the session; made up if absent, required to resume") @Nullable String sessionId,
        @Field("its name; made up if absent, resumes by name without an id")
                @Nullable String sessionName,
        @Field("why the session exists; main for a root, else subagent")
                @Nullable SessionKind sessionType,
        @Field(value = "the blueprint; scripted if absent", chars = Sizes.LABEL_CHARS_MAX)
                @Nullable String agentName,
        @Field(value = "the directory to work in", chars = Sizes.PATH_CHARS_MAX)
                @Nullable String projectDir,
        @Field(value = "the program that asks", chars = Sizes.LABEL_CHARS_MAX)
                @Nullable String sourceApp,
        @Field("the id of the parent") @Nullable String parentSessionId,
        @Field("the name of the parent; the id wins") @Nullable String parentSessionName,
        @Field(value = "how the parent learns of the end", fallback = "sync")
                ExecutionMode executionMode,
        @Field("what the runner must have, besides the blueprint's demands")
                @Nullable DemandsView additionalDemands,
        @Field(value = "values passed on to children", bytes = Sizes.METADATA_BYTES_MAX)
                @Nullable JsonNode scope,
        @Field(value = "anything known of the session", bytes = Sizes.METADATA_BYTES_MAX)
                @Nullable JsonNode metadata,
        @Field("how far the tree of the session may grow") @Nullable LimitsView limits,
        @Field("what happens to the session when its parent ends")
                @Nullable OnParentEnd onParentEnd,
        @Field("what the session and all below it may spend") @Nullable BudgetRequest budget,
        @Inline Patience patience) {
    /** A session to start with a prompt, which nobody waits for. */
    public static StartRunRequest of(
            @Nullable String name, @Nullable String blueprint, String prompt) {
        return new StartRunRequest(
                RunKind.START_SESSION,
                prompt,
                null,
                null,
                name,
                null,
                blueprint,
                null,
                null,
                null,
                null,
                ExecutionMode.ASYNC_POLL,
                null,
                null,
                null,
                null,
                null,
                null,
                Patience.NONE);
    }

    /** A session to resume with a prompt, which nobody waits for. */
    public static StartRunRequest resume(String session, String prompt) {
        var start = of(null, null, prompt);
        return start.copy(RunKind.RESUME_SESSION, session, null, start.executionMode());
    }

    /** The same in a directory. */
    public StartRunRequest in(@Nullable String directory) {
        return copy(type, sessionId, directory, executionMode);
    }

    /** The same in another mode. */
    public StartRunRequest as(ExecutionMode mode) {
        return copy(type, sessionId, projectDir, mode);
    }

    private StartRunRequest copy(
            RunKind kind,
            @Nullable String session,
            @Nullable String directory,
            ExecutionMode mode) {
        return new StartRunRequest(
                kind,
                prompt,
                parameters,
                session,
                sessionName,
                sessionType,
                agentName,
                directory,
                sourceApp,
                parentSessionId,
                parentSessionName,
                mode,
                additionalDemands,
                scope,
                metadata,
                limits,
                onParentEnd,
                budget,
                patience);
    }
}
