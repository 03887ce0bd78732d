package dev.coppice.runner.process;

import java.util.Locale;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The polite word to an agent, where it has one: the signal that it takes for a wish to end. */
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

    /** As programs write it. */
    public String said() {
        return "SIG" + name();
    }

    /** By its name, with or without what all names begin with. */
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
