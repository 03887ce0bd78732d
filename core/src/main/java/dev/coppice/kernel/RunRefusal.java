package dev.coppice.kernel;

/** What forbids something to a run, or to the runner that has it. */
public sealed interface RunRefusal extends Refusal {
    record RunUnknown(String run) implements RunRefusal {
        @Override
        public String said() {
            return "Run not found: " + run;
        }

        @Override
        public String advice() {
            return "List the runs you may see with GET /runs.";
        }
    }

    record RunHasEnded(RunId run, String as) implements RunRefusal {
        @Override
        public String said() {
            return "Run %s has already ended as %s".formatted(run, as);
        }

        @Override
        public String advice() {
            return "An ended run stays ended; stop working on it.";
        }
    }

    record LeaseLost(RunId run, RunnerId by) implements RunRefusal {
        @Override
        public String said() {
            return "Runner %s does not hold the live lease of run %s".formatted(by, run);
        }

        @Override
        public String advice() {
            return "End the agent's processes for this run; another may have taken it over.";
        }
    }

    record RunnerUnknown(String runner) implements RunRefusal {
        @Override
        public String said() {
            return "Runner not registered: " + runner;
        }

        @Override
        public String advice() {
            return "Register with POST /runner/register and go on.";
        }
    }

    record RunnerTwin(RunnerId runner) implements RunRefusal {
        @Override
        public String said() {
            return "Runner %s is already online with the same host, directory and profile"
                    .formatted(runner);
        }

        @Override
        public String advice() {
            return "Stop the other one, or start this one with another profile or directory.";
        }
    }
}
