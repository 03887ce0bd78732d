package dev.coppice.originals;

import java.util.Map;

/** The older tools' names of commands. */
public final class OlderCommands {
    /** Each name, and the command that it means. */
    public static final Map<String, String> NAMES =
            Map.of(
                    "ao-start", "start",
                    "ao-resume", "resume",
                    "ao-status", "status",
                    "ao-get-result", "result",
                    "ao-list-sessions", "list",
                    "ao-list-blueprints", "blueprints",
                    "ao-show-config", "show",
                    "ao-delete-all", "delete-all");

    private OlderCommands() {}
}
