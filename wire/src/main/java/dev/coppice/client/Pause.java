package dev.coppice.client;

import java.time.Duration;
import java.util.concurrent.TimeUnit;

/**
 * A wait between two looks at something that sends no notification: a process, a file, a server
 * that is not there yet. If something can be awaited, await it.
 */
public final class Pause {
    private Pause() {}

    public static void of(Duration length) throws InterruptedException {
        TimeUnit.NANOSECONDS.sleep(length.toNanos());
    }
}
