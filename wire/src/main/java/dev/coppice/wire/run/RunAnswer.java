package dev.coppice.wire.run;

/** The answer to the start or the read of a run: started, the run itself, or gone. */
public sealed interface RunAnswer permits StartedView, RunView, RunGone {
    String runId();

    String status();
}
