package dev.coppice.kernel;

/**
 * Something worth waking up for. A signal is only a hint, sent after the commit: whoever wakes
 * looks at the store, and a lost signal costs time, never truth.
 */
public sealed interface Topic {
    /** The journal has new entries. */
    record JournalGrew() implements Topic {}

    /** A run was queued, or a runner has room again. */
    record WorkWaits() implements Topic {}

    /** A run on this runner is to be stopped. */
    record StopWanted(RunnerId runner) implements Topic {}

    /** Something may be due to be delivered to a session. */
    record CallbackDue() implements Topic {}

    /** What this runner shall suspend has changed. */
    record FreezeWanted(RunnerId runner) implements Topic {}

    /** This stop of a tree is over. */
    record StopOver(String stop) implements Topic {}

    /** Something is to be done for a removal. */
    record RemovalDue() implements Topic {}

    /** This removal has moved on. */
    record RemovalMoved(String removal) implements Topic {}

    /** Something is to be done with directories on a host. */
    record ErrandWaits() implements Topic {}

    /** Something that was to be done with directories is done. */
    record ErrandOver() implements Topic {}

    /** This run has ended. */
    record RunOver(RunId run) implements Topic {}
}
