package dev.coppice.thread;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;

/** What the package logs while this is open. */
final class LogLines extends Handler implements AutoCloseable {
    // Kept in a field: a logger without a strong reference is collected with its handlers.
    private final Logger logger = Logger.getLogger("threads");
    private final List<LogRecord> records = new CopyOnWriteArrayList<>();

    LogLines() {
        logger.addHandler(this);
    }

    /** The lines that contain the text. */
    List<LogRecord> about(String text) {
        return records.stream().filter(line -> line.getMessage().contains(text)).toList();
    }

    @Override
    public void publish(LogRecord line) {
        records.add(line);
    }

    @Override
    public void flush() {
        // Nothing is buffered.
    }

    @Override
    public void close() {
        logger.removeHandler(this);
    }
}
