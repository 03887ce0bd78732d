package dev.coppice.mcp.call;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Bounds the memory of answers that clients may still fetch. One caller may use half of it; beyond
 * that its own oldest answer is dropped, and then the oldest of all.
 */
final class Retained {
    private static final int SHARE_OF_MEMORY = 32;
    private final long max;
    private final Map<Object, Answer> answers = new LinkedHashMap<>();
    private final Map<String, Long> ofCallers = new HashMap<>();
    private long chars;

    /** An answer that is kept: its caller, its size, and how to drop it. */
    private record Answer(String caller, long chars, Runnable drop) {}

    Retained(long max) {
        this.max = max;
    }

    static Retained ofThisProcess() {
        return new Retained(Runtime.getRuntime().maxMemory() / SHARE_OF_MEMORY);
    }

    /** The caller must hold no lock that {@code drop} takes: another answer may be dropped. */
    void add(Object key, String caller, long size, Runnable drop) {
        var added = new Answer(caller, size, drop);
        for (var dropped : dropped(key, added)) dropped.drop().run();
    }

    private synchronized List<Answer> dropped(Object key, Answer added) {
        forget(key);
        answers.put(key, added);
        count(added, added.chars());
        var dropped = new ArrayList<Answer>();
        while (ofCallers.getOrDefault(added.caller(), 0L) > max / 2) {
            dropped.add(oldest(answer -> answer.caller().equals(added.caller())));
        }
        while (chars > max) dropped.add(oldest(_ -> true));
        return dropped;
    }

    private Answer oldest(Predicate<Answer> which) {
        var each = answers.values().iterator();
        var found = each.next();
        while (!which.test(found)) found = each.next();
        each.remove();
        count(found, -found.chars());
        return found;
    }

    private void count(Answer answer, long more) {
        chars += more;
        ofCallers.merge(answer.caller(), more, (a, b) -> a + b == 0 ? null : Long.valueOf(a + b));
    }

    synchronized void forget(Object key) {
        var gone = answers.remove(key);
        if (gone != null) count(gone, -gone.chars());
    }
}
