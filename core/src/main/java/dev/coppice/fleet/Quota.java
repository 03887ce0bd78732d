package dev.coppice.fleet;

import java.util.regex.Pattern;

/** Recognises, by its text, a failure that the limit of an account caused. */
public final class Quota {
    private static final Pattern WORDS =
            Pattern.compile(
                    "(?i)\\b429\\b|rate[ _-]?limit|too many requests|usage limit|quota"
                            + "|overloaded_error|insufficient[ _]credit|credit balance");

    private Quota() {}

    public static boolean isMet(String error) {
        return WORDS.matcher(error).find();
    }
}
