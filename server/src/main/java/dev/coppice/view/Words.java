package dev.coppice.view;

import java.util.List;
import java.util.Map;

/**
 * The older words for states, in one table. In answers a queued run is pending, a finished run is
 * completed, and one that timed out or was lost is failed, with the reason in its own field.
 */
public final class Words {
    private static final Map<String, String> SESSIONS =
            Map.of("timed_out", "failed", "lost", "failed");
    private static final Map<String, String> RUNS =
            Map.of(
                    "queued", "pending",
                    "hooked", "pending",
                    "finished", "completed",
                    "timed_out", "failed",
                    "lost", "failed");

    private Words() {}

    public static String ofSession(String state) {
        return SESSIONS.getOrDefault(state, state);
    }

    public static String ofRun(String state) {
        return RUNS.getOrDefault(state, state);
    }

    /** The states that a word covers: the state of that name, and those that map to it. */
    public static List<String> sessionStates(String word, List<String> all) {
        return all.stream().filter(s -> s.equals(word) || ofSession(s).equals(word)).toList();
    }

    public static List<String> runStates(String word, List<String> all) {
        return all.stream().filter(s -> s.equals(word) || ofRun(s).equals(word)).toList();
    }
}
