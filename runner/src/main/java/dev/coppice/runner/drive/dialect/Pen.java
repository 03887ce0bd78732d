package dev.coppice.runner.drive.dialect;

import java.util.Map;

/** The input of an agent program: one JSON message on each line. */
public interface Pen {
    void write(Map<String, ?> message);

    /** Writes a text, for a program whose input is no protocol. */
    void text(String text);

    /** Asks the program to end by a signal. */
    void terminate();

    /** Ends the input, after which the program ends by itself. */
    void close();
}
