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
import java.nio.file.attribute.BasicFileAttributes;
import java.nio.file.attribute.PosixFileAttributeView;
import java.nio.file.attribute.PosixFileAttributes;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;

/**
 * Walks and deletes directories by handle, and never follows a link. A live agent can replace a
 * directory with a link between a check and the step into it; a handle stays with the directory
 * that was checked.
 */
public final class Handles {
    /** Levels that are open at once: each needs two file descriptors. */
    private static final int DEPTH_MAX = 200;

    /** The longest path below a directory. Each directory on the way holds its own path. */
    private static final int PATH_BYTES_MAX = 16 * 1024;

    private static final int SHOWN_CHARS_MAX = 200;

    private Handles() {}

    /**
     * A file or directory: handle of its parent, name, path, raw path, attributes. The path may be
     * too long for the system.
     */
    public record Entry(
            SecureDirectoryStream<Path> in,
            Path name,
            Path path,
            String raw,
            PosixFileAttributes attributes,
            Reach reach) {
        /** The same entry by another handle of its parent. */
        private Entry in(SecureDirectoryStream<Path> parent) {
            return new Entry(parent, name, path, raw, attributes, reach);
        }

        /** Returns a path that the system accepts while the entry is visited. */
        public Path near() throws IOException {
            return reach.at(raw, path);
        }

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

    /**
     * Called for each entry of a walk; those of one directory come in order of raw names, and a
     * directory comes before what is in it.
     */
    public interface Visitor {
        /** True to descend into the directory. */
        boolean directory(Entry directory) throws IOException;

        void file(Entry file) throws IOException;
    }

    /** Walks a directory. Visits nothing if the root is missing, a file or a link. */
    public static void walk(Path root, Visitor visitor) throws IOException {
        try (var top = open(root);
                var reach = new Reach(root)) {
            if (top == null) return;
            var walk = new Walk(visitor, reach);
            walk.all(sorted(top, root, "", reach), 1);
            while (!walk.deeper.isEmpty()) walk.again(walk.deeper.removeFirst());
        }
    }

    private static final class Walk {
        private final Visitor visitor;
        private final Reach reach;

        /** Directories too deep to keep all above them open; they are opened by path. */
        private final Deque<Entry> deeper = new ArrayDeque<>();

        Walk(Visitor visitor, Reach reach) {
            this.visitor = visitor;
            this.reach = reach;
        }

        void all(List<Entry> entries, int depth) throws IOException {
            for (var entry : entries) {
                if (entry.raw().length() > PATH_BYTES_MAX) throw tooLong(entry.path());
                if (!entry.attributes().isDirectory()) visitor.file(entry);
                else if (visitor.directory(entry)) descend(entry, depth);
            }
        }

        private void descend(Entry entry, int depth) throws IOException {
            if (depth < DEPTH_MAX) in(entry, depth + 1);
            else deeper.addLast(entry);
        }

        private void in(Entry entry, int depth) throws IOException {
            try (var below = into(entry)) {
                all(sorted(below.stream(), entry.path(), entry.raw() + "/", reach), depth);
            } catch (NoSuchFileException | NotDirectoryException _) {
                // Deleted or replaced meanwhile.
            }
        }

        /** Opens a directory whose parent was closed. Another one in its place is not visited. */
        void again(Entry entry) throws IOException {
            try (var parent = parent(entry.near())) {
                var attributes = view(parent, entry.name()).readAttributes();
                var key = entry.attributes().fileKey();
                if (!Objects.equals(attributes.fileKey(), key)) return;
                in(entry.in(parent), 1);
            } catch (NoSuchFileException | NotDirectoryException _) {
                // Deleted or replaced meanwhile.
            }
        }
    }

    private static List<Entry> sorted(
            SecureDirectoryStream<Path> directory, Path path, String raw, Reach reach)
            throws IOException {
        var found = new ArrayList<Entry>();
        for (var each : directory) {
            var name = each.getFileName();
            try {
                var attributes = view(directory, name).readAttributes();
                var whole = raw + RawName.of(name);
                var below = path.resolve(name);
                found.add(new Entry(directory, name, below, whole, attributes, reach));
            } catch (NoSuchFileException _) {
                // Deleted meanwhile.
            }
        }
        found.sort(Comparator.comparing(Entry::raw));
        return found;
    }

    private static PreservationFailed tooLong(Path path) {
        var text = path.toString();
        var begin = text.substring(0, Math.min(SHOWN_CHARS_MAX, text.length()));
        return new PreservationFailed(
                "'%s…' is a path of more than %d bytes; move it up"
                        .formatted(begin, PATH_BYTES_MAX));
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

    /**
     * Makes a file usable that its owner may not read, and restores its mode on close. A {@link
     * Pin} holds the file meanwhile, where the system has one, so a link put in its place is not
     * followed.
     */
    static final class TemporaryMode implements AutoCloseable {
        private static final Set<PosixFilePermission> USABLE =
                Set.of(
                        PosixFilePermission.OWNER_READ,
                        PosixFilePermission.OWNER_WRITE,
                        PosixFilePermission.OWNER_EXECUTE);
        private final Entry entry;
        private final @Nullable Pin pin;

        private TemporaryMode(Entry entry, @Nullable Pin pin) {
            this.entry = entry;
            this.pin = pin;
        }

        /** Throws if another file has taken the place of the entry. */
        static TemporaryMode usable(Entry entry) throws IOException {
            var made = new TemporaryMode(entry, Pin.isPossible() ? Pin.of(entry.near()) : null);
            try {
                var key = Files.readAttributes(made.path(), BasicFileAttributes.class).fileKey();
                if (!Objects.equals(key, entry.attributes().fileKey())) {
                    throw new PreservationFailed(
                            "'" + entry.path() + "' changed while it was read");
                }
                var more = new HashSet<>(entry.attributes().permissions());
                more.addAll(USABLE);
                Files.setPosixFilePermissions(made.path(), more);
                return made;
            } catch (IOException | PreservationFailed e) {
                made.letGo();
                throw e;
            }
        }

        private Path path() throws IOException {
            return pin == null ? entry.near() : pin.path();
        }

        @Override
        public void close() throws IOException {
            try {
                Files.setPosixFilePermissions(path(), entry.attributes().permissions());
            } finally {
                letGo();
            }
        }

        /** Closes the pin and leaves the file usable. */
        void letGo() {
            if (pin != null) pin.close();
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

    /**
     * Deletes a file or directory. A link is deleted, but not its target. A directory below which a
     * file system is mounted is refused: its files belong to another directory.
     */
    public static void delete(Path root) throws IOException {
        if (!Files.exists(root, LinkOption.NOFOLLOW_LINKS)) return;
        try (var parent = parent(root);
                var reach = new Reach(root)) {
            var name = root.getFileName();
            var attributes = view(parent, name).readAttributes();
            var entry = new Entry(parent, name, root, "", attributes, reach);
            if (attributes.isDirectory()) {
                Mounts.none(root);
                new Deletion(reach).directory(entry, 1);
            } else {
                parent.deleteFile(name);
            }
        } catch (NoSuchFileException _) {
            // Deleted meanwhile.
        }
    }

    private static final class Deletion {
        private final Reach reach;
        private @Nullable SecureDirectoryStream<Path> root;
        private int moved;

        Deletion(Reach reach) {
            this.reach = reach;
        }

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
        private List<Entry> entries(SecureDirectoryStream<Path> below, Entry entry)
                throws IOException {
            var raw = entry.raw().isEmpty() ? "" : entry.raw() + "/";
            try (var again = below.newDirectoryStream(Path.of("."), LinkOption.NOFOLLOW_LINKS)) {
                return sorted(again, entry.path(), raw, reach).stream()
                        .map(e -> e.in(below))
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
