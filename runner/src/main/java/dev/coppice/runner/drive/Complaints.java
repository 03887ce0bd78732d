package dev.coppice.runner.drive;

import dev.coppice.runner.drive.dialect.Dialect.Outcome;
import dev.coppice.runner.drive.dialect.Upstream;

import java.util.ArrayDeque;
import java.util.Map;

/**
 * The lines that a program writes to its standard error. The first lines are events; the last ones
 * explain the failure of a program that ended before it began its work.
 */
final class Complaints {
    private static final int EVENTS_MAX = 200;
    private static final int LAST_MAX = 20;
    private final ArrayDeque<String> last = new ArrayDeque<>();
    private int told;

    void add(String line, Upstream up) {
        last.add(line);
        if (last.size() > LAST_MAX) last.removeFirst();
        told++;
        if (told > EVENTS_MAX) return;
        var text = told == EVENTS_MAX ? "(further lines are not kept)" : line;
        up.event(Upstream.SELF, "program_stderr", Map.of("text", text));
    }

    Outcome with(Outcome outcome, boolean hasBegun) {
        return outcome instanceof Outcome.Failed(var why) && !hasBegun && !last.isEmpty()
                ? new Outcome.Failed(why + ":\n" + String.join("\n", last))
                : outcome;
    }
}
