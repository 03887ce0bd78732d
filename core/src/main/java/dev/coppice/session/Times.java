package dev.coppice.session;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;

/** The times at which a session was created, first ran, was last resumed, and ended. */
public record Times(
        Instant created,
        @Nullable Instant started,
        @Nullable Instant resumed,
        @Nullable Instant ended) {
    static Times createdAt(Instant at) {
        return new Times(at, null, null, null);
    }

    /** Returns the time from the first start to the last end; null while the session is live. */
    public @Nullable Duration duration() {
        return ended == null ? null : Duration.between(started == null ? created : started, ended);
    }

    Times startedBy(Instant at) {
        return started != null && !started.isAfter(at)
                ? this
                : new Times(created, at, resumed, ended);
    }

    Times after(SessionState state) {
        return switch (state) {
            case SessionState.Running(var at) ->
                    new Times(created, started == null ? at : started, resumed, null);
            case SessionState.Ended end -> new Times(created, started, resumed, end.since());
            case SessionState.Pending(var at) ->
                    ended == null ? this : new Times(created, started, at, null);
            case SessionState.Idle _, SessionState.Stopping _ -> this;
        };
    }
}
