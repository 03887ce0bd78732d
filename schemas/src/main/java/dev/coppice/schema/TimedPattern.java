package dev.coppice.schema;

import com.google.re2j.Pattern;
import com.google.re2j.PatternSyntaxException;
import com.networknt.schema.regex.RegularExpression;

import dev.coppice.kernel.Bounds;

import org.jspecify.annotations.Nullable;

/**
 * A pattern of a schema, or a text that a schema requires to be one. It matches in time linear in
 * the text, but each character costs up to one look at each step of the pattern, so the text asks
 * for the deadline.
 */
final class TimedPattern implements RegularExpression {
    static final int STEPS_MAX = 10_000;
    private static final int SHOWN_CHARS_MAX = 60;
    private final Pattern pattern;

    private TimedPattern(Pattern pattern) {
        this.pattern = pattern;
    }

    /** Throws if the pattern is none, or too large: RE2/J expands repeat counts without limit. */
    static TimedPattern of(String text) {
        CheckInTime.look();
        var fault = tooLarge(text, PatternSize.steps(text));
        if (fault != null) throw new PatternSyntaxException(fault);
        return new TimedPattern(Pattern.compile(text));
    }

    /** Why a pattern cannot be used: too large, a look-ahead, a back reference; null if it can. */
    static @Nullable String fault(String text, long steps) {
        var large = tooLarge(text, steps);
        if (large != null) return large;
        try {
            Pattern.compile(text);
            return null;
        } catch (PatternSyntaxException e) {
            return "pattern '%s': %s".formatted(shown(text), e.getMessage());
        }
    }

    private static @Nullable String tooLarge(String text, long steps) {
        return steps <= STEPS_MAX
                ? null
                : "a pattern has %d steps, with its repeat counts and (?i); the limit is %d: '%s'"
                        .formatted(steps, STEPS_MAX, shown(text));
    }

    private static String shown(String text) {
        return Bounds.firstOf(text, SHOWN_CHARS_MAX);
    }

    @Override
    public boolean matches(String value) {
        CheckInTime.look();
        return pattern.matcher(new Text(value)).find();
    }

    /** A text that gives up the check when its time is over. */
    private static final class Text implements CharSequence {
        private static final int READS_UNASKED_MAX = 64;
        private final CharSequence text;
        private int reads;

        Text(CharSequence text) {
            this.text = text;
        }

        @Override
        public char charAt(int index) {
            if (++reads % READS_UNASKED_MAX == 0) CheckInTime.look();
            return text.charAt(index);
        }

        @Override
        public int length() {
            return text.length();
        }

        @Override
        public CharSequence subSequence(int start, int end) {
            return new Text(text.subSequence(start, end));
        }

        @Override
        public String toString() {
            return text.toString();
        }
    }
}
