package dev.coppice.runner.unsaved;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** One git work tree, and everything in it that a remote does not have. Only looked at. */
final class Tree {
    /** Names of ignored files that are told; there can be very many of them. */
    private static final int IGNORED_TOLD_MAX = 50;

    static final String IGNORED = "ignored: ";

    private static final Map<String, String> UNDER_WAY =
            Map.of(
                    "rebase-merge", "a rebase is in progress",
                    "rebase-apply", "a rebase is in progress",
                    "MERGE_HEAD", "a merge is in progress",
                    "CHERRY_PICK_HEAD", "a cherry-pick is in progress",
                    "REVERT_HEAD", "a revert is in progress",
                    "BISECT_LOG", "a bisect is in progress",
                    "index.lock", "git holds its index.lock",
                    "HEAD.lock", "git holds its HEAD.lock",
                    "packed-refs.lock", "git holds its packed-refs.lock",
                    "config.lock", "git holds its config.lock");

    /** What a remote has, what was kept before, and stashes, which are listed one by one. */
    private static final List<String> ELSEWHERE =
            List.of("refs/remotes/", "refs/coppice/", "refs/stash");

    private static final List<String> AUTOSTASHES =
            List.of("rebase-merge/autostash", "rebase-apply/autostash", "MERGE_AUTOSTASH");
    private static final int DROPPED_MAX = 10_000;

    /** Refs that a linked work tree has for itself, and that go with it. */
    private static final List<String> OWN =
            List.of("refs/worktree/", "refs/bisect/", "refs/rewritten/");

    final Path top;
    final Path gitDirectory;
    final Git git;
    final Changes changes;

    /** Local branches with commits that no remote has, and how many. */
    final Map<String, String> branches = new LinkedHashMap<>();

    final List<String> stashes = new ArrayList<>();

    /** What git has put aside until a rebase or merge goes on; no list of stashes names it. */
    private final List<String> putAside = new ArrayList<>();

    /** Commits that only a reflog still knows, and that go with it: the last of each line. */
    final List<String> dropped = new ArrayList<>();

    private final List<String> unreadable = new ArrayList<>();

    final long unpushed;
    private final Scope scope;

    private Tree(Path top, Path gitDirectory, Git git, Scope scope) {
        this.top = top;
        this.gitDirectory = gitDirectory;
        this.git = git;
        this.changes = Changes.of(git);
        this.scope = scope;
        var stashed = git.tryText("stash", "list", "--format=%H");
        if (stashed != null) stashed.lines().filter(s -> !s.isBlank()).forEach(stashes::add);
        autostashes(gitDirectory).forEach(this::putAside);
        stashes.addAll(putAside);
        this.unpushed = unpushed(scope) + dropped(scope);
    }

    /** As git has written them down until something goes on. */
    static List<String> autostashes(Path gitDirectory) {
        return AUTOSTASHES.stream()
                .map(name -> Logs.text(gitDirectory.resolve(name)).strip())
                .filter(said -> !said.isEmpty())
                .toList();
    }

    private void putAside(String said) {
        var commit = git.tryText("rev-parse", "--verify", "--quiet", said + "^{commit}");
        if (commit != null) putAside.add(commit);
        else unreadable.add("git no longer has what it had put aside: " + said);
    }

    /** After a reset, an amended commit or a deleted branch. How many, with those below them. */
    private long dropped(Scope scope) {
        if (scope == Scope.OWN_BRANCH) return 0;
        // A repository elsewhere keeps all logs but that of what was checked out here.
        var logged = isLinked() ? Logs.ofHead(gitDirectory) : Logs.ofAll(common());
        if (logged.isEmpty()) return 0;
        // Those of other work trees may be the only ones to know a commit, and be gone.
        var lines =
                git.tryText(
                        (String.join("\n", logged) + "\n").getBytes(UTF_8),
                        "rev-list",
                        "--parents",
                        "--ignore-missing",
                        "--single-worktree",
                        "--stdin",
                        "--not",
                        "--exclude=refs/coppice/*",
                        "--all");
        if (lines == null) {
            unreadable.add("what only its logs know cannot be read, and is not kept");
            return 0;
        }
        var parents = new HashSet<String>();
        var commits = new ArrayList<String>();
        for (var line : lines.lines().filter(l -> !l.isBlank()).toList()) {
            var hashes = List.of(line.split(" ", -1));
            commits.add(hashes.getFirst());
            parents.addAll(hashes.subList(1, hashes.size()));
        }
        commits.stream().filter(c -> !parents.contains(c)).sorted().forEach(dropped::add);
        if (dropped.size() > DROPPED_MAX) {
            throw new Git.Failed(
                    "the logs of %s know %d lines of commits that nothing else knows, and at most"
                                    .formatted(top, dropped.size())
                            + " %d are kept; expire them first".formatted(DROPPED_MAX));
        }
        return commits.size();
    }

    private Path common() {
        return Path.of(git.text("rev-parse", "--path-format=absolute", "--git-common-dir"));
    }

    /** Where its refs still are when this work tree is gone. */
    Path repository() {
        if (!Files.exists(gitDirectory.resolve("commondir"))) return top;
        var common = common();
        return common.endsWith(".git") ? common.resolveSibling("") : common;
    }

    /** Which branches count: all where the repository itself may go, else the one worked on. */
    enum Scope {
        ALL_BRANCHES,
        OWN_BRANCH
    }

    /** The work tree this directory is in; nothing when it is in none, or inside a repository. */
    static @Nullable Tree at(Path directory, Scope scope) {
        var git = Git.in(directory);
        var top = git.top();
        // Who made the directory does not climb out of it.
        if (top == null || (scope == Scope.ALL_BRANCHES && !git.isIn(top))) return null;
        var gitDirectory = Path.of(git.text("rev-parse", "--absolute-git-dir"));
        return new Tree(top, gitDirectory, Git.in(top), scope);
    }

    private long unpushed(Scope scope) {
        long count = 0;
        if (!changes.isUnborn()) count = countUnpushed(changes.commit());
        if (scope == Scope.OWN_BRANCH) return count;
        var refs = git.text("for-each-ref", "--format=%(objectname) %(refname)");
        for (var line : refs.lines().filter(l -> !l.isBlank()).toList()) {
            var commit = line.substring(0, line.indexOf(' '));
            var name = line.substring(commit.length() + 1);
            if (ELSEWHERE.stream().anyMatch(name::startsWith)) continue;
            long more = countUnpushed(commit);
            if (more == 0) continue;
            branches.put(name, commit);
            if (!commit.equals(changes.commit())) count += more;
        }
        return count;
    }

    private long countUnpushed(String commit) {
        return Long.parseLong(git.text("rev-list", "--count", commit, "--not", "--remotes"));
    }

    boolean hasRemotes() {
        return !git.text("for-each-ref", "--count=1", "refs/remotes").isEmpty();
    }

    /** Whether its history was cut off when it was cloned. */
    boolean isShallow() {
        return git.text("rev-parse", "--is-shallow-repository").equals("true");
    }

    /** Whether it asks a remote for contents only when they are needed. */
    boolean isPartial() {
        return git.tryText("config", "--get-regexp", "^remote\\..*\\.promisor$") != null
                || git.tryText("config", "extensions.partialClone") != null;
    }

    boolean isClean() {
        return changes.count() == 0
                && changes.untracked().isEmpty()
                && stashes.isEmpty()
                && dropped.isEmpty()
                && unpushed == 0;
    }

    long bytes() {
        return changes.unstored().stream().mapToLong(p -> Contents.size(top.resolve(p))).sum();
    }

    /** What must not be broken off. */
    List<String> busy() {
        var found = new ArrayList<String>();
        UNDER_WAY.forEach((name, said) -> {
            if (Files.exists(gitDirectory.resolve(name))) found.add(said + " in " + top);
        });
        return found.stream().sorted().distinct().toList();
    }

    List<String> notes() {
        var notes = new ArrayList<String>();
        var ignored = changes.ignored();
        for (var path : ignored.subList(0, Math.min(IGNORED_TOLD_MAX, ignored.size()))) {
            notes.add(IGNORED + path);
        }
        if (ignored.size() > IGNORED_TOLD_MAX) {
            notes.add(IGNORED + "%d more".formatted(ignored.size() - IGNORED_TOLD_MAX));
        }
        changes.repositories().forEach(r -> notes.add("a repository of its own: " + r));
        submodules().forEach(s -> notes.add("a submodule: " + s));
        if (scope == Scope.ALL_BRANCHES) notes.addAll(unkept(git, gitDirectory));
        busy().forEach(notes::add);
        notes.addAll(unreadable);
        return notes;
    }

    /** What goes with the repository, and no bundle of it holds. */
    static List<String> unkept(Git git, Path gitDirectory) {
        var said = new ArrayList<>(Modules.unsaved(gitDirectory));
        said.addAll(LargeFiles.unsaved(git, gitDirectory));
        return said;
    }

    /** Also those in which nothing has changed. */
    private List<String> submodules() {
        if (!Files.exists(top.resolve(".gitmodules"))) return List.of();
        var said = git.tryText("config", "-f", ".gitmodules", "--get-regexp", "path$");
        if (said == null) return List.of();
        return said.lines()
                .filter(line -> line.indexOf(' ') > 0)
                .map(line -> line.substring(line.indexOf(' ') + 1))
                .limit(IGNORED_TOLD_MAX)
                .toList();
    }

    /** Stands for all of the above: the same as long as nothing of it changes. */
    String fingerprint() {
        var said = new StringBuilder();
        said.append(changes.commit()).append('\n').append(changes.branch()).append('\n');
        said.append(git.text("ls-files", "--stage", "-z")).append('\n');
        for (var path : changes.unstored()) {
            said.append(path).append('\0').append(Contents.mode(top, path)).append(' ');
            said.append(Contents.sha256(top, path)).append('\n');
        }
        // What goes with the directory is kept too, so it must not change unseen.
        if (scope == Scope.ALL_BRANCHES) {
            changes.ignored().forEach(p -> said.append(Contents.traces(top.resolve(p))));
            said.append("logged ").append(logged()).append('\n');
            said.append(Modules.traces(gitDirectory));
            said.append(LargeFiles.traces(git, gitDirectory));
        }
        boolean linked = isLinked();
        (linked ? putAside : stashes).forEach(s -> said.append("stash ").append(s).append('\n'));
        branches.forEach((name, commit) -> {
            if (linked && OWN.stream().noneMatch(name::startsWith)) return;
            said.append(name).append(' ').append(commit).append('\n');
        });
        return Contents.sha256(said.toString());
    }

    /** What a log alone knows depends on others' branches there; its last line does not. */
    private String logged() {
        return isLinked() ? Logs.lastOfHead(gitDirectory) : String.join(" ", dropped);
    }

    /**
     * To the repository of another work tree, whose stashes and branches they are: they stay with
     * it, or are kept with it. A bare repository has nobody else to speak for it.
     */
    private boolean isLinked() {
        var common = gitDirectory.resolve("commondir");
        try {
            return Files.exists(common)
                    && gitDirectory
                            .resolve(Files.readString(common).strip())
                            .normalize()
                            .endsWith(".git")
                    && !"true".equals(git.tryText("config", "--bool", "core.bare"));
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + common, e);
        }
    }
}
