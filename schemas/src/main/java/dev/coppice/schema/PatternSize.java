package dev.coppice.schema;

import java.util.ArrayDeque;

/**
 * The greatest number of steps in the program of a pattern, found without making it. RE2/J copies
 * what is repeated: {@code (a{1000}){1000}} has a million steps. Text that RE2/J refuses gets any
 * number.
 */
final class PatternSize {
    private static final long MANY = 1_000_000_000;

    /** The ranges of a class such as \p{L}, which copies of the class share. */
    private static final int UNICODE_CLASS_STEPS = 64;

    /** In a class that ignores case, RE2/J takes up to a second for a range beyond ASCII. */
    private static final long FOLDED_RANGE_STEPS = MANY;

    /** The longest text in braces that has a meaning; looking further would take long. */
    private static final int BRACES_CHARS_MAX = 64;

    private static final int ASCII_MAX = 127;
    private static final int FRAME_STEPS = 4;
    private static final int GROUP_STEPS = 3;

    private final String text;

    /** Where the last class by name, such as [:alpha:], ends. */
    private final int named;

    private int at;
    private boolean isFolded;

    /** The steps that copies share, counted once. Each program has a frame. */
    private long shared = FRAME_STEPS;

    /** The steps of the current group, and of the last piece in it, which a count repeats. */
    private long group;

    private long last;
    private final ArrayDeque<Long> outside = new ArrayDeque<>();

    private PatternSize(String text) {
        this.text = text;
        this.named = text.lastIndexOf(":]");
    }

    static long steps(String pattern) {
        var size = new PatternSize(pattern);
        while (size.at < pattern.length()) size.piece();
        while (!size.outside.isEmpty()) size.close();
        return Math.min(MANY, size.group + size.last + size.shared);
    }

    private void piece() {
        char c = text.charAt(at++);
        switch (c) {
            case '(' -> open();
            case ')' -> close();
            case '[' -> charClass();
            case '\\' -> escape();
            case '{' -> repeat();
            case '*', '+', '?', '|' -> last = Math.min(MANY, last + 2);
            default -> next(1);
        }
    }

    private void next(long steps) {
        group = Math.min(MANY, group + last);
        last = steps;
    }

    /**
     * Flags without a group, as in (?i), are no piece: a count after them repeats what is before.
     */
    private void open() {
        if (text.startsWith("?", at)) {
            while (++at < text.length() && isFlag(text.charAt(at))) {
                isFolded |= text.charAt(at) == 'i';
            }
            if (text.startsWith(")", at)) {
                at++;
                return;
            }
        }
        next(0);
        outside.push(group);
        group = 0;
    }

    private static boolean isFlag(char c) {
        return Character.isLetter(c) || c == '-';
    }

    private void close() {
        long inside = Math.min(MANY, group + last + GROUP_STEPS);
        group = outside.isEmpty() ? group + last : outside.pop();
        last = inside;
    }

    private void repeat() {
        int end = closingBrace();
        var counts = end < 0 ? new String[0] : text.substring(at, end).split(",", 2);
        long most = 0;
        for (var count : counts) {
            if (count.isEmpty() && most > 0) most++;
            else if (count.chars().allMatch(PatternSize::isDigit) && !count.isEmpty()) {
                most = Math.max(most, count.length() > 4 ? MANY : Long.parseLong(count));
            } else {
                next(1);
                return;
            }
        }
        if (counts.length == 0) next(1);
        else {
            last = Math.min(MANY, (last + 1) * Math.max(1, most));
            at = end + 1;
        }
    }

    private int closingBrace() {
        return text.indexOf('}', at, Math.min(text.length(), at + BRACES_CHARS_MAX));
    }

    private static boolean isDigit(int c) {
        return c >= '0' && c <= '9';
    }

    private void escape() {
        char c = at < text.length() ? text.charAt(at++) : '\\';
        if (c == 'Q') {
            int end = text.indexOf("\\E", at);
            int length = (end < 0 ? text.length() : end) - at;
            for (int i = 0; i < length; i++) next(1);
            at = end < 0 ? text.length() : end + 2;
            return;
        }
        if (c == 'p' || c == 'P') shared += UNICODE_CLASS_STEPS;
        if ((c == 'p' || c == 'P' || c == 'x') && text.startsWith("{", at)) {
            at = Math.max(at, closingBrace() + 1);
        }
        next(1);
    }

    /** The first bracket in a class is a character, and so is each one in a class by name. */
    private void charClass() {
        int start = at;
        if (text.startsWith("^", at)) at++;
        int first = at;
        while (at < text.length() && (at == first || text.charAt(at) != ']')) {
            boolean isNamed = text.startsWith("[:", at) && named >= at + 2;
            if (isNamed) at = text.indexOf(":]", at + 2) + 2;
            else inClass();
        }
        at++;
        shared += (at - start) / 8;
        next(1);
    }

    private void inClass() {
        char c = text.charAt(at++);
        char then = at < text.length() ? text.charAt(at) : ']';
        if (c == '\\') {
            if (then == 'p' || then == 'P') shared += UNICODE_CLASS_STEPS;
            at++;
        } else if (c == '-' && isFolded && (then > ASCII_MAX || then == '\\')) {
            shared += FOLDED_RANGE_STEPS;
        }
    }
}
