package dev.coppice.runner.directory;

import dev.coppice.runner.raw.RawName;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The state of a work tree as git reports it: files changed against the index or the last commit,
 * unmerged, untracked and ignored files, by raw path. Nested repositories are listed, not entered.
 */
record WorkTreeStatus(
        String commit,
        String branch,
        List<String> changed,
        List<String> unmerged,
        List<String> untracked,
        List<String> ignored,
        List<String> repositories,
        List<String> submodules,
        long count) {
    WorkTreeStatus {
        changed = List.copyOf(changed);
        unmerged = List.copyOf(unmerged);
        untracked = List.copyOf(untracked);
        ignored = List.copyOf(ignored);
        repositories = List.copyOf(repositories);
        submodules = List.copyOf(submodules);
    }

    private static final String SUBMODULE = "160000";

    /** Modes of a submodule in the work tree: present or absent. */
    private static final Set<String> IN_TREE = Set.of(SUBMODULE, "000000");

    static final String UNBORN = "(initial)";
    static final String DETACHED = "(detached)";

    /**
     * Reads the state. Adds existing files that git was told to skip, and files whose bytes differ
     * from the stored ones because of a filter or line ending. Git does not enter nested
     * repositories: it would run itself there, with their configuration.
     */
    static WorkTreeStatus of(Git git) {
        var entries = IndexEntries.of(git);
        var different = new LinkedHashSet<>(hidden(git));
        different.addAll(entries.unlikeTheirBytes(git));
        var found = new Found();
        found.changed.addAll(different);
        status(git).forEach(found::line);
        var submodules = entries.submodules();
        submodules.stream()
                .filter(s -> !found.repositories.contains(s))
                .forEach(found.repositories::add);
        var changed = List.copyOf(new LinkedHashSet<>(found.changed));
        return new WorkTreeStatus(
                found.commit,
                found.branch,
                changed,
                found.unmerged,
                found.untracked,
                found.ignored,
                found.repositories,
                submodules,
                changed.size() + found.unmerged.size() + found.submodules);
    }

    /** Returns files marked assume-unchanged or skip-worktree that exist; a link counts. */
    private static List<String> hidden(Git git) {
        return git.fields("ls-files", "-v", "-z").stream()
                .filter(f -> Character.isLowerCase(f.charAt(0)) || f.charAt(0) == 'S')
                .map(f -> f.substring(2))
                .filter(p -> !Contents.mode(git.directory(), p).equals(Contents.NOTHING))
                .toList();
    }

    private static List<String> status(Git git) {
        return git.fields(
                "status",
                "--porcelain=v2",
                "-z",
                "--branch",
                "--no-renames",
                "--untracked-files=all",
                "--ignored=matching",
                "--ignore-submodules=dirty");
    }

    boolean isUnborn() {
        return commit.equals(UNBORN);
    }

    /** Returns the files whose contents in the work tree no commit has. */
    List<String> unstored() {
        var all = new ArrayList<String>(changed);
        all.addAll(unmerged);
        all.addAll(untracked);
        return all;
    }

    /** Parses the lines of the porcelain format, version 2. */
    private static final class Found {
        private String commit = UNBORN;
        private String branch = "";
        private final List<String> changed = new ArrayList<>();
        private final List<String> unmerged = new ArrayList<>();
        private final List<String> untracked = new ArrayList<>();
        private final List<String> ignored = new ArrayList<>();
        private final List<String> repositories = new ArrayList<>();
        private long submodules;

        void line(String line) {
            switch (line.charAt(0)) {
                case '#' -> header(line);
                case '1' -> ordinary(line);
                case 'u' -> {
                    unmerged.add(line.split(" ", 11)[10]);
                }
                case '?' -> untracked(line.substring(2));
                case '!' -> ignored.add(line.substring(2));
                default -> throw unknown(line);
            }
        }

        private static GitFailed unknown(String line) {
            return new GitFailed("git status printed an unknown line: " + RawName.shown(line));
        }

        private void header(String line) {
            if (line.startsWith("# branch.oid ")) commit = line.substring(13);
            if (line.startsWith("# branch.head ")) branch = RawName.shown(line.substring(14));
        }

        private void ordinary(String line) {
            var parts = line.split(" ", 9);
            // A file may have replaced a submodule.
            boolean submodule = parts[2].startsWith("S") && IN_TREE.contains(parts[5]);
            if (submodule) {
                repositories.add(parts[8]);
                submodules++;
            }
            // Includes files that are only staged: no commit has their contents.
            else changed.add(parts[8]);
        }

        private void untracked(String path) {
            if (path.endsWith("/")) repositories.add(path.substring(0, path.length() - 1));
            else untracked.add(path);
        }
    }
}
