package dev.coppice.kernel;

import java.math.BigDecimal;
import java.util.List;

/** Refusals because of the request itself or its caller. */
public sealed interface RequestRefusal extends Refusal {
    record BadValue(String field, String value, String rule) implements RequestRefusal {
        private static final int SHOWN_CHARS_MAX = 120;

        @Override
        public String said() {
            return "'%s' is not valid: '%s'; it must be %s".formatted(field, shown(value), rule);
        }

        private static String shown(String text) {
            return text.length() > SHOWN_CHARS_MAX
                    ? text.substring(0, SHOWN_CHARS_MAX) + "…"
                    : text;
        }
    }

    /** {@code known} are the valid fields. */
    record FieldUnknown(String field, List<String> known) implements RequestRefusal {
        public FieldUnknown {
            known = List.copyOf(known);
        }

        @Override
        public String said() {
            return "Unknown field '%s'; %s"
                    .formatted(
                            BadValue.shown(field),
                            known.isEmpty()
                                    ? "this request has no fields"
                                    : "the fields are " + Refusal.quoted(known));
        }
    }

    record TooLarge(String field, long size, long limit) implements RequestRefusal {
        @Override
        public String said() {
            return "'%s' is too large: %s; the limit is %s"
                    .formatted(
                            field,
                            Counted.of(size, "byte", "bytes"),
                            Counted.of(limit, "byte", "bytes"));
        }
    }

    /** {@code setBy} is the session that has the limit, or the coordinator for a default. */
    record LimitReached(String limit, long value, long wanted, String setBy)
            implements RequestRefusal {
        public static final String COORDINATOR = "the coordinator";

        @Override
        public String said() {
            return "The limit '%s' of %s, set by %s, would be exceeded: there would be %s"
                    .formatted(limit, counted(value), setBy, counted(wanted));
        }

        private String counted(long n) {
            return switch (limit) {
                case "depth" -> Counted.of(n, "level", "levels");
                case "children" -> Counted.of(n, "live child", "live children");
                case "descendants", "messages", "runs" ->
                        Counted.of(n, limit.substring(0, limit.length() - 1), limit);
                default -> Counted.of(n, "byte", "bytes");
            };
        }
    }

    /** {@code what} names what is counted, and its owner. */
    record TooMany(String what, int limit) implements RequestRefusal {
        @Override
        public String said() {
            return "Too many %s; the limit is %d".formatted(what, limit);
        }
    }

    record TooOften(String what, int anHour) implements RequestRefusal {
        @Override
        public String said() {
            return "This agent made too many requests '%s'; the limit is %d requests an hour"
                    .formatted(what, anHour);
        }
    }

    record TokenUnknown(String token) implements RequestRefusal {
        @Override
        public String said() {
            return "Token not found: '%s'".formatted(token);
        }
    }

    /** The code of a sign-in link was used, has expired, or is of another coordinator. */
    record SignInUnknown() implements RequestRefusal {
        @Override
        public String said() {
            return "This sign-in link is not valid: it was used, or is older than 10 minutes";
        }
    }

    /** The code of an invitation was used, has expired, or is of another coordinator. */
    record InviteUnknown() implements RequestRefusal {
        @Override
        public String said() {
            return "This invitation is not valid: it was used, has expired, or was made before the"
                    + " coordinator started";
        }
    }

    /** Both name the version and the step of the protocol. */
    record VersionsTooFarApart(String runner, String coordinator) implements RequestRefusal {
        @Override
        public String said() {
            return "This runner is %s, and the coordinator is %s; they may be one step apart"
                    .formatted(runner, coordinator);
        }
    }

    record TooManyTokens(int limit) implements RequestRefusal {
        @Override
        public String said() {
            return "No token was created: there are %d valid tokens, which is the limit"
                    .formatted(limit);
        }
    }

    record KeyUsedOtherwise(String key) implements RequestRefusal {
        @Override
        public String said() {
            return "The idempotency key '%s' was used with another request".formatted(key);
        }
    }

    record NotAllowed(String what) implements RequestRefusal {
        @Override
        public String said() {
            return "Not allowed: " + what;
        }
    }

    record BudgetSpent(String kind, long max, long spent, SessionId setBy)
            implements RequestRefusal {
        @Override
        public String said() {
            return "The budget of session '%s' is spent: %s of %s used"
                    .formatted(setBy, amount(spent), amount(max) + " " + unit());
        }

        private String unit() {
            return switch (kind) {
                case "cost_micros" -> "dollars";
                case "wall_millis" -> "seconds";
                default -> kind;
            };
        }

        private String amount(long n) {
            return switch (kind) {
                case "cost_micros" -> withDecimals(BigDecimal.valueOf(n, 6), 2);
                case "wall_millis" -> withDecimals(BigDecimal.valueOf(n, 3), 0);
                default -> Long.toString(n);
            };
        }

        /** Returns the exact number, with at least this many decimals. */
        private static String withDecimals(BigDecimal number, int min) {
            var exact = number.stripTrailingZeros();
            return exact.setScale(Math.max(min, exact.scale())).toPlainString();
        }
    }
}
