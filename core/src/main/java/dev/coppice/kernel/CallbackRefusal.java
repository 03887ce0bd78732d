package dev.coppice.kernel;

/** What forbids something to a callback, a join or a message. */
public sealed interface CallbackRefusal extends Refusal {
    record CallbackUnknown(String callback) implements CallbackRefusal {
        @Override
        public String said() {
            return "Callback not found: " + callback;
        }

        @Override
        public String advice() {
            return "List the callbacks you may see with GET /callbacks or 'coppice callbacks'.";
        }
    }

    record JoinUnknown(String join) implements CallbackRefusal {
        @Override
        public String said() {
            return "Join not found: " + join;
        }

        @Override
        public String advice() {
            return "Its id was in the answer that opened it.";
        }
    }

    record NotDead(String callback, String state) implements CallbackRefusal {
        @Override
        public String said() {
            return "Callback %s is %s; only one that is dead or owed can be delivered again"
                    .formatted(callback, state);
        }

        @Override
        public String advice() {
            return "Resume its session: what is held for it is delivered when its run has ended.";
        }
    }

    record NotLiving(SessionId session, String as) implements CallbackRefusal {
        @Override
        public String said() {
            return "Session %s is %s and takes no messages".formatted(session, as);
        }

        @Override
        public String advice() {
            return "Resume it with a prompt: POST /runs with type resume_session.";
        }
    }

    record NothingToWaitFor(SessionId session, String why) implements CallbackRefusal {
        @Override
        public String said() {
            return "Session %s cannot be waited for: %s".formatted(session, why);
        }

        @Override
        public String advice() {
            return "Name children of the session that waits, each with a run.";
        }
    }
}
