package dev.coppice.cli.session;

import org.jspecify.annotations.Nullable;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/** Makes a readable name of a session from its prompt. */
final class Slug {
    private static final int WORDS_MAX = 5;
    private static final int CHARS_MAX = 32;
    private static final int LOOKED_AT = 400;

    /** Marks above and below letters, and signs inside words, leave no gap. */
    private static final Pattern DROPPED = Pattern.compile("[\\p{M}'’`]+");

    private static final Pattern GAP = Pattern.compile("[^a-z0-9]+");

    private Slug() {}

    /** Null if the prompt has no letters or digits that a name may have. */
    static @Nullable String of(String prompt) {
        var beginning = prompt.substring(0, Math.min(prompt.length(), LOOKED_AT));
        for (var line : beginning.lines().toList()) {
            var slug = joined(words(line));
            if (!slug.isEmpty()) return slug;
        }
        return null;
    }

    private static List<String> words(String line) {
        var plain = Normalizer.normalize(line.toLowerCase(Locale.ROOT), Normalizer.Form.NFD);
        var words = new ArrayList<String>();
        for (var word : GAP.split(DROPPED.matcher(plain).replaceAll(""), -1)) {
            if (!word.isEmpty()) words.add(word);
        }
        return words;
    }

    private static String joined(List<String> words) {
        var slug = new StringBuilder();
        for (var word : words.subList(0, Math.min(words.size(), WORDS_MAX))) {
            if (!slug.isEmpty() && slug.length() + 1 + word.length() > CHARS_MAX) break;
            slug.append(slug.isEmpty() ? "" : "-").append(word);
        }
        return slug.length() <= CHARS_MAX ? slug.toString() : slug.substring(0, CHARS_MAX);
    }
}
