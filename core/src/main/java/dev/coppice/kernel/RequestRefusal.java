package dev.coppice.kernel;

/** What is wrong with a request itself, or with who makes it. */
public sealed interface RequestRefusal extends Refusal {
    record BadValue(String field, String value, String rule) implements RequestRefusal {
        @Override
        public String said() {
            var shown = value.length() > 120 ? value.substring(0, 120) + "…" : value;
            return "%s is not valid: '%s'; it must be %s".formatted(field, shown, rule);
        }

        @Override
        public String advice() {
            return "Send " + field + " as described and try again.";
        }
    }

    record TooLarge(String field, long size, long limit) implements RequestRefusal {
        @Override
        public String said() {
            return "%s is too large: %d bytes, the limit is %d".formatted(field, size, limit);
        }

        @Override
        public String advice() {
            return "Send less, or keep the content in a file and send its path.";
        }
    }

    /** {@code setBy} is a session's name, or the coordinator itself for what nobody set. */
    record LimitReached(String limit, long value, long wanted, String setBy)
            implements RequestRefusal {
        public static final String COORDINATOR = "the coordinator";

        @Override
        public String said() {
            var rule = "The limit %s = %d, set by %s, would be passed: ";
            var what = isOfBytes() ? "the tree would have %d bytes" : "this would be number %d";
            return (rule + what).formatted(limit, value, setBy, wanted);
        }

        @Override
        public String advice() {
            return isOfBytes()
                    ? "Remove sessions of this tree that are done, begin another tree, or have the"
                            + " limit raised where it was set."
                    : "Wait for something to end, or have the limit raised where it was set.";
        }

        private boolean isOfBytes() {
            return limit.endsWith("_bytes");
        }
    }

    record TooMany(String what, int limit) implements RequestRefusal {
        @Override
        public String said() {
            return "This token has too many %s open at once; the limit is %d"
                    .formatted(what, limit);
        }

        @Override
        public String advice() {
            return "Close one, or wait until one has ended, and try again.";
        }
    }

    record KeyUsedOtherwise(String key) implements RequestRefusal {
        @Override
        public String said() {
            return "Idempotency-Key '" + key + "' was used with another request";
        }

        @Override
        public String advice() {
            return "Use a new key for a new request; the same key repeats the same one.";
        }
    }

    record NotAllowed(String what) implements RequestRefusal {
        @Override
        public String said() {
            return "Not allowed: " + what;
        }

        @Override
        public String advice() {
            return "Ask someone with a role that may, or use the token of a session above.";
        }
    }

    record NotOffered(String what) implements RequestRefusal {
        @Override
        public String said() {
            return what + " is not offered by this version of Coppice";
        }

        @Override
        public String advice() {
            return "See the CHANGELOG for what is planned.";
        }
    }

    record BudgetSpent(String kind, long max, long spent, SessionId setBy)
            implements RequestRefusal {
        @Override
        public String said() {
            return "The budget %s = %d of session %s is spent: %d"
                    .formatted(kind, max, setBy, spent);
        }

        @Override
        public String advice() {
            return "Raise it with PUT /sessions/%s/budget or 'coppice budget'.".formatted(setBy);
        }
    }
}
