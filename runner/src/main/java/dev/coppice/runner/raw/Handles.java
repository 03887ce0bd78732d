package dev.coppice.runner.raw;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.AccessDeniedException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.nio.file.SecureDirectoryStream;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/**
 * Walks and deletes directories by handle, and never follows a link. A live agent can replace a
 * directory with a link between a check and the step into it; a handle stays with the directory
 * that was checked.
 */
public final class Handles {
    /** Each level needs two file descriptors. */
    private static final int DEPTH_MAX = 200;

    /** Longest path to preserve: it must fit below another directory when it is restored. */
    private static final int PATH_BYTES_MAX = 3_000;

    private Handles() {}

    /** A file or directory: handle of its parent, name, path, raw path, attributes. */
    public record Entry(
            SecureDirectoryStream<Path> in,
            Path name,
            Path path,
            String raw,
            PosixFileAttributes attributes) {
        /** Opens the file. One that its owner may not read is made readable meanwhile. */
        public SeekableByteChannel open() throws IOException {
            var how = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
            try {
                return in.newByteChannel(name, how);
            } catch (AccessDeniedException _) {
                try (var _ = TemporaryMode.usable(this)) {
                    return in.newByteChannel(name, how);
                }
            }
        }
    }

    /** Called for each entry of a walk; those of one directory come in order of raw names. */
    public interface Visitor {
        /** True to descend into the directory. */
        boolean directory(Entry directory) throws IOException;

        void file(Entry file) throws IOException;
    }

    /** Walks a directory. Visits nothing if the root is missing, a file or a link. */
    public static void walk(Path root, Visitor visitor) throws IOException {
        try (var top = open(root)) {
            if (top != null) walk(top, root, "", 1, visitor);
        }
    }

    private static void walk(
            SecureDirectoryStream<Path> directory,
            Path path,
            String raw,
            int depth,
            Visitor visitor)
            throws IOException {
        if (depth > DEPTH_MAX || raw.length() > PATH_BYTES_MAX) {
            throw new PreservationFailed("'" + path + "' is nested too deeply to be preserved");
        }
        for (var entry : sorted(directory, path, raw)) {
            if (!entry.attributes().isDirectory()) {
                visitor.file(entry);
            } else if (visitor.directory(entry)) {
                try (var below = into(entry)) {
                    walk(below.stream(), entry.path(), entry.raw() + "/", depth + 1, visitor);
                } catch (NoSuchFileException | NotDirectoryException _) {
                    // Deleted or replaced meanwhile.
                }
            }
        }
    }

    private static List<Entry> sorted(SecureDirectoryStream<Path> directory, Path path, String raw)
            throws IOException {
        var found = new ArrayList<Entry>();
        for (var each : directory) {
            var name = each.getFileName();
            try {
                var attributes = view(directory, name).readAttributes();
                var whole = raw + RawName.of(name);
                found.add(new Entry(directory, name, path.resolve(name), whole, attributes));
            } catch (NoSuchFileException _) {
                // Deleted meanwhile.
            }
        }
        found.sort(Comparator.comparing(Entry::raw));
        return found;
    }

    private static PosixFileAttributeView view(SecureDirectoryStream<Path> in, Path name) {
        return in.getFileAttributeView(
                name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    }

    /** An open directory. Closing restores the mode of one that its owner may not enter. */
    private record Below(SecureDirectoryStream<Path> stream, @Nullable TemporaryMode pinned)
            implements AutoCloseable {
        /** Closes the directory and leaves it usable. */
        void letGo() throws IOException {
            stream.close();
            if (pinned != null) pinned.letGo();
        }

        @Override
        public void close() throws IOException {
            stream.close();
            if (pinned != null) pinned.close();
        }
    }

    private static Below into(Entry entry) throws IOException {
        try {
            return new Below(opened(entry), null);
        } catch (AccessDeniedException _) {
            var pinned = TemporaryMode.usable(entry);
            try {
                return new Below(opened(entry), pinned);
            } catch (IOException e) {
                pinned.close();
                throw e;
            }
        }
    }

    private static SecureDirectoryStream<Path> opened(Entry entry) throws IOException {
        return entry.in().newDirectoryStream(entry.name(), LinkOption.NOFOLLOW_LINKS);
    }

    /** Opens the root through its parent's handle, so that a link in its place is not followed. */
    private static @Nullable SecureDirectoryStream<Path> open(Path root) throws IOException {
        var name = root.getFileName();
        try (var parent = parent(root)) {
            return parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException | NotDirectoryException _) {
            return null;
        } catch (IOException e) {
            // A link gives no exception of its own type on Linux.
            if (Files.isSymbolicLink(root)) return null;
            throw e;
        }
    }

    /** Opens the parent of a path. The caller closes it. */
    @SuppressWarnings("StreamResourceLeak")
    private static SecureDirectoryStream<Path> parent(Path path) throws IOException {
        var above = path.toAbsolutePath().getParent();
        if (above == null) throw new PreservationFailed("'" + path + "' has no parent directory");
        DirectoryStream<Path> stream = Files.newDirectoryStream(above);
        if (stream instanceof SecureDirectoryStream<Path> secure) return secure;
        stream.close();
        throw new PreservationFailed("this system cannot open directories by handle");
    }

    /** Deletes a file or directory. A link is deleted, but not its target. */
    public static void delete(Path root) throws IOException {
        if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) return;
        try (var parent = parent(root)) {
            var name = root.getFileName();
            var attributes = view(parent, name).readAttributes();
            var raw = RawName.of(name);
            var entry = new Entry(parent, name, root, raw, attributes);
            if (attributes.isDirectory()) new Deletion().directory(entry, 1);
            else parent.deleteFile(name);
        } catch (NoSuchFileException _) {
            // Deleted meanwhile.
        }
    }

    private static final class Deletion {
        private @Nullable SecureDirectoryStream<Path> root;
        private int moved;

        void directory(Entry entry, int depth) throws IOException {
            try {
                var below = into(entry);
                try {
                    if (root == null) root = below.stream();
                    all(below.stream(), entry, depth);
                    // Directories that were too deep have been moved to the top.
                    while (depth == 1 && !entries(below.stream(), entry).isEmpty()) {
                        all(below.stream(), entry, depth);
                    }
                } finally {
                    below.letGo();
                }
            } catch (AccessDeniedException e) {
                throw new PreservationFailed(
                        "cannot delete '" + entry.path() + "': permission denied");
            }
            entry.in().deleteDirectory(entry.name());
        }

        private void all(SecureDirectoryStream<Path> below, Entry entry, int depth)
                throws IOException {
            for (var one : entries(below, entry)) {
                if (!one.attributes().isDirectory()) remove(below, entry, one);
                else if (depth < DEPTH_MAX || root == null) directory(one, depth + 1);
                else below.move(one.name(), root, Path.of(".deep-" + moved++));
            }
        }

        /** Lists through a second handle: a directory stream can be iterated only once. */
        private static List<Entry> entries(SecureDirectoryStream<Path> below, Entry entry)
                throws IOException {
            try (var again = below.newDirectoryStream(Path.of("."), LinkOption.NOFOLLOW_LINKS)) {
                return sorted(again, entry.path(), "").stream()
                        .map(e -> new Entry(below, e.name(), e.path(), e.raw(), e.attributes()))
                        .toList();
            }
        }

        private static void remove(SecureDirectoryStream<Path> below, Entry entry, Entry one)
                throws IOException {
            try {
                below.deleteFile(one.name());
            } catch (AccessDeniedException _) {
                TemporaryMode.usable(entry).letGo();
                below.deleteFile(one.name());
            } catch (NoSuchFileException _) {
                // Deleted meanwhile.
            }
        }
    }
}
