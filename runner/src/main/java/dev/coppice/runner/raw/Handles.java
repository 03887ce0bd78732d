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
 * Looks through directories and deletes them by handle. An agent that is still alive can put a link
 * in place of a directory between a look and a step into it; a handle stays with what was looked
 * at, and a link is never followed.
 */
public final class Handles {
    /** Each level holds two of the process's files open. */
    private static final int DEPTH_MAX = 200;

    /** The longest path to keep: programs must be able to restore it below some other directory. */
    private static final int PATH_BYTES_MAX = 3_000;

    private Handles() {}

    /** One file or directory: below which it lies, its bytes of a path, and what it is. */
    public record Entry(
            SecureDirectoryStream<Path> in,
            Path name,
            Path path,
            String raw,
            PosixFileAttributes attributes) {
        /** Opens the contents. A file that its owner may not read is made readable meanwhile. */
        public SeekableByteChannel open() throws IOException {
            var how = Set.of(StandardOpenOption.READ, LinkOption.NOFOLLOW_LINKS);
            try {
                return in.newByteChannel(name, how);
            } catch (AccessDeniedException _) {
                try (var _ = Pinned.usable(this)) {
                    return in.newByteChannel(name, how);
                }
            }
        }
    }

    /** What is done with what is met; all in one directory are met in the order of their bytes. */
    public interface Visitor {
        /** Whether to look into it. */
        boolean directory(Entry directory) throws IOException;

        void file(Entry file) throws IOException;
    }

    /** Nothing at all where there is no directory, or a link in place of one. */
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
            throw new NotKept(path + " is nested too deeply to be kept");
        }
        for (var entry : sorted(directory, path, raw)) {
            if (!entry.attributes().isDirectory()) {
                visitor.file(entry);
            } else if (visitor.directory(entry)) {
                try (var below = into(entry)) {
                    walk(below.stream(), entry.path(), entry.raw() + "/", depth + 1, visitor);
                } catch (NoSuchFileException | NotDirectoryException _) {
                    // Gone, or something else, in the meantime.
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
                // Gone in the meantime.
            }
        }
        found.sort(Comparator.comparing(Entry::raw));
        return found;
    }

    private static PosixFileAttributeView view(SecureDirectoryStream<Path> in, Path name) {
        return in.getFileAttributeView(
                name, PosixFileAttributeView.class, LinkOption.NOFOLLOW_LINKS);
    }

    /** An open directory; one that its owner may not enter is made usable until it is closed. */
    private record Below(SecureDirectoryStream<Path> stream, @Nullable Pinned pinned)
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
            var pinned = Pinned.usable(entry);
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

    /** By its parent's handle, so that a link in its place is not followed. */
    private static @Nullable SecureDirectoryStream<Path> open(Path root) throws IOException {
        var name = root.getFileName();
        try (var parent = parent(root)) {
            return parent.newDirectoryStream(name, LinkOption.NOFOLLOW_LINKS);
        } catch (NoSuchFileException | NotDirectoryException _) {
            return null;
        } catch (IOException e) {
            // How Linux says that it is a link.
            if (Files.isSymbolicLink(root)) return null;
            throw e;
        }
    }

    /** Closed by whoever asks for it. */
    @SuppressWarnings("StreamResourceLeak")
    private static SecureDirectoryStream<Path> parent(Path path) throws IOException {
        var above = path.toAbsolutePath().getParent();
        if (above == null) throw new NotKept(path + " has nothing above it");
        DirectoryStream<Path> stream = Files.newDirectoryStream(above);
        if (stream instanceof SecureDirectoryStream<Path> secure) return secure;
        stream.close();
        throw new NotKept("this system cannot look through directories by handle");
    }

    /** A link goes itself, and what it leads to stays. */
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
            // Someone else was faster.
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
                    // What lay too deep was put at the top, one after the other.
                    while (depth == 1 && !entries(below.stream(), entry).isEmpty()) {
                        all(below.stream(), entry, depth);
                    }
                } finally {
                    below.letGo();
                }
            } catch (AccessDeniedException e) {
                throw new NotKept(entry.path() + " cannot be deleted: access is denied");
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

        /** By a second handle: the first one has been read to its end, and cannot be again. */
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
                Pinned.usable(entry).letGo();
                below.deleteFile(one.name());
            } catch (NoSuchFileException _) {
                // Gone in the meantime.
            }
        }
    }
}
