package dev.coppice.wire.run;

import dev.coppice.wire.Field;
import dev.coppice.wire.Inline;
import dev.coppice.wire.Patience;
import dev.coppice.wire.Sizes;
import dev.coppice.wire.budget.BudgetRequest;
import dev.coppice.wire.session.LimitsView;
import dev.coppice.word.ExecutionMode;
import dev.coppice.word.OnParentEnd;
import dev.coppice.word.RunType;
import dev.coppice.word.SessionType;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/** A session to start with a run, or to resume. */
public record StartRunRequest(
        @Field(value = "start a session or resume one", fallback = "start_session") RunType type,
        @Field(value = "short for parameters {\"prompt\": …}", example = "draft the plan")
                @Nullable String prompt,
        @Field(value = "the parameters of the blueprint", bytes = Sizes.PARAMETERS_BYTES_MAX)
                @Nullable JsonNode parameters,
        @Field("the session id; generated if absent, except to resume") @Nullable String sessionId,
        @Field("its name; generated if absent; to resume, used without an id")
                @Nullable String sessionName,
        @Field("the role of the session; by default main for a root, else subagent")
                @Nullable SessionType sessionType,
        @Field(value = "the blueprint; scripted if absent", chars = Sizes.LABEL_CHARS_MAX)
                @Nullable String agentName,
        @Field(value = "the directory to work in", chars = Sizes.PATH_CHARS_MAX)
                @Nullable String projectDir,
        @Field(value = "the program that sends the request", chars = Sizes.LABEL_CHARS_MAX)
                @Nullable String sourceApp,
        @Field("the id of the parent") @Nullable String parentSessionId,
        @Field("the name of the parent; the id wins") @Nullable String parentSessionName,
        @Field(value = "how the parent learns of the end", fallback = "sync")
                ExecutionMode executionMode,
        @Field("demands on the runner, besides those of the blueprint")
                @Nullable DemandsView additionalDemands,
        @Field(value = "values that are passed on to children", bytes = Sizes.METADATA_BYTES_MAX)
                @Nullable JsonNode scope,
        @Field(value = "arbitrary data about the session", bytes = Sizes.METADATA_BYTES_MAX)
                @Nullable JsonNode metadata,
        @Field("limits of the tree of the session") @Nullable LimitsView limits,
        @Field("the policy for the session when its parent ends") @Nullable OnParentEnd onParentEnd,
        @Field("the budget of the session and all below it") @Nullable BudgetRequest budget,
        @Field(
                        value = "the wave that the session belongs to; a new id declares a wave",
                        chars = Sizes.LABEL_CHARS_MAX)
                @Nullable String waveId,
        @Field(
                        value = "begin a new conversation of the program; only to resume",
                        fallback = "false")
                boolean afresh,
        @Inline Patience patience) {
    /** The request to start a session with a prompt, without waiting for its end. */
    public static StartRunRequest of(
            @Nullable String name, @Nullable String blueprint, String prompt) {
        return new StartRunRequest(
                RunType.START_SESSION,
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
                null,
                false,
                Patience.NONE);
    }

    /** The request to resume a session with a prompt, without waiting for its end. */
    public static StartRunRequest resume(String session, String prompt) {
        var start = of(null, null, prompt);
        return start.copy(RunType.RESUME_SESSION, session, null, null, start.executionMode());
    }

    /** A copy with a directory. */
    public StartRunRequest in(@Nullable String directory) {
        return copy(type, sessionId, sessionName, directory, executionMode);
    }

    /** A copy with another name; null lets the coordinator choose one. */
    public StartRunRequest named(@Nullable String name) {
        return copy(type, sessionId, name, projectDir, executionMode);
    }

    /** A copy with another mode. */
    public StartRunRequest as(ExecutionMode mode) {
        return copy(type, sessionId, sessionName, projectDir, mode);
    }

    private StartRunRequest copy(
            RunType kind,
            @Nullable String session,
            @Nullable String name,
            @Nullable String directory,
            ExecutionMode mode) {
        return new StartRunRequest(
                kind,
                prompt,
                parameters,
                session,
                name,
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
                waveId,
                afresh,
                patience);
    }
}
