package dev.coppice.kernel;

import java.util.regex.Pattern;

/** The id of a session for its whole life. Callers may choose it; agents' tools often do. */
public record SessionId(String value) {
    public static final String RULE = "1 to 100 of A-Z a-z 0-9 _ . : - and not '.' or '..'";
    private static final Pattern SHAPE = Pattern.compile("(?!\\.{1,2}$)[A-Za-z0-9_.:-]{1,100}");

    public SessionId {
        if (!isValid(value)) {
            throw new IllegalArgumentException("not a session id: '" + value + "'");
        }
    }

    public static boolean isValid(String value) {
        return SHAPE.matcher(value).matches();
    }

    public static SessionId made(Ids ids) {
        return new SessionId("ses_" + ids.twelveHex());
    }

    @Override
    public String toString() {
        return value;
    }
}
