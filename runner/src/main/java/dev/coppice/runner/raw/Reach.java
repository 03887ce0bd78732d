package dev.coppice.runner.raw;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Deque;

/**
 * Paths of any length below a directory. The system accepts 4,096 bytes at once. A directory on the
 * way to a longer path is pinned, and the rest is resolved below the pin. A path is valid until one
 * that is not below the same pin is requested, as in a walk.
 */
final class Reach implements AutoCloseable {
    /** Leaves room for a name and for the path of a pin. */
    private static final int PATH_BYTES_MAX = 3_000;

    private final Path root;
    private final int rootBytes;

    /** Pinned directories, each below the one before; the first is the root. */
    private final Deque<Pinned> pinned = new ArrayDeque<>();

    /** A directory with its raw path, which ends with a slash unless it is the root. */
    private record Pinned(String raw, Pin pin) {}

    Reach(Path root) {
        this.root = root.toAbsolutePath();
        this.rootBytes = RawName.bytes(this.root).length;
    }

    /** Returns the path of a file by its raw path, whose parent exists. */
    Path at(String raw) throws IOException {
        return isNear(raw) ? RawName.below(root, raw) : far(raw);
    }

    /** Returns the path of a file, which is the given one unless that is too long. */
    Path at(String raw, Path path) throws IOException {
        return isNear(raw) ? path : far(raw);
    }

    private boolean isNear(String raw) {
        return raw.isEmpty() || rootBytes + raw.length() < PATH_BYTES_MAX;
    }

    private Path far(String raw) throws IOException {
        if (!Pin.isPossible()) throw tooLong(raw);
        while (!pinned.isEmpty() && !raw.startsWith(pinned.getLast().raw())) release();
        if (pinned.isEmpty()) pinned.addLast(new Pinned("", Pin.of(root)));
        while (raw.length() - from().length() > PATH_BYTES_MAX) {
            int start = from().length();
            int cut = raw.lastIndexOf('/', start + PATH_BYTES_MAX);
            if (cut <= start) throw tooLong(raw);
            var directory = below(raw.substring(start, cut));
            pinned.addLast(new Pinned(raw.substring(0, cut + 1), Pin.of(directory)));
        }
        return below(raw.substring(from().length()));
    }

    private String from() {
        return pinned.getLast().raw();
    }

    private Path below(String raw) {
        return RawName.below(pinned.getLast().pin().path(), raw);
    }

    private void release() {
        pinned.removeLast().pin().close();
    }

    private PreservationFailed tooLong(String raw) {
        return new PreservationFailed(
                "the path of '%s' is too long for this system".formatted(RawName.shown(raw)));
    }

    @Override
    public void close() {
        while (!pinned.isEmpty()) release();
    }
}
