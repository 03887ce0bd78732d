package dev.coppice.runner.directory;

import dev.coppice.runner.raw.Handles;
import dev.coppice.runner.raw.Inodes;
import dev.coppice.runner.raw.Losses;
import dev.coppice.runner.raw.PreservationFailed;
import dev.coppice.runner.raw.RawName;
import dev.coppice.tar.Tar;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;

/**
 * The contents of a directory: names and sizes of all files, the repositories in it, and a
 * fingerprint.
 */
final class DirectoryContents {
    /** A directory with more entries is not an agent's workplace but a whole disk. */
    private static final int ENTRIES_MAX = 1_000_000;

    /** All paths are held in memory. */
    private static final long PATHS_BYTES_MAX = 256L * 1024 * 1024;

    final Path root;

    /** Directories that are a work tree or a bare repository. */
    final List<Path> repositories = new ArrayList<>();

    /** Directories in which repositories list their linked work trees. */
    final List<Path> lists = new ArrayList<>();

    /** Sockets and devices, which have no contents to preserve. */
    final List<String> unpreserved = new ArrayList<>();

    /** The properties that files lack after a restore by the runner's user. */
    final Losses losses = new Losses();

    /** Sizes of files and links by raw path; a link counts as 0. */
    final TreeMap<String, Long> sizes = new TreeMap<>();

    private final java.security.MessageDigest digest = Contents.digest();
    private final Inodes inodes = new Inodes();
    private Tar.Owner ours = Tar.Owner.UNKNOWN;
    private int entries;
    private long pathsBytes;
    private String fingerprint = "";

    private DirectoryContents(Path root) {
        this.root = root;
    }

    static DirectoryContents at(Path root) {
        var found = new DirectoryContents(root);
        try {
            found.scan();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot walk '" + root + "'", e);
        }
        found.fingerprint = java.util.HexFormat.of().formatHex(found.digest.digest());
        return found;
    }

    private void scan() throws IOException {
        ours = inodes.ours();
        addIfRepository(root);
        Handles.walk(
                root,
                new Handles.Visitor() {
                    @Override
                    public boolean directory(Handles.Entry directory) {
                        count(directory);
                        update(directory, 0);
                        var path = directory.path();
                        if (!isIn(directory.raw(), ".git")) addIfRepository(path);
                        boolean list =
                                path.endsWith("worktrees")
                                        && Files.isRegularFile(path.resolveSibling("HEAD"));
                        if (list) lists.add(path);
                        return true;
                    }

                    @Override
                    public void file(Handles.Entry file) {
                        count(file);
                        var attributes = file.attributes();
                        update(file, attributes.size());
                        if (attributes.isOther()) unpreserved.add(RawName.shown(file.raw()));
                        else
                            sizes.put(
                                    file.raw(),
                                    attributes.isSymbolicLink() ? 0 : attributes.size());
                    }
                });
    }

    private static boolean isIn(String raw, String name) {
        return ("/" + raw + "/").contains("/" + name + "/");
    }

    private void addIfRepository(Path directory) {
        boolean tree = Files.exists(directory.resolve(".git"), LinkOption.NOFOLLOW_LINKS);
        boolean bare =
                Files.isRegularFile(directory.resolve("HEAD"))
                        && Files.isDirectory(directory.resolve("objects"))
                        && Files.isDirectory(directory.resolve("refs"));
        if (tree || bare) repositories.add(directory);
    }

    private void count(Handles.Entry entry) {
        if (++entries > ENTRIES_MAX) {
            throw new GitFailed(
                    "'%s' has more than %d files; delete some first".formatted(root, ENTRIES_MAX));
        }
        pathsBytes += entry.raw().length();
        if (pathsBytes > PATHS_BYTES_MAX) {
            throw new GitFailed(
                    "the paths of files in '%s' have more than %d bytes; delete some first"
                            .formatted(root, PATHS_BYTES_MAX));
        }
    }

    /**
     * Adds an entry to the fingerprint. This includes the ctime, which every write changes and no
     * program can set back.
     */
    private void update(Handles.Entry entry, long size) {
        lose(entry);
        var line =
                "%s\0%d %s %s %s\n"
                        .formatted(
                                entry.raw(),
                                size,
                                entry.attributes().lastModifiedTime(),
                                entry.attributes().fileKey(),
                                changed(entry));
        digest.update(line.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Records the properties that the archive does not hold. Skips a file that is gone. */
    private void lose(Handles.Entry entry) {
        try {
            var inode = inodes.of(entry);
            int mode = entry.attributes().isSymbolicLink() ? 0 : inode.permissions();
            losses.add(entry.raw(), mode, inode.owner(), ours);
            losses.addForOthers(entry.raw(), mode, inode.owner(), ours);
            losses.addExtended(entry.raw(), inode.extended());
        } catch (PreservationFailed _) {
            // The fingerprint covers what is left.
        }
    }

    /**
     * Returns the ctime; empty for directories, and if reading must change the mode and so the
     * ctime.
     */
    private static String changed(Handles.Entry entry) {
        var attributes = entry.attributes();
        boolean isReadable = attributes.permissions().contains(PosixFilePermission.OWNER_READ);
        if (attributes.isDirectory() || !isReadable) return "";
        try {
            return String.valueOf(
                    Files.getAttribute(entry.near(), "unix:ctime", LinkOption.NOFOLLOW_LINKS));
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException _) {
            return "";
        }
    }

    /** Adds sizes, up to the largest long: sparse files can add up to more. */
    static long plus(long one, long other) {
        return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
    }

    boolean isEmpty() {
        return entries == 0;
    }

    long bytes() {
        return sizes.values().stream()
                .mapToLong(Long::longValue)
                .reduce(0, DirectoryContents::plus);
    }

    /** Returns the number of files outside of {@code .git}. */
    long files() {
        return sizes.keySet().stream().filter(name -> !isIn(name, ".git")).count();
    }

    String fingerprint() {
        return fingerprint;
    }
}
