package dev.coppice.runner.unsaved;

import dev.coppice.runner.raw.Handles;
import dev.coppice.runner.raw.RawName;

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
 * A directory with everything in it, whatever it is for: how many files, how large, and which
 * repositories lie in it.
 */
final class Whole {
    /** More than this is no agent's workplace but somebody's disk. */
    private static final int ENTRIES_MAX = 1_000_000;

    final Path root;

    /** Where a repository has its work tree, or is one by itself. */
    final List<Path> repositories = new ArrayList<>();

    /** Where repositories in it keep the list of their linked work trees. */
    final List<Path> lists = new ArrayList<>();

    /** Sockets and devices, in which there is nothing to keep. */
    final List<String> unkept = new ArrayList<>();

    /** Sizes by name in bytes of what is a file. */
    final TreeMap<String, Long> sizes = new TreeMap<>();

    private final java.security.MessageDigest said = Contents.digest();
    private int entries;
    private String fingerprint = "";

    private Whole(Path root) {
        this.root = root;
    }

    static Whole at(Path root) {
        var found = new Whole(root);
        try {
            found.look();
        } catch (IOException e) {
            throw new UncheckedIOException("looking through " + root, e);
        }
        found.fingerprint = java.util.HexFormat.of().formatHex(found.said.digest());
        return found;
    }

    private void look() throws IOException {
        meet(root);
        Handles.walk(
                root,
                new Handles.Visitor() {
                    @Override
                    public boolean directory(Handles.Entry directory) {
                        count();
                        said(directory, 0);
                        var path = directory.path();
                        if (!isIn(directory.raw(), ".git")) meet(path);
                        boolean list =
                                path.endsWith("worktrees")
                                        && Files.isRegularFile(path.resolveSibling("HEAD"));
                        if (list) lists.add(path);
                        return true;
                    }

                    @Override
                    public void file(Handles.Entry file) {
                        count();
                        var attributes = file.attributes();
                        said(file, attributes.size());
                        if (attributes.isOther()) unkept.add(RawName.shown(file.raw()));
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

    private void meet(Path directory) {
        boolean tree = Files.exists(directory.resolve(".git"), LinkOption.NOFOLLOW_LINKS);
        boolean bare =
                Files.isRegularFile(directory.resolve("HEAD"))
                        && Files.isDirectory(directory.resolve("objects"))
                        && Files.isDirectory(directory.resolve("refs"));
        if (tree || bare) repositories.add(directory);
    }

    private void count() {
        if (++entries > ENTRIES_MAX) {
            throw new Git.Failed(
                    "%s has more than %d files; tidy it up first".formatted(root, ENTRIES_MAX));
        }
    }

    /**
     * Changes with every write: the kernel sets the time of a file's last change, and no program
     * can set it back.
     */
    private void said(Handles.Entry entry, long size) {
        var line =
                "%s\0%d %s %s %s\n"
                        .formatted(
                                entry.raw(),
                                size,
                                entry.attributes().lastModifiedTime(),
                                entry.attributes().fileKey(),
                                changed(entry));
        said.update(line.getBytes(StandardCharsets.ISO_8859_1));
    }

    /** Reading a file that its owner may not read changes its ctime, so there it tells nothing. */
    private static String changed(Handles.Entry entry) {
        var attributes = entry.attributes();
        boolean isReadable = attributes.permissions().contains(PosixFilePermission.OWNER_READ);
        if (attributes.isDirectory() || !isReadable) return "";
        try {
            return String.valueOf(
                    Files.getAttribute(entry.path(), "unix:ctime", LinkOption.NOFOLLOW_LINKS));
        } catch (IOException | UnsupportedOperationException | IllegalArgumentException _) {
            return "";
        }
    }

    /** Sizes of sparse files can add up to more than there are numbers. */
    static long plus(long one, long other) {
        return one > Long.MAX_VALUE - other ? Long.MAX_VALUE : one + other;
    }

    boolean isEmpty() {
        return entries == 0;
    }

    long bytes() {
        return sizes.values().stream().mapToLong(Long::longValue).reduce(0, Whole::plus);
    }

    /** Of its files without those that git keeps for itself. */
    long files() {
        return sizes.keySet().stream().filter(name -> !isIn(name, ".git")).count();
    }

    String fingerprint() {
        return fingerprint;
    }
}
