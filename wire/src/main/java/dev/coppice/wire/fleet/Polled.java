package dev.coppice.wire.fleet;

import com.fasterxml.jackson.annotation.JsonInclude;

import dev.coppice.wire.Call;
import dev.coppice.wire.Field;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.stream.Stream;

/** Work for a runner, of one kind; 204 if there is none. */
public sealed interface Polled extends Call.WithStatus {
    @Override
    default int httpStatus() {
        return 200;
    }

    /** Runs to start. */
    record Runs(
            @Field("a run to start") ClaimedRun run,
            @JsonInclude(JsonInclude.Include.NON_NULL)
                    @Field("further runs to start, if more than one was asked for")
                    @Nullable List<ClaimedRun> more)
            implements Polled {
        /** {@code all} has at least one. */
        public static Runs of(List<ClaimedRun> all) {
            return new Runs(all.getFirst(), all.size() == 1 ? null : all.subList(1, all.size()));
        }

        public List<ClaimedRun> all() {
            return more == null
                    ? List.of(run)
                    : Stream.concat(Stream.of(run), more.stream()).toList();
        }
    }

    record Stops(@Field("runs to stop") List<StopOrder> stops) implements Polled {}

    record Tasks(@Field("directory tasks") List<DirectoryTaskOrder> tasks) implements Polled {}

    record Outputs(@Field("parts of outputs to send") List<OutputOrder> outputs)
            implements Polled {}

    /** A heartbeat is wanted; the answer to that lists frozen runs. */
    record Renew(@Field("true to send a heartbeat at once") boolean renew) implements Polled {
        public static final Renew NOW = new Renew(true);
    }

    record Nothing() implements Polled {
        @Override
        public int httpStatus() {
            return 204;
        }
    }
}
