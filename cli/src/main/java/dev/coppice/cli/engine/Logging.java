package dev.coppice.cli.engine;

import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Configures logging to standard error: one line per message, and its stack trace if it has one.
 * Jetty and Hikari log warnings and errors only.
 */
public final class Logging {
    // Kept in fields: a logger without a strong reference is collected and loses its level.
    private static final Logger WEB_SERVER = Logger.getLogger("org.eclipse.jetty");

    private static final Logger CONNECTION_POOL = Logger.getLogger("com.zaxxer.hikari");

    private Logging() {}

    public static void setUp() {
        System.setProperty(
                "java.util.logging.SimpleFormatter.format",
                "%1$tFT%1$tT.%1$tL %4$s %3$s: %5$s%6$s%n");
        WEB_SERVER.setLevel(Level.WARNING);
        CONNECTION_POOL.setLevel(Level.WARNING);
    }
}
