package dev.coppice.store;

import dev.coppice.journal.EventIndex.Excerpt;
import dev.coppice.journal.EventIndex.Match;
import dev.coppice.journal.SearchText;

import java.util.ArrayList;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/** The part of a text around the first match of a search. */
final class Excerpts {
    private static final int CHARS_MAX = 200;
    private static final int CHARS_BEFORE = 60;
    private static final String SEPARATOR = "[^\\p{L}\\p{N}]+";

    private final Pattern pattern;

    Excerpts(SearchText text) {
        var wanted =
                text.terms().stream()
                        .filter(term -> !term.isExcluded())
                        .map(Excerpts::pattern)
                        .collect(Collectors.joining("|"));
        this.pattern =
                Pattern.compile(
                        wanted.isEmpty() ? "(?!)" : "(?<![\\p{L}\\p{N}])(?:" + wanted + ")",
                        Pattern.CASE_INSENSITIVE | Pattern.UNICODE_CASE);
    }

    private static String pattern(SearchText.Term term) {
        var words =
                term.words().stream().map(Pattern::quote).collect(Collectors.joining(SEPARATOR));
        return words + (term.isOpen() ? "[\\p{L}\\p{N}]*" : "(?![\\p{L}\\p{N}])");
    }

    Excerpt of(String text) {
        var found = pattern.matcher(text);
        int from = found.find() ? Math.max(0, found.start() - CHARS_BEFORE) : 0;
        if (from > 0 && Character.isLowSurrogate(text.charAt(from))) from--;
        int to = Math.min(text.length(), from + CHARS_MAX);
        if (to < text.length() && Character.isLowSurrogate(text.charAt(to))) to--;
        var part = text.substring(from, to);
        return new Excerpt(part, matches(part));
    }

    private List<Match> matches(String part) {
        var matches = new ArrayList<Match>();
        var found = pattern.matcher(part);
        while (found.find()) matches.add(new Match(found.start(), found.end()));
        return matches;
    }
}
