package dev.coppice.run;

import java.util.List;

/** The word for a run's state, the same in SQL, JSON, commands and pages. */
public final class RunWord {
    public static final List<String> LIVE =
            List.of("queued", "hooked", "claimed", "running", "stopping");
    public static final List<String> ENDED =
            List.of("finished", "failed", "stopped", "timed_out", "lost");

    private RunWord() {}

    public static String of(RunState state) {
        return switch (state) {
            case RunState.Queued _ -> "queued";
            case RunState.Hooked _ -> "hooked";
            case RunState.Claimed _ -> "claimed";
            case RunState.Running _ -> "running";
            case RunState.Stopping _ -> "stopping";
            case RunState.Finished _ -> "finished";
            case RunState.Failed _ -> "failed";
            case RunState.Stopped _ -> "stopped";
            case RunState.TimedOut _ -> "timed_out";
            case RunState.Lost _ -> "lost";
        };
    }
}
