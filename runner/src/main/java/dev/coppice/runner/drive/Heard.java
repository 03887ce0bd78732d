package dev.coppice.runner.drive;

import dev.coppice.runner.drive.dialect.Message;

/** An occurrence that a driver waits for. */
sealed interface Heard {
    /** A line of the program. */
    record Line(String text) implements Heard {}

    /** A line that was too long to be kept; {@code begin} is its beginning. */
    record Overlong(String begin, long bytes) implements Heard {}

    /** A line of the program's standard error. */
    record Complaint(String text) implements Heard {}

    /** A message to the session. */
    record Told(Message message) implements Heard {}

    /** The session of a subagent was stopped. */
    record SubagentStopped(String agent) implements Heard {}

    /** A budget is spent, except the share that is reserved for a last report. */
    record NearlySpent(String what) implements Heard {}

    /** The program has ended. */
    record Ended(int exit) implements Heard {}

    /** The runner asks the agent to end. */
    record Stop() implements Heard {}
}
