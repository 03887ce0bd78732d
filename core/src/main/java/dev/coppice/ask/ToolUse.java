package dev.coppice.ask;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

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

    /** The names that programs give to the tool that starts a subagent. */
    public boolean startsAgent() {
        return tool.equals("Agent") || tool.equals("Task");
    }

    /** The same use with a long subject cut; its digest keeps it from being taken for another. */
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
