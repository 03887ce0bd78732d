package dev.coppice.runner.unsaved;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Where a work tree and the files of its repository are, found without asking git: it would read a
 * configuration that an agent may have written.
 */
record Repository(Path top, Path gitDirectory, Path common, GitConfig config) {
    private static final int LINE_BYTES_MAX = 8 * 1024;
    private static final String LINKED = "gitdir: ";

    /** The work tree that this directory is in, looked for further and further up. */
    static Optional<Repository> around(Path directory) {
        for (var at = directory.toAbsolutePath().normalize(); at != null; at = at.getParent()) {
            var found = at(at);
            if (found.isPresent()) return found;
            // A directory within a repository is in none of its work trees.
            if (isGitDirectory(at)) return Optional.empty();
        }
        return Optional.empty();
    }

    /** The one whose work tree is this very directory. */
    static Optional<Repository> at(Path top) {
        var git = top.resolve(".git");
        if (Files.isDirectory(git)) {
            return isGitDirectory(git) ? Optional.of(of(top, real(git))) : Optional.empty();
        }
        var said = line(git);
        if (!said.startsWith(LINKED)) return Optional.empty();
        try {
            var directory = top.resolve(said.substring(LINKED.length())).normalize();
            boolean known = isGitDirectory(directory) && isMeant(directory, top);
            return known ? Optional.of(of(top, real(directory))) : Optional.empty();
        } catch (InvalidPathException _) {
            return Optional.empty();
        }
    }

    /** One without a work tree, in which others may be linked. */
    static Optional<Repository> bare(Path directory) {
        return isGitDirectory(directory)
                ? Optional.of(of(directory, real(directory)))
                : Optional.empty();
    }

    private static Repository of(Path top, Path gitDirectory) {
        var common = common(gitDirectory);
        return new Repository(top, gitDirectory, common, GitConfig.of(common, gitDirectory));
    }

    private static Path common(Path gitDirectory) {
        var said = line(gitDirectory.resolve("commondir"));
        return said.isEmpty() ? gitDirectory : real(gitDirectory.resolve(said).normalize());
    }

    private static boolean isGitDirectory(Path directory) {
        return Files.exists(directory.resolve("HEAD"), LinkOption.NOFOLLOW_LINKS)
                && (Files.isRegularFile(directory.resolve("commondir"))
                        || (Files.isDirectory(directory.resolve("objects"))
                                && Files.isDirectory(directory.resolve("refs"))));
    }

    /**
     * Anyone can write a file that points to somebody else's repository. One that is meant points
     * back, as a linked work tree and a submodule do, or belongs to no other work tree.
     */
    private static boolean isMeant(Path gitDirectory, Path top) {
        var back = line(gitDirectory.resolve("gitdir"));
        if (!back.isEmpty()) return isSame(gitDirectory.resolve(back), top.resolve(".git"));
        var config = GitConfig.of(gitDirectory, gitDirectory);
        var tree = config.value("core.worktree");
        if (!tree.isEmpty()) return isSame(gitDirectory.resolve(tree), top);
        return !gitDirectory.endsWith(".git") && !config.is("core.bare");
    }

    private static boolean isSame(Path one, Path other) {
        try {
            return Files.isSameFile(one, other);
        } catch (IOException | InvalidPathException _) {
            return false;
        }
    }

    private static Path real(Path path) {
        try {
            return path.toRealPath();
        } catch (IOException e) {
            throw new Git.Failed("%s cannot be looked at: %s".formatted(path, e.getMessage()));
        }
    }

    /** The first line of a small file; a path may end in a space. */
    static String line(Path file) {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) return "";
        try (var in = Files.newInputStream(file)) {
            var text = new String(in.readNBytes(LINE_BYTES_MAX), StandardCharsets.UTF_8);
            return text.lines().findFirst().orElse("");
        } catch (IOException e) {
            throw new Git.Failed("%s cannot be read: %s".formatted(file, e.getMessage()));
        }
    }

    /** Whether another repository keeps its commits, and stays when this work tree goes. */
    boolean isLinked() {
        return !gitDirectory.equals(common);
    }

    /** Where its refs still are when this work tree is gone. */
    Path home() {
        if (!isLinked()) return top;
        return common.endsWith(".git") ? common.resolveSibling("") : common;
    }
}
