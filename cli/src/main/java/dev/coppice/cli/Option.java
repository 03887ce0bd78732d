package dev.coppice.cli;

import org.jspecify.annotations.Nullable;

/** One option: its long name, perhaps a letter, what its value is called, and what it means. */
record Option(String name, @Nullable String letter, @Nullable String value, String meaning) {
    static final Option JSON = flag("json", "print the answer as JSON");
    static final Option DATA =
            of("data", "DIR", "the data directory; COPPICE_DATA, else ~/.coppice");

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
