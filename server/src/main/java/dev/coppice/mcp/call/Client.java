package dev.coppice.mcp.call;

import dev.coppice.access.Caller;
import dev.coppice.mcp.message.Meta;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;

/** The sender of a request: the protocol that it speaks, and what it can do. */
public record Client(
        Era era, String version, JsonNode capabilities, @Nullable String logLevel, Caller caller) {
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
        return question.isForm() ? hasForms() : capabilities.path(question.capability()).isObject();
    }

    /** True if the client can ask its user; one that only opens addresses cannot. */
    public boolean hasForms() {
        var declared = capabilities.path("elicitation");
        return declared.isObject() && (declared.isEmpty() || declared.has("form"));
    }

    public boolean hasTasks() {
        return isStateless() && capabilities.path("extensions").path(TASKS).isObject();
    }

    boolean wantsLog(String level) {
        return logLevel != null && LOG_LEVELS.indexOf(level) >= LOG_LEVELS.indexOf(logLevel);
    }
}
