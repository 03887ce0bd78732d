package dev.coppice.wire.fleet;

import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/** A report of a runner about a run. The fence shows that the runner still holds it. */
public sealed interface RunReport {
    String runId();

    String runnerId();

    long fence();

    /** The claim is confirmed; the process may start. */
    record Started(
            @Field(value = "the run", example = Descriptions.RUN_ID) String runId,
            @Field("the runner that holds it") String runnerId,
            @Field("the fence of its claim") long fence,
            @Field("where the agent works") @Nullable Workplace workplace)
            implements RunReport {}

    /** The run is done. */
    record Completed(
            @Field(value = "the run", example = Descriptions.RUN_ID) String runId,
            @Field("the runner that holds it") String runnerId,
            @Field("the fence of its claim") long fence,
            @Field("idle if the program stays") @Nullable String sessionStatus,
            @Field("the result as text") @Nullable String resultText,
            @Field("the result as data") @Nullable JsonNode resultData,
            @Field("1 after a correction, else 0; absent if the agent takes none")
                    @Nullable Integer attempt,
            @Field("the bytes of its output") @Nullable Long outputBytes)
            implements RunReport {}

    /** The run failed. */
    record Failed(
            @Field(value = "the run", example = Descriptions.RUN_ID) String runId,
            @Field("the runner that holds it") String runnerId,
            @Field("the fence of its claim") long fence,
            @Field("why") @Nullable String error,
            @Field("the bytes of its output") @Nullable Long outputBytes)
            implements RunReport {}

    /** The run was stopped. */
    record Stopped(
            @Field(value = "the run", example = Descriptions.RUN_ID) String runId,
            @Field("the runner that holds it") String runnerId,
            @Field("the fence of its claim") long fence,
            @Field("the signal that ended it") @Nullable String signal,
            @Field("the bytes of its output") @Nullable Long outputBytes)
            implements RunReport {}

    /** The directory of the agent, whether the runner created it, and the place of its output. */
    record Workplace(String directory, boolean made, String outputs) {}
}
