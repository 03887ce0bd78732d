package dev.coppice.cli.engine;

import org.jspecify.annotations.Nullable;

/** An option: its long name, its letter if any, the name of its value if any, its meaning. */
public record Option(String name, @Nullable String letter, @Nullable String value, String meaning) {
    public static final Option JSON = flag("json", "print the output as JSON");
    public static final Option DATA =
            of("data", "DIR", "the data directory (default COPPICE_DATA, else ~/.coppice)");

    public static Option flag(String name, String meaning) {
        return new Option(name, null, null, meaning);
    }

    public static Option of(String name, String value, String meaning) {
        return new Option(name, null, value, meaning);
    }

    public Option as(String shortLetter) {
        return new Option(name, shortLetter, value, meaning);
    }
}
