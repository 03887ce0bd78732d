package dev.coppice.cli.connect;

import java.util.regex.Pattern;

/** Keeps the tokens in addresses off the screen. */
final class Secrets {
    private static final Pattern TOKEN = Pattern.compile("/t/[^/\"'\\s]+");

    private Secrets() {}

    static String hidden(String line) {
        return TOKEN.matcher(line).replaceAll("/t/…");
    }
}
