package dev.coppice.mcp.call;

import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.function.BooleanSupplier;

/**
 * The messages of one stream. Its reader may be slow, disconnect and return: the newest messages
 * are kept within bounds, and the last one always. A new reader replaces the current one.
 */
public final class Outbox {
    private static final int MESSAGES_MAX = 512;
    private static final int CHARS_MAX = 1024 * 1024;
    private static final Duration HEARTBEAT = Duration.ofSeconds(5);
    private static final byte[] BEAT = ":\n\n".getBytes(StandardCharsets.UTF_8);
    private static final int RETRY_MILLIS = 500;

    /** Continues after the last message that any reader has read. */
    public static final long WHERE_IT_WAS = -1;

    private final String name;
    private final boolean isResumable;
    private final boolean isPrimed;
    private final ArrayDeque<Message> messages = new ArrayDeque<>();
    private long last;
    private long delivered;
    private long chars;
    private int reader;
    private boolean isReleased;
    private boolean isOver;
    private boolean isDelivered;
    private int status = 200;

    /** A message, encoded. */
    private record Message(long number, String text) {}

    /** A message that needs no stream, and the status of its answer. */
    public record Only(int status, String text) {}

    /** A stream without a name cannot be resumed: its events have no ids. */
    public Outbox() {
        this("", false, false);
    }

    private Outbox(String name, boolean isResumable, boolean isPrimed) {
        this.name = name;
        this.isResumable = isResumable;
        this.isPrimed = isPrimed;
    }

    /** A stream that its client can resume; a primed one begins with an event for that. */
    static Outbox resumable(String name, boolean isPrimed) {
        return new Outbox(name, true, isPrimed);
    }

    String name() {
        return name;
    }

    public synchronized void send(Object message) {
        if (!isOver) add(Json.write(message));
    }

    /** Sends a message unless the same one is waiting to be read. */
    public synchronized void sendOnce(Object message) {
        if (isOver) return;
        var text = Json.write(message);
        for (var waiting : messages) {
            if (waiting.number() > delivered && waiting.text().equals(text)) return;
        }
        add(text);
    }

    /** Sends the last message. */
    public void end(Object message) {
        end(200, message);
    }

    /** Sends the last message; if it is the only one, it is the answer with this status. */
    public synchronized void end(int with, Object message) {
        if (isOver) return;
        status = with;
        isOver = true;
        add(Json.write(message));
    }

    /** Records that the client has the answer, and will not return. */
    synchronized void delivered() {
        isDelivered = true;
    }

    synchronized boolean isDelivered() {
        return isDelivered;
    }

    /** Ends the stream without a last message. */
    synchronized void close() {
        isOver = true;
        notifyAll();
    }

    /** Ends the connection of the reader, which reconnects for the rest. */
    synchronized void release() {
        isReleased = true;
        notifyAll();
    }

    private void add(String text) {
        messages.add(new Message(++last, text));
        chars += text.length();
        while (messages.size() > 1 && (messages.size() > MESSAGES_MAX || chars > CHARS_MAX)) {
            chars -= messages.remove().text().length();
        }
        notifyAll();
    }

    public synchronized long chars() {
        return chars;
    }

    synchronized boolean hasReader() {
        return reader % 2 == 1;
    }

    /** The single message of a stream that is over, if it comes in time; else null. */
    public synchronized @Nullable Only only(Duration patience) throws InterruptedException {
        long until = System.nanoTime() + patience.toNanos();
        while (messages.isEmpty() && !isOver && !isReleased) {
            long left = (until - System.nanoTime()) / 1_000_000;
            if (left <= 0) return null;
            wait(left);
        }
        return isOver && messages.size() == 1 ? new Only(status, messages.getFirst().text()) : null;
    }

    /** The last message, once the stream is over; null if that takes longer. */
    public synchronized @Nullable String ending(Duration patience) throws InterruptedException {
        long until = System.nanoTime() + patience.toNanos();
        while (!isOver) {
            long left = (until - System.nanoTime()) / 1_000_000;
            if (left <= 0) return null;
            wait(left);
        }
        return messages.isEmpty() ? "" : messages.getLast().text();
    }

    /**
     * Writes the messages after a number until the stream is over, the reader is replaced or {@code
     * isGood} is false.
     */
    public void into(OutputStream out, long after, BooleanSupplier isGood)
            throws IOException, InterruptedException {
        int me = begin(after);
        try {
            if (isPrimed) {
                var prime =
                        "id: %s-%d\nretry: %d\ndata:\n\n".formatted(name, position(), RETRY_MILLIS);
                out.write(prime.getBytes(StandardCharsets.UTF_8));
            } else {
                out.write(BEAT);
            }
            out.flush();
            while (isGood.getAsBoolean()) {
                var message = next(me);
                if (message == null && isLeft(me)) return;
                // Check after the wait, which may have been long.
                if (!isGood.getAsBoolean()) return;
                out.write(message == null ? BEAT : event(message));
                out.flush();
            }
        } finally {
            end(me);
        }
    }

    /** A reader has an odd number; an even number means that there is none. */
    private synchronized int begin(long after) {
        reader += reader % 2 == 1 ? 2 : 1;
        if (after != WHERE_IT_WAS) delivered = after;
        isReleased = false;
        notifyAll();
        return reader;
    }

    private synchronized long position() {
        return delivered;
    }

    private synchronized void end(int me) {
        if (reader == me) reader++;
    }

    private synchronized boolean isLeft(int me) {
        return reader != me || isReleased || isOver;
    }

    /** The next message; null after the time of a heartbeat, or if this reader is to leave. */
    private synchronized @Nullable Message next(int me) throws InterruptedException {
        long until = System.nanoTime() + HEARTBEAT.toNanos();
        while (reader == me && !isReleased) {
            for (var message : messages) {
                if (message.number() <= delivered) continue;
                delivered = message.number();
                return message;
            }
            long left = (until - System.nanoTime()) / 1_000_000;
            if (isOver || left <= 0) return null;
            wait(left);
        }
        return null;
    }

    private byte[] event(Message message) {
        var id = isResumable ? "id: %s-%d\n".formatted(name, message.number()) : "";
        var event = id + "event: message\ndata: " + message.text() + "\n\n";
        return event.getBytes(StandardCharsets.UTF_8);
    }
}
