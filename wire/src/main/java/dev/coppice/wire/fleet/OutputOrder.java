package dev.coppice.wire.fleet;

/**
 * An order to a runner to send a part of the output of a run. It answers when there are bytes after
 * the offsets, when the run has ended, or after {@code waitMs}. A negative offset counts from the
 * end.
 */
public record OutputOrder(
        String orderId, String runId, long stdout, long stderr, int bytesMax, long waitMs) {}
