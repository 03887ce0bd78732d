package dev.coppice.runner.unsaved;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * Contents that git-lfs has beside git, for commits that no remote has: these only name them, and a
 * bundle holds no more than that.
 */
final class LargeFiles {
    private static final Pattern NAMED = Pattern.compile("^\\+oid sha256:([0-9a-f]{64})\\s*$");

    private LargeFiles() {}

    /** What is to be said of them. */
    static List<String> unsaved(Git git, Path gitDirectory) {
        int n = only(git, gitDirectory).size();
        if (n == 0) return List.of();
        return List.of(
                "git-lfs has contents (%d) that no remote has: %s".formatted(n, gitDirectory));
    }

    /** The same as long as they are the same. */
    static String traces(Git git, Path gitDirectory) {
        return String.join(" ", only(git, gitDirectory));
    }

    private static SortedSet<String> only(Git git, Path gitDirectory) {
        var found = new TreeSet<String>();
        var objects = gitDirectory.resolve("lfs/objects");
        if (!Files.isDirectory(objects)) return found;
        var changes =
                git.text(
                        "log",
                        "-p",
                        "-m",
                        "--text",
                        "--format=",
                        "--no-textconv",
                        "--no-ext-diff",
                        "-G^oid sha256:",
                        "--exclude=refs/remotes/*",
                        "--exclude=refs/coppice/*",
                        "--all",
                        "--reflog",
                        "--not",
                        "--remotes");
        for (var line : changes.lines().toList()) {
            var named = NAMED.matcher(line);
            if (named.matches() && isThere(objects, named.group(1))) found.add(named.group(1));
        }
        return found;
    }

    private static boolean isThere(Path objects, String hash) {
        var below = objects.resolve(hash.substring(0, 2)).resolve(hash.substring(2, 4));
        return Files.exists(below.resolve(hash));
    }
}
