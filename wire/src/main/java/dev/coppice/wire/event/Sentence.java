package dev.coppice.wire.event;

import java.util.regex.Pattern;

/** Finds the one sentence of a text that stands for it in a line. */
public final class Sentence {
    public static final int CHARS_MAX = 200;

    /** Sentences are looked for in the last characters of a text. */
    private static final int LOOKED_AT = 4_000;

    /** A shorter sentence, such as "Done.", tells too little alone. */
    private static final int TELLING_MIN = 12;

    private static final Pattern END = Pattern.compile("(?<=[.!?…。])[\"')\\]*_]*\\s+");

    /** Possessive: a group that repeats would take a frame of the stack for each repetition. */
    private static final Pattern MARKS = Pattern.compile("[#>\\-*+•|\\s]++");

    private static final Pattern NUMBER = Pattern.compile("\\d{1,3}[.)]\\s++");
    private static final Pattern EMPHASIS = Pattern.compile("[*`]++|_{2,}+");
    private static final Pattern SEQUENCE =
            Pattern.compile("\\x1b\\[[0-9;?]{0,30}+[ -/]{0,4}+[@-~]");
    private static final Pattern CONTROLS = Pattern.compile("[\\p{Cntrl}\\p{Cf}\\s]++");

    /** So many marks may stand before a line. */
    private static final int MARKS_MAX = 8;

    private Sentence() {}

    /** The last sentence of a text, without the marks of Markdown; empty if there is none. */
    public static String last(String text) {
        var lines = end(text).lines().toList();
        for (int i = lines.size() - 1; i >= 0; i--) {
            var line = plain(lines.get(i));
            if (line.chars().anyMatch(Character::isLetterOrDigit)) return lastOf(line);
        }
        return "";
    }

    private static String lastOf(String line) {
        var sentences = END.split(line, -1);
        var last = new StringBuilder(sentences[sentences.length - 1]);
        for (int i = sentences.length - 2; i >= 0 && last.length() < TELLING_MIN; i--) {
            last.insert(0, sentences[i] + " ");
        }
        return cut(last.toString());
    }

    /** The first line of a text that has letters or digits; empty if there is none. */
    public static String firstLine(String text) {
        return beginning(text)
                .lines()
                .map(Sentence::plain)
                .filter(line -> line.chars().anyMatch(Character::isLetterOrDigit))
                .findFirst()
                .map(Sentence::cut)
                .orElse("");
    }

    /** The last line of a text that has letters or digits; empty if there is none. */
    public static String lastLine(String text) {
        var lines = end(text).lines().toList();
        for (int i = lines.size() - 1; i >= 0; i--) {
            var line = clean(lines.get(i));
            if (line.chars().anyMatch(Character::isLetterOrDigit)) return cut(line);
        }
        return "";
    }

    /** The text in one line, cut at the limit. */
    public static String line(String text) {
        return cut(clean(beginning(text)));
    }

    private static String plain(String line) {
        int from = 0;
        for (int i = 0; i < MARKS_MAX; i++) {
            var marks = MARKS.matcher(line).region(from, line.length());
            if (marks.lookingAt()) from = marks.end();
            var number = NUMBER.matcher(line).region(from, line.length());
            if (!number.lookingAt()) break;
            from = number.end();
        }
        return clean(EMPHASIS.matcher(line.substring(from)).replaceAll(""));
    }

    /** The text without controls and sequences of a terminal, in one line. */
    private static String clean(String text) {
        return CONTROLS.matcher(SEQUENCE.matcher(text).replaceAll(" ")).replaceAll(" ").strip();
    }

    private static String beginning(String text) {
        if (text.length() <= LOOKED_AT) return text;
        boolean isSplit = Character.isHighSurrogate(text.charAt(LOOKED_AT - 1));
        return text.substring(0, isSplit ? LOOKED_AT - 1 : LOOKED_AT);
    }

    private static String end(String text) {
        int from = text.length() - LOOKED_AT;
        if (from <= 0) return text;
        if (Character.isLowSurrogate(text.charAt(from))) from++;
        return text.substring(from);
    }

    private static String cut(String text) {
        if (text.length() <= CHARS_MAX) return text;
        int end = CHARS_MAX - 1;
        if (Character.isHighSurrogate(text.charAt(end - 1))) end--;
        return text.substring(0, end).stripTrailing() + "…";
    }
}
