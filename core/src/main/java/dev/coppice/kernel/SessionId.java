package dev.coppice.kernel;

/** The id of a session for its whole life. Callers may choose it; agents' tools often do. */
public record SessionId(String value) {
    public static final String RULE = "1 to 100 of A-Z a-z 0-9 _ . : - and not '.' or '..'";
    private static final int CHARS_MAX = 100;

    public SessionId {
        if (!isValid(value)) {
            throw new IllegalArgumentException("not a session id: '" + value + "'");
        }
    }

    public static boolean isValid(String value) {
        if (value.isEmpty() || value.length() > CHARS_MAX) return false;
        // Not an expression: this runs for every event.
        for (int i = 0; i < value.length(); i++) if (!isAllowed(value.charAt(i))) return false;
        return !value.equals(".") && !value.equals("..");
    }

    private static boolean isAllowed(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || "_.:-".indexOf(c) >= 0;
    }

    public static SessionId made(Ids ids) {
        return new SessionId("ses_" + ids.twelveHex());
    }

    @Override
    public String toString() {
        return value;
    }
}
