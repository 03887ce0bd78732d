package dev.coppice.request;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.Map;

/** An answer to a request. */
public sealed interface Reply {
    int status();

    record Body(int status, Object value) implements Reply {}

    record Nothing(int status) implements Reply {}

    /** A text that is already rendered. */
    record Text(int status, String mediaType, String text) implements Reply {}

    /** A stream, until the reader or the server closes it. */
    record Stream(Feed feed) implements Reply {
        @Override
        public int status() {
            return 200;
        }
    }

    /** A document that is too large to hold, written part by part. */
    record Document(String mediaType, Feed feed) implements Reply {
        @Override
        public int status() {
            return 200;
        }
    }

    /** A file, sent as it is on disk. */
    record File(java.nio.file.Path path) implements Reply {
        @Override
        public int status() {
            return 200;
        }
    }

    /** An answer with further headers. */
    record With(Reply reply, Map<String, String> headers) implements Reply {
        public With {
            headers = Map.copyOf(headers);
        }

        @Override
        public int status() {
            return reply.status();
        }
    }

    /** An answer that is not ready yet. The connection is kept alive, and checked, until then. */
    record Patient(int status, Wait until) implements Reply {}

    /** A WebSocket, until either side closes it. */
    record Socket(Talk talk) implements Reply {
        @Override
        public int status() {
            return 101;
        }
    }

    /** The coordinator's side of a WebSocket. */
    interface Talk {
        void over(Line line) throws IOException, InterruptedException;

        /** Answers a text of the other side; null for none. */
        default @Nullable String answer(String text) {
            return null;
        }
    }

    /** The other side of a WebSocket. */
    interface Line {
        boolean isOpen();

        /** Waits until the text, in UTF-8, is on its way; fails if that takes too long. */
        void send(byte[] text) throws IOException, InterruptedException;

        default void send(String text) throws IOException, InterruptedException {
            send(text.getBytes(StandardCharsets.UTF_8));
        }

        /** Keeps the connection from timing out. */
        void ping() throws IOException, InterruptedException;
    }

    interface Feed {
        void into(OutputStream out) throws IOException, InterruptedException;
    }

    static Reply ok(Object value) {
        return new Body(200, value);
    }
}
