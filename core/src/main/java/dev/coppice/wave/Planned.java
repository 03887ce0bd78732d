package dev.coppice.wave;

import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/**
 * A member that a wave starts, and the request for its run. It starts below the session of the
 * member {@code below}, and after all members in {@code follows} have finished.
 */
public record Planned(
        String name,
        @Nullable String phase,
        @Nullable String below,
        List<String> follows,
        JsonText run,
        Fate fate) {
    public Planned {
        follows = List.copyOf(follows);
    }

    /** The fate of a member: its session if it was started, or the reason if it never will be. */
    public record Fate(
            State state, @Nullable SessionId session, Instant since, @Nullable String why) {
        public static Fate waiting(Instant now) {
            return new Fate(State.WAITING, null, now, null);
        }
    }

    public enum State {
        WAITING,
        STARTED,
        REFUSED,
        SKIPPED,
        CANCELLED
    }

    Planned running(JsonText what) {
        return new Planned(name, phase, below, follows, what, fate);
    }

    boolean isWaiting() {
        return fate.state() == State.WAITING;
    }
}
