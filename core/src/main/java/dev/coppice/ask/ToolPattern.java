package dev.coppice.ask;

import java.util.Optional;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

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

    /** Characters that begin a further command, or redirect what one reads and writes. */
    private static final String STAR = "[^;&|<>`$\\n\\r\\\\(){}" + ToolUse.CUT + "]*";

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

    private static boolean matches(String wanted, String given) {
        var expression =
                Pattern.compile("\\*")
                        .splitAsStream(wanted + " ")
                        .map(Pattern::quote)
                        .collect(Collectors.joining(STAR));
        boolean isLike = Pattern.compile(expression).matcher(given + " ").matches();
        return isLike && !UPWARDS.matcher(given).find();
    }

    @Override
    public String toString() {
        return text;
    }
}
