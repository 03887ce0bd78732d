package dev.coppice.kernel;

/** Refusals about runs and runners. */
public sealed interface RunRefusal extends Refusal {
    record RunUnknown(String run) implements RunRefusal {
        @Override
        public String said() {
            return "Run not found: '%s'".formatted(run);
        }
    }

    /** A resume names no session. Older clients compare the sentence. */
    record SessionNotNamed() implements RunRefusal {
        @Override
        public String said() {
            return "session_id is required for resume_session";
        }
    }

    record RunHasEnded(RunId run, String as) implements RunRefusal {
        @Override
        public String said() {
            return "Run '%s' has already ended as '%s'".formatted(run, as);
        }
    }

    record LeaseLost(RunId run, RunnerId by) implements RunRefusal {
        @Override
        public String said() {
            return "Runner '%s' does not hold the live lease of run '%s'".formatted(by, run);
        }
    }

    record RunnerUnknown(String runner) implements RunRefusal {
        @Override
        public String said() {
            return "Runner not registered: '%s'".formatted(runner);
        }
    }

    record RunnerTwin(RunnerId runner) implements RunRefusal {
        @Override
        public String said() {
            return "Runner '%s' is already online with the same host, directory and profile"
                    .formatted(runner);
        }
    }
}
