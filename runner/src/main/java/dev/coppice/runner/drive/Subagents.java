package dev.coppice.runner.drive;

import dev.coppice.runner.drive.dialect.Upstream;

import java.nio.charset.StandardCharsets;
import java.util.UUID;

/** The ids and names of the sessions of subagents. */
final class Subagents {
    private static final int TYPE_CHARS_MAX = 40;
    private static final int ID_CHARS = 8;

    private Subagents() {}

    /** Returns the same id for the same subagent, so that its session is created once. */
    static String id(String session, Upstream.Subagent subagent) {
        var key = session + "\n" + subagent.id();
        return "sub-" + UUID.nameUUIDFromBytes(key.getBytes(StandardCharsets.UTF_8));
    }

    static String name(String session, Upstream.Subagent subagent) {
        var type = subagent.type().replaceAll("[^A-Za-z0-9_-]", "-");
        var plain = type.replaceAll("^[^A-Za-z0-9]+", "");
        var begin = plain.isEmpty() ? "agent" : plain;
        var id = id(session, subagent).substring("sub-".length());
        return begin.substring(0, Math.min(begin.length(), TYPE_CHARS_MAX))
                + "-"
                + id.substring(0, ID_CHARS);
    }
}
