package dev.coppice.runner.drive;

import java.util.Map;

/** The input of an agent program: one JSON message on each line. */
interface Pen {
    void write(Map<String, ?> message);

    /** Ends the input, after which the program ends by itself. */
    void close();
}
