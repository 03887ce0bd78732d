package dev.coppice.runner.process;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The signal that asks an agent to end before SIGTERM is sent to all, if it handles one. */
public enum StopSignal {
    HUP(1),
    INT(2),
    QUIT(3),
    USR1(10),
    USR2(12),
    TERM(15);

    private final int number;

    StopSignal(int number) {
        this.number = number;
    }

    int number() {
        return number;
    }

    /** Returns the full name, such as {@code SIGTERM}. */
    public String said() {
        return "SIG" + name();
    }

    /** Parses a name, with or without the prefix {@code SIG}. */
    public static StopSignal of(String name) {
        var plain = name.toUpperCase(Locale.ROOT).replaceFirst("^SIG", "");
        return Stream.of(values())
                .filter(s -> s.name().equals(plain))
                .findFirst()
                .orElseThrow(() ->
                        new IllegalArgumentException(
                                "stop_signal is '%s'; it must be one of %s"
                                        .formatted(name, all())));
    }

    private static String all() {
        return Stream.of(values()).map(Enum::name).collect(Collectors.joining(", "));
    }
}
