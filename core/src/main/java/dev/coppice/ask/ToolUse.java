package dev.coppice.ask;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;

/**
 * The use of a tool that a program intends.
 *
 * @param tool the name that the program gives to the tool
 * @param subject the part of the input that says most, such as the command or the file
 */
public record ToolUse(String tool, String subject) {
    private static final int SUBJECT_CHARS_MAX = 2_000;

    /** Marks a subject that was cut. No star of a pattern stands for it. */
    static final String CUT = "…";

    /**
     * The names that programs give to the tool that starts a subagent, and the type of the subagent
     * if the call names none. Codex puts the namespace of a tool before its name.
     */
    private static final Map<String, String> STARTERS =
            Map.of(
                    "Agent", "general-purpose",
                    "Task", "general-purpose",
                    "spawn_agent", "default",
                    "collaborationspawn_agent", "default",
                    "task", "general",
                    "invoke_agent", "generalist");

    public boolean startsAgent() {
        return startedBy(tool) != null;
    }

    /** The usual type of the subagents that a tool starts; null if it starts none. */
    public static @Nullable String startedBy(String tool) {
        return STARTERS.get(tool);
    }

    /** The same use with a long subject cut; the digest distinguishes it from other long ones. */
    public ToolUse shortly() {
        if (subject.length() <= SUBJECT_CHARS_MAX) return this;
        var cut = subject.substring(0, SUBJECT_CHARS_MAX - 100);
        return new ToolUse(tool, cut + CUT + " sha256:" + digest());
    }

    private String digest() {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            return HexFormat.of()
                    .formatHex(digest.digest(subject.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
