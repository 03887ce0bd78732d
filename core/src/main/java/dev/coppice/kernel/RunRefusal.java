package dev.coppice.kernel;

/** Refusals about runs and runners. */
public sealed interface RunRefusal extends Refusal {
    record RunUnknown(String run) implements RunRefusal {}

    /** A resume names no session. */
    record SessionNotNamed() implements RunRefusal {}

    record RunHasEnded(RunId run, String as) implements RunRefusal {}

    record LeaseLost(RunId run, RunnerId by) implements RunRefusal {}

    record RunnerUnknown(String runner) implements RunRefusal {}

    record RunnerTwin(RunnerId runner) implements RunRefusal {}
}
