package dev.coppice.runner.unsaved;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;

/**
 * Contents that git-lfs and git-annex have beside git. Commits only name them, and a bundle holds
 * no more than that.
 */
final class LargeFiles {
    private static final Pattern NAMED = Pattern.compile("\\boid sha256:([0-9a-f]{64})\\b");

    /** What names a large file is itself small. */
    private static final int POINTER_BYTES_MAX = 1024;

    private LargeFiles() {}

    /** What is to be said of those that no remote has. */
    static List<String> unsaved(Git git, Path gitDirectory) {
        var said = new ArrayList<String>();
        var only = only(git, gitDirectory);
        if (only == null) {
            said.add("git cannot tell what git-lfs has not pushed: " + gitDirectory);
        } else if (!only.isEmpty()) {
            said.add(
                    "git-lfs has contents (%d) that no remote has: %s"
                            .formatted(only.size(), gitDirectory));
        }
        if (isAnnexed(gitDirectory)) {
            said.add("git-annex has contents, and nobody knows who else: " + gitDirectory);
        }
        return said;
    }

    /** The same as long as they are the same. */
    static String traces(Git git, Path gitDirectory) {
        return only(git, gitDirectory) + " " + isAnnexed(gitDirectory);
    }

    private static boolean isAnnexed(Path gitDirectory) {
        var objects = gitDirectory.resolve("annex/objects");
        return Files.isDirectory(objects) && !Directory.isEmpty(objects);
    }

    private static @Nullable SortedSet<String> only(Git git, Path gitDirectory) {
        var objects = gitDirectory.resolve("lfs/objects");
        if (!Files.isDirectory(objects)) return new TreeSet<>();
        var files = small(git, gitDirectory);
        var contents = files == null ? null : git.tryText(files, "cat-file", "--batch");
        if (contents == null) return null;
        return NAMED.matcher(contents)
                .results()
                .map(named -> named.group(1))
                .filter(hash -> isThere(objects, hash))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static boolean isThere(Path objects, String hash) {
        var below = objects.resolve(hash.substring(0, 2)).resolve(hash.substring(2, 4));
        return Files.exists(below.resolve(hash));
    }

    /** Small files that no remote has: committed, known to a log alone, put aside or staged. */
    private static byte @Nullable [] small(Git git, Path gitDirectory) {
        var begun = new TreeSet<>(Logs.ofAll(gitDirectory));
        begun.addAll(Tree.autostashes(gitDirectory));
        // What was cut off here came from a remote.
        var cut = Logs.text(gitDirectory.resolve("shallow")).lines().map(hash -> "^" + hash);
        cut.forEach(begun::add);
        var committed =
                git.tryText(
                        lines(begun),
                        "rev-list",
                        "--objects",
                        "--no-object-names",
                        "--ignore-missing",
                        "--stdin",
                        "--exclude=refs/remotes/*",
                        "--exclude=refs/coppice/*",
                        "--all",
                        "--not",
                        "--remotes");
        var staged = git.staged();
        if (committed == null || staged == null) return null;
        var all = new TreeSet<>(committed.lines().toList());
        staged.forEach(entry -> all.add(entry.split(" ", 5)[3]));
        all.remove("");
        return found(git, all);
    }

    /** Those of them that may name a large file, and that no remote has in some other commit. */
    private static byte @Nullable [] found(Git git, SortedSet<String> all) {
        var sized =
                git.tryText(
                        lines(all),
                        "cat-file",
                        "--batch-check=%(objecttype) %(objectsize) %(objectname)");
        if (sized == null) return null;
        var small =
                sized.lines()
                        .map(line -> line.split(" ", 3))
                        .filter(f -> f[0].equals("blob"))
                        .filter(f -> Long.parseLong(f[1]) <= POINTER_BYTES_MAX)
                        .map(f -> f[2])
                        .collect(Collectors.toCollection(TreeSet::new));
        if (small.isEmpty()) return lines(small);
        var remotes = git.tryText("rev-list", "--objects", "--no-object-names", "--remotes");
        if (remotes == null) return null;
        remotes.lines().forEach(small::remove);
        return lines(small);
    }

    private static byte[] lines(SortedSet<String> all) {
        return (String.join("\n", all) + "\n").getBytes(UTF_8);
    }
}
