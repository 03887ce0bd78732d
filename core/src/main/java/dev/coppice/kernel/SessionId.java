package dev.coppice.kernel;

import java.util.Optional;

/**
 * The id of a session for its whole life. Callers may choose it; agents' tools often do. The id of
 * an agent inside of a program consists of the id of the program's session, a mark and the agent's
 * own id. No caller may choose an id with the mark.
 */
public record SessionId(String value) {
    private static final char AGENT_MARK = '~';

    public static final String RULE = "1 to 100 of A-Z a-z 0-9 _ . : - and not '.' or '..'";
    private static final int CHARS_MAX = 100;

    public SessionId {
        if (!isValid(value)) {
            throw new IllegalArgumentException("not a session id: '" + value + "'");
        }
    }

    public static boolean isValid(String value) {
        if (value.isEmpty() || value.length() > CHARS_MAX) return false;
        // A loop, not a regular expression: this runs for every event.
        for (int i = 0; i < value.length(); i++) if (!isAllowed(value.charAt(i))) return false;
        return !value.equals(".") && !value.equals("..");
    }

    private static boolean isAllowed(char c) {
        return (c >= 'a' && c <= 'z')
                || (c >= 'A' && c <= 'Z')
                || (c >= '0' && c <= '9')
                || "_.:-".indexOf(c) >= 0
                || c == AGENT_MARK;
    }

    /** The id of an agent inside of this session's program; empty if it would be no id. */
    public Optional<SessionId> agent(String own) {
        var id = value + AGENT_MARK + own;
        return own.indexOf(AGENT_MARK) < 0 && isValid(id)
                ? Optional.of(new SessionId(id))
                : Optional.empty();
    }

    public boolean isOfAgent() {
        return value.indexOf(AGENT_MARK) >= 0;
    }

    /** The session of the program, for the id of an agent. */
    public Optional<SessionId> program() {
        int end = value.lastIndexOf(AGENT_MARK);
        return end < 1 ? Optional.empty() : Optional.of(new SessionId(value.substring(0, end)));
    }

    public static SessionId made(Ids ids) {
        return new SessionId("ses_" + ids.twelveHex());
    }

    @Override
    public String toString() {
        return value;
    }
}
