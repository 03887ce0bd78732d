package dev.coppice.blueprint;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Finds and replaces {@code ${name}} in a blueprint's texts. A doubled dollar sign escapes it, for
 * shell scripts with variables of their own. Inserted values are not scanned again, so a parameter
 * cannot smuggle in a placeholder.
 */
public final class Placeholders {
    private static final Pattern SHAPE = Pattern.compile("(\\$?)\\$\\{([A-Za-z0-9_.-]{1,200})}");

    private Placeholders() {}

    public static List<String> in(String text) {
        var names = new ArrayList<String>();
        var matcher = SHAPE.matcher(text);
        while (matcher.find()) {
            if (matcher.group(1).isEmpty()) names.add(matcher.group(2));
        }
        return names;
    }

    /** Returns the text with its placeholders replaced; one without a value stays unchanged. */
    public static String resolved(String text, Function<String, Optional<String>> values) {
        var matcher = SHAPE.matcher(text);
        return matcher.replaceAll(found ->
                Matcher.quoteReplacement(
                        found.group(1).isEmpty()
                                ? values.apply(found.group(2)).orElse(found.group())
                                : found.group().substring(1)));
    }
}
