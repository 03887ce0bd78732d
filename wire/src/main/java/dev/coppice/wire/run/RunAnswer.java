package dev.coppice.wire.run;

/** What is known of a run that was started: that it is, how it ended, or that it is gone. */
public sealed interface RunAnswer permits StartedView, RunView, RunGone {
    String runId();

    String status();
}
