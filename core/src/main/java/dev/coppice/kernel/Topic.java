package dev.coppice.kernel;

/**
 * A reason to wake a waiting thread. A signal is only a hint, sent after the commit: the woken
 * thread reads the store, so a lost signal costs time, but never a wrong result.
 */
public sealed interface Topic {
    /** The journal has new entries. */
    record JournalGrew() implements Topic {}

    /** A session was saved; its state may have changed. */
    record SessionSaved() implements Topic {}

    /** Runs that were held back may be claimed now. */
    record WorkWaits() implements Topic {}

    /** A run with these demands was queued; one runner that meets them is enough. */
    record RunQueued(Demands demands) implements Topic {}

    /** This runner has room again for runs that are already queued. */
    record RunnerHasRoom(RunnerId runner) implements Topic {}

    /** A run on this runner is to be stopped. */
    record StopWanted(RunnerId runner) implements Topic {}

    /** This question of a program is settled. */
    record AskSettled(String ask) implements Topic {}

    /** A callback may be due for delivery to a session. */
    record CallbackDue() implements Topic {}

    /** A message was sent to this session. */
    record MessageSent(SessionId to) implements Topic {}

    /** The runs that this runner must suspend have changed. */
    record FreezeWanted(RunnerId runner) implements Topic {}

    /** A part of an output on this runner was requested. */
    record OutputWanted(RunnerId runner) implements Topic {}

    /** This stop of a tree is over. */
    record StopOver(String stop) implements Topic {}

    /** A member of a wave may be due to start. */
    record WaveDue() implements Topic {}

    /** A hook of a run may be due to start, or has ended. */
    record HookDue() implements Topic {}

    /** A removal may have a step to do. */
    record RemovalDue() implements Topic {}

    /** This removal has changed its state. */
    record RemovalMoved(String removal) implements Topic {}

    /** A directory task waits for a runner. */
    record TaskWaits() implements Topic {}

    /** A directory task is over. */
    record TaskOver() implements Topic {}

    /** This run has ended. */
    record RunOver(RunId run) implements Topic {}
}
