package dev.coppice.mcp.call;

import dev.coppice.access.Caller;
import dev.coppice.mcp.message.Envelopes.Meta;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The sender of a request: the protocol that it speaks, and what it can do. */
public record Client(
        Era era, String version, Abilities abilities, @Nullable String logLevel, Caller caller) {
    public static final String TASKS = Meta.PREFIX + "tasks";

    /** From the least severe to the most. */
    public static final List<String> LOG_LEVELS =
            List.of(
                    "debug",
                    "info",
                    "notice",
                    "warning",
                    "error",
                    "critical",
                    "alert",
                    "emergency");

    public boolean isStateless() {
        return era == Era.STATELESS;
    }

    public boolean can(Question question) {
        return abilities.can(question.capability());
    }

    /** True if the client can ask its user; one that only opens addresses cannot. */
    public boolean hasForms() {
        return abilities.forms();
    }

    public boolean hasTasks() {
        return isStateless() && abilities.tasks();
    }

    boolean wantsLog(String level) {
        return logLevel != null && LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(logLevel);
    }
}
