package dev.coppice.runner.directory;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.Optional;

/**
 * The location of a work tree and of its repository, found without git, which would read a
 * configuration that an agent may have written.
 */
record Repository(Path top, Path gitDirectory, Path common, GitConfig config) {
    private static final int LINE_BYTES_MAX = 8 * 1024;
    private static final String LINKED = "gitdir: ";

    /** Finds the work tree that contains the directory. */
    static Optional<Repository> around(Path directory) {
        for (var at = directory.toAbsolutePath().normalize(); at != null; at = at.getParent()) {
            var found = at(at);
            if (found.isPresent()) return found;
            // A directory inside a git directory is in no work tree.
            if (isGitDirectory(at)) return Optional.empty();
        }
        return Optional.empty();
    }

    /** Finds the repository whose work tree is exactly this directory. */
    static Optional<Repository> at(Path top) {
        var git = top.resolve(".git");
        if (Files.isDirectory(git)) {
            return isGitDirectory(git) ? Optional.of(of(top, real(git))) : Optional.empty();
        }
        var pointer = line(git);
        if (!pointer.startsWith(LINKED)) return Optional.empty();
        try {
            var directory = top.resolve(pointer.substring(LINKED.length())).normalize();
            boolean known = isGitDirectory(directory) && isMeant(directory, top);
            return known ? Optional.of(of(top, real(directory))) : Optional.empty();
        } catch (InvalidPathException _) {
            return Optional.empty();
        }
    }

    /** Returns a git directory as a repository without a work tree of its own. */
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
        var shared = line(gitDirectory.resolve("commondir"));
        return shared.isEmpty() ? gitDirectory : real(gitDirectory.resolve(shared).normalize());
    }

    private static boolean isGitDirectory(Path directory) {
        return Files.exists(directory.resolve("HEAD"), LinkOption.NOFOLLOW_LINKS)
                && (Files.isRegularFile(directory.resolve("commondir"))
                        || (Files.isDirectory(directory.resolve("objects"))
                                && Files.isDirectory(directory.resolve("refs"))));
    }

    /**
     * True if the git directory belongs to this work tree: it points back, as for linked work trees
     * and submodules, or belongs to no other. Any file can point to a repository.
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
            throw new GitFailed("cannot resolve '%s': %s".formatted(path, e.getMessage()));
        }
    }

    /** Returns the first line of a small file, unstripped: a path may end in a space. */
    static String line(Path file) {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) return "";
        try (var in = Files.newInputStream(file)) {
            var text = new String(in.readNBytes(LINE_BYTES_MAX), StandardCharsets.UTF_8);
            return text.lines().findFirst().orElse("");
        } catch (IOException e) {
            throw new GitFailed("cannot read '%s': %s".formatted(file, e.getMessage()));
        }
    }

    /** True for a linked work tree: its commits are in a repository that stays without it. */
    boolean isLinked() {
        return !gitDirectory.equals(common);
    }

    /** Returns a directory that leads to the refs even after this work tree is deleted. */
    Path home() {
        if (!isLinked()) return top;
        return common.endsWith(".git") ? common.resolveSibling("") : common;
    }
}
