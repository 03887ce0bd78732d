package dev.coppice.kernel;

import java.util.List;

/** Refusals because of the request itself or its caller. */
public sealed interface RequestRefusal extends Refusal {
    record BadValue(String field, String value, String rule) implements RequestRefusal {}

    /** {@code known} are the fields that can stand in its place. */
    record FieldUnknown(String field, List<String> known) implements RequestRefusal {
        public FieldUnknown {
            known = List.copyOf(known);
        }
    }

    record TooLarge(String field, long size, long limit) implements RequestRefusal {}

    /** {@code setBy} is the session that has the limit, or the coordinator for a default. */
    record LimitReached(String limit, long value, long wanted, String setBy)
            implements RequestRefusal {
        public static final String COORDINATOR = "the coordinator";

        public boolean isOfBytes() {
            return limit.endsWith("_bytes");
        }
    }

    record TooMany(String what, int limit) implements RequestRefusal {}

    record TooOften(String what, int anHour) implements RequestRefusal {}

    record TokenUnknown(String token) implements RequestRefusal {}

    /** The code of a sign-in link was used, has expired, or is of another coordinator. */
    record SignInUnknown() implements RequestRefusal {}

    record TooManyTokens(int limit) implements RequestRefusal {}

    record KeyUsedOtherwise(String key) implements RequestRefusal {}

    record NotAllowed(String what) implements RequestRefusal {}

    record BudgetSpent(String kind, long max, long spent, SessionId setBy)
            implements RequestRefusal {}
}
