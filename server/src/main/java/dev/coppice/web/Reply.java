package dev.coppice.web;

import dev.coppice.operation.Wait;

import java.io.IOException;
import java.io.OutputStream;

/** What goes back to a caller. */
public sealed interface Reply {
    int status();

    record Body(int status, Object value) implements Reply {}

    record Nothing(int status) implements Reply {}

    /** Already rendered, as {@code mediaType}. */
    record Text(int status, String mediaType, String text) implements Reply {}

    /** Goes on until one of the two has had enough. */
    record Stream(Feed feed) implements Reply {
        @Override
        public int status() {
            return 200;
        }
    }

    /** A file as it lies on disk. */
    record File(java.nio.file.Path path) implements Reply {
        @Override
        public int status() {
            return 200;
        }
    }

    /** Comes when it is there; until then the connection is kept alive, and found to be broken. */
    record Patient(int status, Wait until) implements Reply {}

    interface Feed {
        void into(OutputStream out) throws IOException, InterruptedException;
    }

    static Reply ok(Object value) {
        return new Body(200, value);
    }
}
