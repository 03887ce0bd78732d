package dev.coppice.runner.unsaved;

import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * What git says has changed in a work tree: against the index and the last commit, what it does not
 * know, and what it ignores. Other repositories inside are named, not entered.
 */
record Changes(
        String commit,
        String branch,
        List<String> changed,
        List<String> unmerged,
        List<String> untracked,
        List<String> ignored,
        List<String> repositories,
        long count) {
    Changes {
        changed = List.copyOf(changed);
        unmerged = List.copyOf(unmerged);
        untracked = List.copyOf(untracked);
        ignored = List.copyOf(ignored);
        repositories = List.copyOf(repositories);
    }

    private static final String SUBMODULE = "160000";

    /** What a submodule is in the work tree: itself, or gone. */
    private static final Set<String> IN_TREE = Set.of(SUBMODULE, "000000");

    static final String UNBORN = "(initial)";
    static final String DETACHED = "(detached)";

    /** Also what git was told not to look at, as far as it is there. */
    static Changes of(Git git) {
        var hidden =
                git.fields("ls-files", "-v", "-z").stream()
                        .filter(f -> Character.isLowerCase(f.charAt(0)) || f.charAt(0) == 'S')
                        .map(f -> f.substring(2))
                        .filter(p -> Files.isRegularFile(git.directory().resolve(p)))
                        .toList();
        try {
            return read(hidden, status(git, "none"), List.of());
        } catch (Git.Failed _) {
            // One submodule that cannot be read keeps git from saying anything: each for itself.
            return read(hidden, status(git, "dirty"), submodules(git));
        }
    }

    /** Where other repositories are recorded, whatever is there. */
    static List<String> submodules(Git git) {
        return git.fields("ls-files", "--stage", "-z").stream()
                .filter(entry -> entry.startsWith(SUBMODULE + " "))
                .map(entry -> entry.substring(entry.indexOf('\t') + 1))
                .distinct()
                .toList();
    }

    private static List<String> status(Git git, String ignoredSubmodules) {
        return git.fields(
                "status",
                "--porcelain=v2",
                "-z",
                "--branch",
                "--no-renames",
                "--untracked-files=all",
                "--ignored=matching",
                "--ignore-submodules=" + ignoredSubmodules);
    }

    private static Changes read(List<String> hidden, List<String> lines, List<String> submodules) {
        var found = new Found();
        found.changed.addAll(hidden);
        found.count = hidden.size();
        lines.forEach(found::line);
        submodules.stream()
                .filter(s -> !found.repositories.contains(s))
                .forEach(found.repositories::add);
        return new Changes(
                found.commit,
                found.branch,
                found.changed,
                found.unmerged,
                found.untracked,
                found.ignored,
                found.repositories,
                found.count);
    }

    boolean isUnborn() {
        return commit.equals(UNBORN);
    }

    /** Everything whose content in the work tree is stored nowhere. */
    List<String> unstored() {
        var all = new ArrayList<String>(changed);
        all.addAll(unmerged);
        all.addAll(untracked);
        return all;
    }

    /** Reads line by line, as the format wants it. */
    private static final class Found {
        private String commit = UNBORN;
        private String branch = "";
        private final List<String> changed = new ArrayList<>();
        private final List<String> unmerged = new ArrayList<>();
        private final List<String> untracked = new ArrayList<>();
        private final List<String> ignored = new ArrayList<>();
        private final List<String> repositories = new ArrayList<>();
        private long count;

        void line(String line) {
            switch (line.charAt(0)) {
                case '#' -> header(line);
                case '1' -> ordinary(line);
                case 'u' -> {
                    unmerged.add(line.split(" ", 11)[10]);
                    count++;
                }
                case '?' -> untracked(line.substring(2));
                case '!' -> ignored.add(line.substring(2));
                default -> throw new Git.Failed("git status said something new: " + line);
            }
        }

        private void header(String line) {
            if (line.startsWith("# branch.oid ")) commit = line.substring(13);
            if (line.startsWith("# branch.head ")) branch = line.substring(14);
        }

        private void ordinary(String line) {
            var parts = line.split(" ", 9);
            // A file may stand where a submodule was.
            boolean submodule = parts[2].startsWith("S") && IN_TREE.contains(parts[5]);
            count++;
            if (submodule) repositories.add(parts[8]);
            // Also what is only staged: as it is on disk it is stored nowhere.
            else changed.add(parts[8]);
        }

        private void untracked(String path) {
            if (path.endsWith("/")) repositories.add(path.substring(0, path.length() - 1));
            else untracked.add(path);
        }
    }
}
