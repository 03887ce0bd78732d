package dev.coppice.session;

import java.util.List;
import java.util.Set;

/** The word for a session's state, the same in SQL, JSON, commands and pages. */
public final class StateWord {
    public static final List<String> ALL =
            List.of(
                    "pending",
                    "running",
                    "idle",
                    "stopping",
                    "finished",
                    "failed",
                    "stopped",
                    "timed_out",
                    "lost");
    public static final List<String> ALIVE = ALL.subList(0, 4);

    /** The ended states that a person should know of. */
    public static final Set<String> FAILED = Set.of("failed", "timed_out", "lost");

    private StateWord() {}

    public static String of(SessionState state) {
        return switch (state) {
            case SessionState.Pending _ -> "pending";
            case SessionState.Running _ -> "running";
            case SessionState.Idle _ -> "idle";
            case SessionState.Stopping _ -> "stopping";
            case SessionState.Finished _ -> "finished";
            case SessionState.Failed _ -> "failed";
            case SessionState.Stopped _ -> "stopped";
            case SessionState.TimedOut _ -> "timed_out";
            case SessionState.Lost _ -> "lost";
        };
    }
}
