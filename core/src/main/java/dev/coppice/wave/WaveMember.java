package dev.coppice.wave;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/** A session of a wave, with what it and all below it have spent. */
public record WaveMember(
        SessionId session,
        String name,
        @Nullable String phase,
        String state,
        @Nullable String reason,
        Span span,
        long tokens,
        long costMicros) {

    /** The times of its start and its end. Each is null until then. */
    public record Span(@Nullable Instant start, @Nullable Instant end) {
        Duration length(Instant now) {
            if (start == null) return Duration.ZERO;
            var until = end == null ? now : end;
            return until.isBefore(start) ? Duration.ZERO : Duration.between(start, until);
        }
    }

    /** The progress of a started member. */
    public enum Progress {
        BUSY,
        DONE,
        FAILED
    }

    /** An idle session has done its work, although its program is still there. */
    public Progress progress() {
        return progress(state);
    }

    static Progress progress(String state) {
        return switch (state) {
            case "pending", "running", "stopping" -> Progress.BUSY;
            case "idle", "finished" -> Progress.DONE;
            default -> Progress.FAILED;
        };
    }
}
