package dev.coppice.runner.drive.dialect;

import org.jspecify.annotations.Nullable;

/** Makes the dialect of each kind of program. */
public final class Dialects {
    private Dialects() {}

    /** {@code before} is the conversation to resume; null to begin one. */
    public static Dialect of(Order order, @Nullable String before, Pen pen, Upstream up) {
        return switch (order.kind()) {
            case "claude-code" -> new ClaudeCode(order, before, pen, up);
            case "codex" ->
                    "exec".equals(order.option("protocol"))
                            ? new CodexExec(order, before, pen, up)
                            : new CodexServer(order, before, pen, up);
            case "acp" -> new Acp(order, before, pen, up);
            case String other ->
                    throw new IllegalArgumentException("there is no driver for " + other);
        };
    }
}
