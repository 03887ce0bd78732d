package dev.coppice.cli;

import org.jspecify.annotations.Nullable;

/** An option: its long name, its letter if any, the name of its value if any, its meaning. */
record Option(String name, @Nullable String letter, @Nullable String value, String meaning) {
    static final Option JSON = flag("json", "print the output as JSON");
    static final Option DATA =
            of("data", "DIR", "the data directory (default COPPICE_DATA, else ~/.coppice)");

    static Option flag(String name, String meaning) {
        return new Option(name, null, null, meaning);
    }

    static Option of(String name, String value, String meaning) {
        return new Option(name, null, value, meaning);
    }

    Option as(String shortLetter) {
        return new Option(name, shortLetter, value, meaning);
    }
}
