package dev.coppice.cli.engine;

import java.util.ArrayList;
import java.util.List;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Logging to standard error: one line per message, and its stack trace if it has one. */
public final class Logging {
    /** Strong references: a logger without one is collected and loses its level. */
    private static final List<Logger> QUIET = new ArrayList<>();

    private Logging() {}

    /** Sets the form of a message, and loads nothing: most commands log none. */
    public static void setUp() {
        System.setProperty(
                "java.util.logging.SimpleFormatter.format",
                "%1$tFT%1$tT.%1$tL %4$s %3$s: %5$s%6$s%n");
    }

    /** Makes the libraries of a coordinator log warnings and errors only. */
    public static void quietLibraries() {
        for (var name : List.of("org.eclipse.jetty", "com.zaxxer.hikari")) {
            var logger = Logger.getLogger(name);
            logger.setLevel(Level.WARNING);
            QUIET.add(logger);
        }
    }
}
