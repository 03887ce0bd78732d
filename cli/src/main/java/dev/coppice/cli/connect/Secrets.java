package dev.coppice.cli.connect;

import java.util.regex.Pattern;

/** Finds and hides the tokens in texts. */
final class Secrets {
    private static final Pattern TOKEN = Pattern.compile("issued\\.[\\w-]+\\.[\\w-]+");

    private Secrets() {}

    static String hidden(String line) {
        return TOKEN.matcher(line).replaceAll("…");
    }

    static boolean isIn(String text) {
        return TOKEN.matcher(text).find();
    }
}
