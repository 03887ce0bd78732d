package dev.coppice.runner.directory;

import dev.coppice.runner.raw.RawName;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Creates commits of a work tree and of its index. It uses a copy of the index, and the bytes on
 * disk regardless of filters and line endings. The user's index, files and branches are only read.
 */
final class Snapshot {
    static final String HEAD = "head";
    static final String INDEX = "index";
    static final String FILES = "files";
    static final String DROPPED = "dropped";
    static final String STASH = "stash/";

    /** The state files of an operation in progress. */
    static final String STATE = "state";

    static final String WHO = "Coppice";
    static final String MAIL = "coppice@localhost";

    private final Git git;
    private final Path root;
    private final String date;

    Snapshot(Git git, Path root, long at) {
        this(git, root, at / 1000 + " +0000");
    }

    private Snapshot(Git git, Path root, String date) {
        this.git = git;
        this.root = root;
        this.date = date;
    }

    /** Returns the commits by what they hold, the base first. */
    Map<String, String> of(WorkTree tree, List<String> extra, Path scratch) {
        var commits = new LinkedHashMap<String, String>();
        var changes = tree.changes;
        if (!changes.isUnborn()) commits.put(HEAD, changes.commit());
        var index = scratch.resolve("index");
        copy(tree.repository.gitDirectory().resolve("index"), index);
        var beside = git.with("GIT_INDEX_FILE", index.toString());
        var parents = new ArrayList<>(commits.values());
        var merged = changes.unmerged().isEmpty() ? beside : merged(index, scratch);
        if (isStaged(merged, changes)) {
            var commit = commit(merged.text("write-tree"), parents, "Index changes");
            commits.put(INDEX, commit);
            parents.add(commit);
        }
        var files = new ArrayList<>(changes.unstored());
        files.addAll(extra);
        if (!files.isEmpty()) {
            var present = new HashSet<>(changes.untracked());
            present.addAll(extra);
            store(beside, files, present);
            commits.put(FILES, commit(beside.text("write-tree"), parents, "Work tree files"));
        }
        int number = 0;
        for (var stash : tree.stashes) commits.put(STASH + number++, stash);
        if (!tree.underWay.isEmpty()) commits.put(STATE, state(tree, scratch));
        var dropped = tree.dropped();
        if (!dropped.isEmpty()) commits.put(DROPPED, together(dropped));
        return commits;
    }

    /** Resolves conflicts to our side, or else theirs, because a tree holds only one version. */
    private Git merged(Path index, Path scratch) {
        var copy = scratch.resolve("merged");
        copy(index, copy);
        var git = this.git.with("GIT_INDEX_FILE", copy.toString());
        var chosen = new LinkedHashMap<String, String>();
        for (var line : git.fields("ls-files", "--unmerged", "-z")) {
            int tab = line.indexOf('\t');
            var parts = line.substring(0, tab).split(" ", 3);
            // Stage 1 is the common ancestor: it comes first, and is neither side.
            if (parts[2].equals("1")) chosen.put(line.substring(tab + 1), "");
            else chosen.merge(line.substring(tab + 1), parts[0] + " " + parts[1], this::first);
        }
        var none = "0".repeat(git.text(new byte[0], "hash-object", "--stdin").length());
        var info = new ByteArrayOutputStream();
        chosen.forEach((path, entry) -> {
            line(info, "0 " + none + "\t" + path);
            if (!entry.isEmpty()) line(info, entry + " 0\t" + path);
        });
        git.text(info.toByteArray(), "update-index", "-z", "--index-info");
        return git;
    }

    private String first(String one, String other) {
        return one.isEmpty() ? other : one;
    }

    /** Commits an empty tree with all commits as parents, so that one ref holds them. */
    private String together(List<String> commits) {
        var nothing = git.text(new byte[0], "hash-object", "-t", "tree", "-w", "--stdin");
        return commit(nothing, commits, "Commits only in reflogs");
    }

    private static boolean isStaged(Git beside, WorkTreeStatus changes) {
        if (changes.isUnborn()) return !beside.text("ls-files", "--stage").isEmpty();
        return !beside.text("write-tree")
                .equals(beside.text("rev-parse", changes.commit() + "^{tree}"));
    }

    /** Commits patches and messages unchanged, under their names in the git directory. */
    private String state(WorkTree tree, Path scratch) {
        var directory = tree.repository.gitDirectory();
        var beside = git.with("GIT_INDEX_FILE", scratch.resolve("state").toString());
        var files = new Snapshot(git, directory, date);
        files.store(beside, tree.underWay, Set.copyOf(tree.underWay));
        return commit(beside.text("write-tree"), List.of(), "Operation in progress");
    }

    private String commit(String tree, List<String> parents, String message) {
        var command = new ArrayList<>(List.of("commit-tree", tree));
        for (var parent : parents) command.addAll(List.of("-p", parent));
        return git.with("GIT_AUTHOR_NAME", WHO)
                .with("GIT_AUTHOR_EMAIL", MAIL)
                .with("GIT_AUTHOR_DATE", date)
                .with("GIT_COMMITTER_NAME", WHO)
                .with("GIT_COMMITTER_EMAIL", MAIL)
                .with("GIT_COMMITTER_DATE", date)
                .text(message.getBytes(StandardCharsets.UTF_8), command.toArray(String[]::new));
    }

    /** Stores files by raw path in the index, and removes those that are deleted on disk. */
    private void store(Git beside, List<String> paths, Set<String> present) {
        var info = new ByteArrayOutputStream();
        // As many zeros as a hash of this repository has digits.
        var none = "0".repeat(git.text(new byte[0], "hash-object", "--stdin").length());
        var files = paths.stream().filter(p -> isPlain(mode(p))).toList();
        var hashes = hashed(files);
        for (var path : paths) {
            var mode = mode(path);
            // Remove all stages first, so that an unmerged path is merged afterwards.
            line(info, "0 " + none + "\t" + path);
            if (mode.equals(Contents.LINK)) {
                var link = Contents.link(RawName.below(root, path));
                var hash = git.text(link, "hash-object", "-w", "--stdin");
                line(info, mode + " " + hash + " 0\t" + path);
            } else if (!isPlain(mode) && present.contains(path)) {
                throw new GitFailed(
                        "'%s' was deleted while being preserved".formatted(RawName.shown(path)));
            } else if (isPlain(mode)) {
                line(info, mode + " " + hashes.get(path) + " 0\t" + path);
            }
        }
        beside.text(info.toByteArray(), "update-index", "-z", "--index-info");
    }

    private String mode(String path) {
        return Contents.mode(root, path);
    }

    private static boolean isPlain(String mode) {
        return mode.equals(Contents.FILE) || mode.equals(Contents.EXECUTABLE);
    }

    private Map<String, String> hashed(List<String> files) {
        var hashes = new LinkedHashMap<String, String>();
        if (files.isEmpty()) return hashes;
        var input = new StringBuilder();
        var below = RawName.whole(root) + "/";
        for (var file : files) input.append(quoted(below + file)).append('\n');
        var out =
                git.text(
                        input.toString().getBytes(StandardCharsets.ISO_8859_1),
                        "hash-object",
                        "-w",
                        "--no-filters",
                        "--stdin-paths");
        var lines = out.lines().toList();
        if (lines.size() != files.size()) {
            throw new GitFailed("git stored %d of %d files".formatted(lines.size(), files.size()));
        }
        for (int i = 0; i < files.size(); i++) hashes.put(files.get(i), lines.get(i));
        return hashes;
    }

    /** Quotes a name as git reads it, because names may contain line breaks. */
    private static String quoted(String path) {
        return '"' + path.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }

    private static void line(ByteArrayOutputStream info, String line) {
        info.writeBytes(line.getBytes(StandardCharsets.ISO_8859_1));
        info.write(0);
    }

    private static void copy(Path index, Path to) {
        try {
            if (!Files.exists(index)) return;
            Files.copy(
                    index,
                    to,
                    StandardCopyOption.REPLACE_EXISTING,
                    StandardCopyOption.COPY_ATTRIBUTES);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot copy '" + index + "'", e);
        }
    }
}
