package dev.coppice.originals.runner;

import com.fasterxml.jackson.annotation.JsonInclude;

import dev.coppice.wire.Call;
import dev.coppice.wire.Field;
import dev.coppice.wire.fleet.ClaimedRun;
import dev.coppice.wire.fleet.DirectoryTaskOrder;
import dev.coppice.wire.fleet.OutputOrder;
import dev.coppice.wire.fleet.Polled;
import dev.coppice.wire.fleet.StopOrder;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Work for a runner, all kinds in one record; 204 if there is none. */
@JsonInclude(JsonInclude.Include.NON_NULL)
record FlatPolled(
        @Field("a run to start") @Nullable ClaimedRun run,
        @Field("further runs to start, if more than one was asked for")
                @Nullable List<ClaimedRun> more,
        @Field("sessions to stop, for the original's runners") @Nullable List<String> stopSessions,
        @Field("runs to stop") @Nullable List<StopOrder> stops,
        @Field("directory tasks") @Nullable List<DirectoryTaskOrder> tasks,
        @Field("parts of outputs to send") @Nullable List<OutputOrder> outputs,
        @Field("true to send a heartbeat at once") @Nullable Boolean renew,
        @Field("true if an original's runner was removed, and shall end")
                @Nullable Boolean deregistered,
        @Field("scripts to download, for the original's procedural runners")
                @Nullable List<String> syncScripts,
        @Field("scripts to delete, for the original's procedural runners")
                @Nullable List<String> removeScripts)
        implements Call.WithStatus {
    static final FlatPolled DEREGISTERED =
            new FlatPolled(null, null, null, null, null, null, null, true, null, null);
    private static final FlatPolled NOTHING =
            new FlatPolled(null, null, null, null, null, null, null, null, null, null);

    static FlatPolled scripts(List<String> changed, List<String> gone) {
        return new FlatPolled(null, null, null, null, null, null, null, null, changed, gone);
    }

    static FlatPolled of(Polled work) {
        return switch (work) {
            case Polled.Runs(var run, var more) ->
                    new FlatPolled(run, more, null, null, null, null, null, null, null, null);
            case Polled.Stops(var stops) -> {
                var sessions = stops.stream().map(StopOrder::sessionId).toList();
                yield new FlatPolled(
                        null, null, sessions, stops, null, null, null, null, null, null);
            }
            case Polled.Tasks(var tasks) ->
                    new FlatPolled(null, null, null, null, tasks, null, null, null, null, null);
            case Polled.Outputs(var outputs) ->
                    new FlatPolled(null, null, null, null, null, outputs, null, null, null, null);
            case Polled.Renew _ ->
                    new FlatPolled(null, null, null, null, null, null, true, null, null, null);
            case Polled.Nothing _ -> NOTHING;
        };
    }

    @Override
    public int httpStatus() {
        return equals(NOTHING) ? 204 : 200;
    }
}
