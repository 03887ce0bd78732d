package dev.coppice.journal;

import java.text.Normalizer;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;

/**
 * A search text: terms that must all occur, or must not. A term in quotes is a phrase, one that
 * ends with an asterisk is the beginning of a word, and a minus before a term excludes it.
 */
public record SearchText(List<Term> terms) {
    public static final int TERMS_MAX = 16;
    public static final int WORD_CHARS_MAX = 500;
    private static final Pattern TERM = Pattern.compile("(-?)(?:\"([^\"]*)\"?|(\\S+))");
    private static final Pattern MARKS = Pattern.compile("\\p{M}+");
    private static final Pattern NO_WORD = Pattern.compile("[^\\p{L}\\p{N}]+");

    public SearchText {
        terms = List.copyOf(terms);
    }

    /** Words that follow each other. The last one is only the beginning of a word if it is open. */
    public record Term(List<String> words, boolean isOpen, boolean isExcluded) {
        public Term {
            words = List.copyOf(words);
        }
    }

    public static SearchText of(String typed) {
        var terms = new ArrayList<Term>();
        var found = TERM.matcher(typed);
        while (found.find()) {
            var text = found.group(2) == null ? found.group(3) : found.group(2);
            var words = words(text);
            boolean isExcluded = !found.group(1).isEmpty();
            if (!words.isEmpty()) terms.add(new Term(words, text.endsWith("*"), isExcluded));
        }
        return new SearchText(terms);
    }

    /** False for more terms or longer words than an index can look for. */
    public boolean isBounded() {
        return terms.size() <= TERMS_MAX
                && terms.stream()
                        .flatMap(term -> term.words().stream())
                        .allMatch(word -> word.length() <= WORD_CHARS_MAX);
    }

    /** False if there is nothing that must occur. */
    public boolean isPositive() {
        return terms.stream().anyMatch(term -> !term.isExcluded());
    }

    /** The words of a text in the form in which they are compared. */
    public static List<String> words(String text) {
        var words = new ArrayList<String>();
        for (var word : NO_WORD.split(folded(text), -1)) if (!word.isEmpty()) words.add(word);
        return words;
    }

    /** The words of a text, separated by spaces. */
    public static String spaced(String text) {
        return NO_WORD.matcher(folded(text)).replaceAll(" ");
    }

    /** The text in lower case without accents. */
    private static String folded(String text) {
        boolean isPlain = text.chars().allMatch(c -> c < 128);
        var bare =
                isPlain
                        ? text
                        : MARKS.matcher(Normalizer.normalize(text, Normalizer.Form.NFKD))
                                .replaceAll("");
        return bare.toLowerCase(Locale.ROOT);
    }
}
