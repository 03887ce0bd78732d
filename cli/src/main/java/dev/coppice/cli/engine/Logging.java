package dev.coppice.cli.engine;

import java.util.logging.Level;
import java.util.logging.Logger;

/** Logs one line per message to standard error; libraries log warnings only. */
public final class Logging {
    /** Referenced, because an unreferenced logger is collected and loses its level. */
    private static final Logger WEB_SERVER = Logger.getLogger("org.eclipse.jetty");

    private static final Logger POOL = Logger.getLogger("com.zaxxer.hikari");

    private Logging() {}

    public static void setUp() {
        System.setProperty(
                "java.util.logging.SimpleFormatter.format",
                "%1$tFT%1$tT.%1$tL %4$s %3$s: %5$s%6$s%n");
        WEB_SERVER.setLevel(Level.WARNING);
        POOL.setLevel(Level.WARNING);
    }
}
