package dev.coppice.runner.unsaved;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.List;

/**
 * A directory without git: its files, those too large to be kept, and the repositories below it,
 * which are kept as what they are.
 */
final class Directory {
    /** More than this is no agent's workplace but somebody's disk. */
    static final int ENTRIES_MAX = 50_000;

    static final long FILE_BYTES_MAX = 256L * 1024 * 1024;

    final Path root;
    final List<String> files = new ArrayList<>();
    final List<String> tooLarge = new ArrayList<>();

    /** Pipes, sockets and devices, in which there is nothing to keep. */
    final List<String> unkept = new ArrayList<>();

    final List<Path> repositories = new ArrayList<>();
    long bytes;
    boolean isCutShort;
    private final StringBuilder said = new StringBuilder();
    private int entries;

    private Directory(Path root) {
        this.root = root;
    }

    /** One that nobody looks through. */
    static Directory unseen(Path root) {
        return new Directory(root);
    }

    static Directory at(Path root) {
        var found = new Directory(root);
        try {
            Files.walkFileTree(root, found.new Visitor());
        } catch (IOException e) {
            throw new UncheckedIOException("looking through " + root, e);
        }
        return found;
    }

    boolean hasFiles() {
        return !files.isEmpty() || !tooLarge.isEmpty();
    }

    /** A directory in which there is nothing; what is none is not. */
    static boolean isEmpty(Path directory) {
        if (!Files.isDirectory(directory)) return false;
        try (var inside = Files.list(directory)) {
            return inside.findAny().isEmpty();
        } catch (IOException e) {
            throw new UncheckedIOException("looking into " + directory, e);
        }
    }

    /** Changes when a file does, as far as its size and time tell. */
    String fingerprint() {
        return Contents.sha256(said.toString());
    }

    /** Links are not followed, so nothing leads out of it. */
    private final class Visitor extends Walk {
        @Override
        public FileVisitResult preVisitDirectory(Path dir, BasicFileAttributes attributes) {
            if (isOver()) return FileVisitResult.TERMINATE;
            if (!dir.equals(root) && Files.exists(dir.resolve(".git"))) {
                repositories.add(dir);
                return FileVisitResult.SKIP_SUBTREE;
            }
            return FileVisitResult.CONTINUE;
        }

        @Override
        public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
            if (isOver()) return FileVisitResult.TERMINATE;
            var path = root.relativize(file).toString();
            if (attributes.isOther()) unkept.add(path);
            if (Contents.mode(file).equals(Contents.NOTHING)) return FileVisitResult.CONTINUE;
            if (!root.resolve(path).equals(file)) {
                throw new Git.Failed("a file in %s has a name that cannot be read".formatted(root));
            }
            said.append(path).append(' ').append(attributes.size()).append(' ');
            said.append(attributes.lastModifiedTime().toMillis()).append('\n');
            // Git stores no path with '.git' in it, and a file of that name is no repository.
            boolean unnameable = ("/" + path + "/").contains("/.git/");
            if (unnameable || attributes.size() > FILE_BYTES_MAX) {
                tooLarge.add(path);
            } else {
                files.add(path);
                bytes += attributes.size();
            }
            return FileVisitResult.CONTINUE;
        }

        private boolean isOver() {
            isCutShort = ++entries > ENTRIES_MAX;
            return isCutShort;
        }
    }

    /** Only what is inside goes: a link is taken away, not what it leads to. */
    static void delete(Path root) throws IOException {
        if (!Files.exists(root, java.nio.file.LinkOption.NOFOLLOW_LINKS)) return;
        Files.walkFileTree(
                root,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult preVisitDirectory(
                            Path dir, BasicFileAttributes attributes) {
                        // Some programs write-protect what they have unpacked.
                        if (!Files.isWritable(dir) && !dir.toFile().setWritable(true)) {
                            throw new Git.Failed(dir + " cannot be written, and stays");
                        }
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes)
                            throws IOException {
                        Files.delete(file);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(
                            Path dir, @org.jspecify.annotations.Nullable IOException e)
                            throws IOException {
                        if (e != null) throw e;
                        Files.delete(dir);
                        return FileVisitResult.CONTINUE;
                    }
                });
    }
}
