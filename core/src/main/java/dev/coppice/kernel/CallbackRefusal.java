package dev.coppice.kernel;

/** Refusals about callbacks, joins and messages. */
public sealed interface CallbackRefusal extends Refusal {
    record CallbackUnknown(String callback) implements CallbackRefusal {
        @Override
        public String said() {
            return "Callback not found: '%s'".formatted(callback);
        }
    }

    record JoinUnknown(String join) implements CallbackRefusal {
        @Override
        public String said() {
            return "Join not found: '%s'".formatted(join);
        }
    }

    record NotDead(String callback, String state) implements CallbackRefusal {
        @Override
        public String said() {
            return "Callback '%s' is '%s'; only a dead or owed callback can be delivered again"
                    .formatted(callback, state);
        }
    }

    record NotLiving(SessionId session, String as) implements CallbackRefusal {
        @Override
        public String said() {
            return "Session '%s' is '%s' and takes no messages".formatted(session, as);
        }
    }

    record NothingToWaitFor(SessionId session, String why) implements CallbackRefusal {
        @Override
        public String said() {
            return "Session '%s' cannot be waited for: %s".formatted(session, why);
        }
    }
}
