package dev.coppice.runner.directory;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.coppice.runner.raw.Logs;
import dev.coppice.runner.raw.RawName;

import org.jspecify.annotations.Nullable;

import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;

/** A git work tree and everything in it that a remote does not have. Read-only. */
final class WorkTree {
    /** Number of ignored files and submodules to report; there can be very many. */
    private static final int IGNORED_TOLD_MAX = 50;

    private static final int DROPPED_MAX = 10_000;

    static final String IGNORED = "ignored: ";

    private static final Map<String, String> UNDER_WAY =
            Map.of(
                    "rebase-merge", "a rebase is in progress",
                    "rebase-apply", "a rebase is in progress",
                    "MERGE_HEAD", "a merge is in progress",
                    "CHERRY_PICK_HEAD", "a cherry-pick is in progress",
                    "REVERT_HEAD", "a revert is in progress",
                    "BISECT_LOG", "a bisect is in progress",
                    "index.lock", "git holds index.lock",
                    "HEAD.lock", "git holds HEAD.lock",
                    "packed-refs.lock", "git holds packed-refs.lock",
                    "config.lock", "git holds config.lock");

    private static final List<String> AUTOSTASHES =
            List.of("rebase-merge/autostash", "rebase-apply/autostash", "MERGE_AUTOSTASH");

    final Path top;
    final Repository repository;
    final Git git;
    final WorkTreeStatus changes;
    final List<String> stashes = new ArrayList<>();

    /** Autostashes of a rebase or merge in progress, which no stash list has. */
    private final List<String> putAside = new ArrayList<>();

    /** State files of an operation in progress, such as patches still to be applied. */
    final List<String> underWay;

    private final List<String> unreadable = new ArrayList<>();
    final long unpushed;

    private WorkTree(Repository repository) {
        this.top = repository.top();
        this.repository = repository;
        this.git = Git.of(repository);
        this.changes = WorkTreeStatus.of(git);
        this.underWay = OperationState.files(repository.gitDirectory());
        var stashed = git.tryText("stash", "list", "--format=%H");
        if (stashed != null) stashed.lines().filter(s -> !s.isBlank()).forEach(stashes::add);
        AUTOSTASHES.forEach(this::putAside);
        stashes.addAll(putAside);
        this.unpushed = changes.isUnborn() ? 0 : countUnpushed();
    }

    private void putAside(String name) {
        var hash = Repository.line(repository.gitDirectory().resolve(name)).strip();
        if (hash.isEmpty()) return;
        var commit = git.tryText("rev-parse", "--verify", "--quiet", hash + "^{commit}");
        if (commit != null) putAside.add(commit);
        else unreadable.add("git no longer has the autostash " + hash);
    }

    /** Returns the work tree that contains the directory; null if there is none. */
    static @Nullable WorkTree around(Path directory) {
        return Repository.around(directory).map(WorkTree::new).orElse(null);
    }

    static WorkTree of(Repository repository) {
        return new WorkTree(repository);
    }

    private long countUnpushed() {
        return Long.parseLong(
                git.text("rev-list", "--count", changes.commit(), "--not", "--remotes"));
    }

    boolean hasRemotes() {
        return !git.text("for-each-ref", "--count=1", "refs/remotes").isEmpty();
    }

    /** True for a shallow clone, whose history is cut off. */
    boolean isShallow() {
        return Files.exists(repository.common().resolve("shallow"));
    }

    /** True for a partial clone, which fetches missing objects on demand. */
    boolean isPartial() {
        return repository.config().isPartial();
    }

    boolean isClean() {
        return changes.count() == 0
                && changes.untracked().isEmpty()
                && stashes.isEmpty()
                && underWay.isEmpty()
                && unpushed == 0;
    }

    long bytes() {
        return changes.unstored().stream()
                .mapToLong(path -> Contents.size(RawName.below(top, path)))
                .sum();
    }

    /**
     * Returns commits that only a linked work tree refers to, by its HEAD log or refs of its own.
     * Its repository loses them with the work tree.
     */
    List<String> dropped() {
        if (!repository.isLinked()) return List.of();
        var known = new LinkedHashSet<>(Logs.of(repository.gitDirectory().resolve("logs/HEAD")));
        var own =
                git.tryText(
                        "for-each-ref",
                        "--format=%(objectname)",
                        "refs/bisect",
                        "refs/worktree",
                        "refs/rewritten");
        if (own != null) own.lines().filter(l -> !l.isBlank()).forEach(known::add);
        if (known.isEmpty()) return List.of();
        var input = (String.join("\n", known) + "\n").getBytes(UTF_8);
        var lines =
                git.tryText(
                        input,
                        "rev-list",
                        "--parents",
                        "--ignore-missing",
                        "--stdin",
                        "--not",
                        "--branches",
                        "--tags",
                        "--remotes",
                        "HEAD");
        if (lines == null) throw new GitFailed("cannot read the log of '" + top + "'");
        var parents = new HashSet<String>();
        var commits = new ArrayList<String>();
        for (var line : lines.lines().filter(l -> !l.isBlank()).toList()) {
            var hashes = List.of(line.split(" ", -1));
            commits.add(hashes.getFirst());
            parents.addAll(hashes.subList(1, hashes.size()));
        }
        commits.removeIf(parents::contains);
        if (commits.size() <= DROPPED_MAX) return commits;
        throw new GitFailed(
                "the HEAD log of '%s' has %d tips of unreferenced commits; the limit is %d;"
                                .formatted(top, commits.size(), DROPPED_MAX)
                        + " expire them first");
    }

    /** Returns operations that must not be interrupted. */
    List<String> busy() {
        var found = new ArrayList<String>();
        UNDER_WAY.forEach((name, text) -> {
            var file = repository.gitDirectory().resolve(name);
            if (Files.exists(file, LinkOption.NOFOLLOW_LINKS)) found.add(text + " in " + top);
        });
        return found.stream().sorted().distinct().toList();
    }

    List<String> notes() {
        var notes = new ArrayList<String>();
        var ignored = changes.ignored();
        for (var path : ignored.subList(0, Math.min(IGNORED_TOLD_MAX, ignored.size()))) {
            notes.add(IGNORED + RawName.shown(path));
        }
        if (ignored.size() > IGNORED_TOLD_MAX) {
            notes.add(IGNORED + "%d more".formatted(ignored.size() - IGNORED_TOLD_MAX));
        }
        changes.submodules().stream()
                .limit(IGNORED_TOLD_MAX)
                .forEach(s -> notes.add("submodule: " + RawName.shown(s)));
        changes.repositories().stream()
                .filter(r -> !changes.submodules().contains(r))
                .forEach(r -> notes.add("nested repository: " + RawName.shown(r)));
        notes.addAll(busy());
        notes.addAll(unreadable);
        return notes;
    }

    /** Returns a digest of all unsaved work and of the index; it changes when they do. */
    String fingerprint() {
        var text = new StringBuilder();
        text.append(changes.commit()).append('\n').append(changes.branch()).append('\n');
        text.append(git.raw(new byte[0], "ls-files", "--stage", "-z")).append('\n');
        for (var path : changes.unstored()) {
            text.append(path).append('\0').append(Contents.mode(top, path)).append(' ');
            text.append(Contents.sha256(top, path)).append('\n');
        }
        for (var path : underWay) {
            var file = RawName.below(repository.gitDirectory(), path);
            text.append(path).append(' ').append(Contents.sha256(file)).append('\n');
        }
        // The stashes of a linked work tree belong to its repository, which others use.
        var own = repository.isLinked() ? putAside : stashes;
        own.forEach(s -> text.append("stash ").append(s).append('\n'));
        return Contents.sha256(text.toString());
    }
}
