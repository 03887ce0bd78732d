package dev.coppice.ask;

import java.util.Optional;
import java.util.regex.Pattern;

/**
 * Selects uses of tools: {@code Bash} all uses of a tool, {@code Bash(npm test)} one, {@code
 * Bash(npm test*)} all that begin so. A star stands for any text that cannot turn one use into
 * another: no shell operator, no line break, and no step upwards in a path.
 */
public final class ToolPattern {
    public static final String RULE =
            "a tool with or without a subject in parentheses, such as Bash, Bash(npm test) or"
                    + " Edit(src/*)";
    public static final int CHARS_MAX = 2_000;
    private static final Pattern FORM =
            Pattern.compile("([\\w.:/-]+|\\*)(?:\\((.*)\\))?", Pattern.DOTALL);

    /** Characters that begin a further command, or redirect its input or output. */
    private static final String NOT_OF_STAR = ";&|<>`$\n\r\\(){}" + ToolUse.CUT;

    private static final Pattern UPWARDS = Pattern.compile("(?:^|/)\\.\\.(?:/|$)");

    private final String text;
    private final String tool;
    private final Optional<String> subject;

    private ToolPattern(String text, String tool, Optional<String> subject) {
        this.text = text;
        this.tool = tool;
        this.subject = subject;
    }

    /** Empty if the text is no pattern. */
    public static Optional<ToolPattern> of(String text) {
        var form = FORM.matcher(text);
        return text.length() <= CHARS_MAX && form.matches()
                ? Optional.of(
                        new ToolPattern(text, form.group(1), Optional.ofNullable(form.group(2))))
                : Optional.empty();
    }

    /** The pattern that selects just this use; empty if none can. */
    public static Optional<ToolPattern> exactly(ToolUse use) {
        boolean isPlain =
                !use.subject().contains("*")
                        && use.subject().codePoints().noneMatch(Character::isISOControl);
        return !isPlain ? Optional.empty() : of("%s(%s)".formatted(use.tool(), use.subject()));
    }

    public boolean matches(ToolUse use) {
        if (!tool.equals("*") && !tool.equals(use.tool())) return false;
        if (subject.isEmpty()) return true;
        var wanted = subject.get();
        return wanted.contains("*")
                ? matches(wanted, use.subject())
                : wanted.equals(use.subject()) || wanted.equals(use.shortly().subject());
    }

    /**
     * Matches each part at its first occurrence after the previous part, so the time does not grow
     * with the number of stars. No later occurrence can help: the star before it would then stand
     * for the first one too, and for all that the star may not stand for.
     */
    private static boolean matches(String wanted, String given) {
        var parts = wanted.split("\\*", -1);
        int last = parts.length - 1;
        int end = given.length() - parts[last].length();
        if (!given.startsWith(parts[0]) || !given.endsWith(parts[last])) return false;
        int at = parts[0].length();
        for (int i = 1; i < last; i++) {
            int found = given.indexOf(parts[i], at);
            if (found < 0 || !isPlain(given, at, found)) return false;
            at = found + parts[i].length();
        }
        return at <= end && isPlain(given, at, end) && !UPWARDS.matcher(given).find();
    }

    /** True if a star may stand for this part of a subject. */
    private static boolean isPlain(String given, int from, int to) {
        return given.substring(from, to).chars().noneMatch(c -> NOT_OF_STAR.indexOf(c) >= 0);
    }

    @Override
    public String toString() {
        return text;
    }
}
