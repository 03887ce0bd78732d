package dev.coppice.session;

import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Ids;

import org.jspecify.annotations.Nullable;

import java.util.regex.Pattern;

/** The rule for names of sessions. A name is unique among the sessions that are not hidden. */
public final class SessionName {
    public static final String RULE = "1 to 60 of A-Z a-z 0-9 _ -";
    private static final Pattern SHAPE = Pattern.compile("[A-Za-z0-9_-]{1,60}");

    /** The name of a session whose own one a newer session has taken, as FormerNames makes it. */
    private static final Pattern FORMER = Pattern.compile("([A-Za-z0-9_-]{1,60})~~?[^\\s~]{1,200}");

    private static final int STEM_CHARS_MAX = Bounds.NAME_CHARS_MAX - 9;

    private SessionName() {}

    public static boolean isValid(String name) {
        return SHAPE.matcher(name).matches();
    }

    /** True for what a session may be called: a name, or a former one. */
    public static boolean isPossible(String name) {
        return isValid(name) || FORMER.matcher(name).matches();
    }

    /** The name that a session with a former name had. */
    public static String stem(String name) {
        var former = FORMER.matcher(name);
        return former.matches() ? former.group(1) : name;
    }

    /** Generates a name from the blueprint's, so that lists of unnamed sessions stay readable. */
    static String made(@Nullable String blueprint, Ids ids) {
        var stem = blueprint == null || !isValid(blueprint) ? "session" : blueprint;
        if (stem.length() > STEM_CHARS_MAX) stem = stem.substring(0, STEM_CHARS_MAX);
        return stem + "-" + ids.twelveHex().substring(0, 8);
    }
}
