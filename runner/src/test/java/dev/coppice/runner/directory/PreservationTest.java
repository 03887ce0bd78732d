package dev.coppice.runner.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.runner.raw.Handles;
import dev.coppice.runner.raw.PreservationFailed;
import dev.coppice.runner.raw.RawName;
import dev.coppice.scene.SmallDisk;
import dev.coppice.scene.UserGit;
import dev.coppice.wire.fleet.DirectoryTaskOrder;
import dev.coppice.wire.fleet.DirectoryTaskResult;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** Unsaved work is preserved with real git, and restored byte by byte. */
@ExtendWith(InScratch.class)
class PreservationTest {
    @TempDir Path temp;
    private Path repo = Path.of("");
    private final List<Path> handed = new ArrayList<>();

    @BeforeEach
    void aRepositoryWithARemote() throws IOException {
        temp = temp.toRealPath();
        var origin = temp.resolve("origin.git");
        run(temp, "init", "-q", "--bare", "-b", "main", origin.toString());
        repo = temp.resolve("repo");
        run(temp, "clone", "-q", origin.toString(), repo.toString());
        run(repo, "checkout", "-q", "-b", "main");
        write("a.txt", "one\n");
        write("gone.txt", "to be deleted\n");
        write("dir/b.txt", "two\n");
        commit("first");
        run(repo, "push", "-q", "origin", "main");
    }

    private static void run(Path directory, String... args) {
        UserGit.in(directory).text(args);
    }

    private void commit(String message) {
        run(repo, "add", "-A");
        run(repo, "commit", "-q", "-m", message);
    }

    /** Commits on a new branch, then checks out main again. */
    private void commitOn(String branch, String path, String text) throws IOException {
        run(repo, "checkout", "-q", "-b", branch);
        write(path, text);
        commit("on " + branch);
        run(repo, "checkout", "-q", "main");
    }

    private void write(String path, String text) throws IOException {
        var file = repo.resolve(path);
        Files.createDirectories(Objects.requireNonNull(file.getParent()));
        Files.writeString(file, text);
    }

    private DirectoryTaskOrder order(Path directory, boolean made) {
        return order(directory, made, "list");
    }

    private DirectoryTaskOrder order(Path directory, boolean made, String ignored) {
        var place =
                new DirectoryTaskOrder.Place(
                        directory.toString(),
                        made,
                        "ses_1",
                        "worker",
                        temp.resolve("runs").toString(),
                        false);
        return new DirectoryTaskOrder(
                "task_1",
                "preserve",
                "rem_1",
                ignored,
                "made",
                1_700_000_000_000L,
                List.of(place),
                List.of());
    }

    private DirectoryTaskResult.Item preserved(DirectoryTaskOrder order) {
        var finding = Findings.of(order).getFirst();
        return finding.item(preservation(order).preserve(finding));
    }

    /** Returns the finding in git: of a created linked work tree, there are archives as well. */
    private static Finding inGit(DirectoryTaskOrder order) {
        return Findings.of(order).stream()
                .filter(Finding.InGit.class::isInstance)
                .findFirst()
                .orElseThrow();
    }

    private DirectoryTaskResult.Item preservedInGit(DirectoryTaskOrder order) {
        var finding = inGit(order);
        return finding.item(preservation(order).preserve(finding));
    }

    private Preservation preservation(DirectoryTaskOrder order) {
        return new Preservation(
                order,
                1 << 20,
                (name, file) -> {
                    try {
                        var to = temp.resolve("handed-" + handed.size() + "-" + name);
                        Files.copy(file, to);
                        handed.add(to);
                    } catch (IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    }
                });
    }

    private Restore.Restored restored(DirectoryTaskResult.Item item, Path into, boolean inRepo) {
        var preserved = Objects.requireNonNull(item.preserved());
        var restore = new Restore(into, handed.getLast());
        if (preserved.ref() == null) return restore.files();
        var what = new Restore.Preserved(preserved.ref(), item.commit(), "worker");
        return restore.worktree(what, inRepo ? repo : null);
    }

    /** Returns kind and hash of all files by path, except those of git. */
    private static Map<String, String> files(Path root) throws IOException {
        var found = new HashMap<String, String>();
        try (Stream<Path> all = Files.walk(root)) {
            for (var file : all.toList()) {
                var path = root.relativize(file).toString();
                if (path.startsWith(".git") && !path.startsWith(".gitignore")) continue;
                var mode = Contents.mode(file);
                if (!mode.equals(Contents.NOTHING)) found.put(path, mode + Contents.sha256(file));
            }
        }
        return found;
    }

    @Test
    void unsaved_work_is_restored_as_it_was() throws IOException {
        write("a.txt", "staged\n");
        run(repo, "add", "a.txt");
        write("a.txt", "staged\nand more\n");
        Files.delete(repo.resolve("gone.txt"));
        write("new file.txt", "untracked\n");
        write("strange\nname\".txt", "odd");
        write("dir/binary", new String(new byte[] {0, 1, 2, 10, 13}, StandardCharsets.ISO_8859_1));
        write("run.sh", "#!/bin/sh\n");
        Files.setPosixFilePermissions(
                repo.resolve("run.sh"), PosixFilePermissions.fromString("rwxr-xr-x"));
        Files.createSymbolicLink(repo.resolve("link"), Path.of("a.txt"));
        var index = Files.readAllBytes(repo.resolve(".git/index"));
        var time = Files.getLastModifiedTime(repo.resolve(".git/index"));
        var standing = standing();

        var item = preserved(order(repo, false));

        assertThat(standing()).isEqualTo(standing);

        assertThat(item.uncommitted()).isEqualTo(2);
        assertThat(item.untracked()).isEqualTo(5);
        assertThat(Files.readAllBytes(repo.resolve(".git/index"))).isEqualTo(index);
        assertThat(Files.getLastModifiedTime(repo.resolve(".git/index"))).isEqualTo(time);
        var into = temp.resolve("back");
        var restored = restored(item, into, true);
        assertThat(restored.branch()).isEqualTo("coppice/worker");
        assertThat(files(into)).isEqualTo(files(repo));
        assertThat(UserGit.in(into).text("diff", "--cached"))
                .contains("+staged")
                .doesNotContain("and more");
        assertThat(UserGit.in(into).text("status", "--porcelain"))
                .isEqualTo(UserGit.in(repo).text("status", "--porcelain"));
    }

    /** Returns HEAD and every ref but those of Coppice. */
    private String standing() throws IOException {
        return Files.readString(repo.resolve(".git/HEAD"))
                + UserGit.in(repo).text("for-each-ref", "refs/heads", "refs/tags", "refs/remotes")
                + UserGit.in(repo).text("stash", "list", "--format=%H");
    }

    @Test
    void commits_on_a_detached_head_are_preserved_and_no_ref_moves() throws IOException {
        run(repo, "checkout", "-q", "--detach");
        write("a.txt", "on no branch\n");
        commit("alone");
        write("b.txt", "stashed\n");
        run(repo, "add", "-A");
        run(repo, "stash", "push", "-q");
        var standing = standing();
        var item = preserved(order(repo, false));
        assertThat(standing()).isEqualTo(standing);
        assertThat(item.branch()).isNull();
        assertThat(item.stashed()).isOne();
        run(repo, "checkout", "-q", "main");
        run(repo, "reflog", "expire", "--expire=now", "--all");
        restored(item, temp.resolve("back"), true);
        assertThat(temp.resolve("back/a.txt")).hasContent("on no branch");
    }

    /** Stashes and branches belong to the repository, which others use and which stays. */
    @Test
    void work_in_the_repository_does_not_change_a_linked_work_tree() throws IOException {
        var beside = temp.resolve("beside");
        run(repo, "worktree", "add", "-q", "--detach", beside.toString());
        var before = Findings.of(order(beside, true)).getFirst().fingerprint();
        write("a.txt", "by another\n");
        run(repo, "stash", "push", "-q");
        write("a.txt", "committed by another\n");
        commit("by another");
        assertThat(Findings.of(order(beside, true)).getFirst().fingerprint()).isEqualTo(before);
        Files.writeString(beside.resolve("a.txt"), "here\n");
        assertThat(Findings.of(order(beside, true)).getFirst().fingerprint()).isNotEqualTo(before);
    }

    /** A file is read once to store it and once more to compare it. */
    @Test
    void a_file_that_differs_on_the_second_read_is_not_uploaded() {
        assertThatThrownBy(() ->
                        preservation(order(repo, false))
                                .preserve(Path.of("/proc"), List.of("uptime")))
                .isInstanceOf(PreservationFailed.class);
        assertThat(handed).isEmpty();
    }

    /** Another try would not make room on the coordinator's disk. */
    @Test
    void a_file_that_the_coordinator_refuses_is_offered_once() throws IOException {
        write("a.txt", "changed\n");
        var offered = new ArrayList<String>();
        var preservation =
                new Preservation(
                        order(repo, false),
                        1 << 20,
                        (name, _) -> {
                            offered.add(name);
                            throw new GitFailed("the disk is full");
                        });
        assertThatThrownBy(() -> preservation.preserve(inGit(order(repo, false))))
                .hasMessage("the disk is full");
        assertThat(offered).hasSize(1);
    }

    @Test
    void restoring_works_without_the_old_branch_and_if_the_new_name_is_taken() throws IOException {
        run(repo, "checkout", "-q", "-b", "topic");
        write("topic.txt", "committed\n");
        commit("on a branch");
        write("a.txt", "changed\n");
        var item = preserved(order(repo, false));
        var before = files(repo);
        run(repo, "checkout", "-q", "-f", "main");
        run(repo, "branch", "-q", "-D", "topic");
        var first = restored(item, temp.resolve("first"), true);
        assertThat(files(temp.resolve("first"))).isEqualTo(before);
        var second = restored(item, temp.resolve("second"), true);
        assertThat(files(temp.resolve("second"))).isEqualTo(before);
        assertThat(second.branch()).isNotEqualTo(first.branch());
    }

    @Test
    void unpushed_commits_and_stashes_are_preserved_and_a_retry_changes_nothing()
            throws IOException {
        write("a.txt", "stashed\n");
        run(repo, "stash");
        write("c.txt", "committed\n");
        commit("second");
        var item = preserved(order(repo, false));
        assertThat(item.unpushed()).isEqualTo(1);
        assertThat(item.stashed()).isEqualTo(1);
        var preserved = Objects.requireNonNull(item.preserved());
        var refs = UserGit.in(repo).text("for-each-ref", "refs/coppice");
        assertThat(preserved(order(repo, false)).preserved()).isEqualTo(preserved);
        assertThat(UserGit.in(repo).text("for-each-ref", "refs/coppice")).isEqualTo(refs);
        assertThat(refs).contains("/head").contains("/stash/0").doesNotContain("/files");
    }

    /** It has the refs, or else the commits that the file builds on. */
    @Test
    void restoring_finds_the_repository_that_has_the_work() throws IOException {
        write("a.txt", "unsaved\n");
        var item = preserved(order(repo, false));
        var work = Objects.requireNonNull(item.preserved());
        var what =
                new Restore.Preserved(Objects.requireNonNull(work.ref()), item.commit(), "worker");
        var stranger = temp.resolve("stranger");
        run(temp, "init", "-q", stranger.toString());
        var clone = temp.resolve("clone");
        run(temp, "clone", "-q", temp.resolve("origin.git").toString(), clone.toString());
        var restore = new Restore(temp.resolve("back"), handed.getLast());
        var nowhere = List.of("relative", temp.resolve("gone").toString(), "not\0a path");
        var without = Stream.concat(nowhere.stream(), Stream.of(stranger.toString())).toList();
        assertThat(restore.among(what, without)).isNull();
        var builtOn = Stream.concat(without.stream(), Stream.of(clone.toString())).toList();
        assertThat(restore.among(what, builtOn)).isEqualTo(clone);
        var all = Stream.concat(builtOn.stream(), Stream.of(repo.toString())).toList();
        assertThat(restore.among(what, all)).isEqualTo(repo);
    }

    @Test
    void work_that_a_remote_has_is_not_preserved() {
        assertThat(preserved(order(repo, false)).preserved()).isNull();
    }

    /** The logs of other work trees stay, and so do the commits in them. */
    @Test
    void a_linked_work_tree_without_a_log_preserves_no_commits_of_others() throws IOException {
        var beside = temp.resolve("beside");
        run(repo, "worktree", "add", "-q", "--detach", beside.toString());
        Files.delete(repo.resolve(".git/worktrees/beside/logs/HEAD"));
        write("a.txt", "another's\n");
        commit("another's");
        run(repo, "reset", "-q", "--hard", "HEAD~1");
        assertThat(preservedInGit(order(beside, true)).preserved()).isNull();
    }

    /** Objects that were not fetched cannot be written, but the remote has all of them. */
    @Test
    void a_partial_clone_is_preserved_without_objects_it_did_not_fetch() throws IOException {
        run(temp.resolve("origin.git"), "config", "uploadpack.allowFilter", "true");
        var partial = temp.resolve("partial");
        var origin = "file://" + temp.resolve("origin.git");
        run(temp, "clone", "-q", "--filter=blob:none", origin, partial.toString());
        Files.writeString(partial.resolve("a.txt"), "unsaved\n");
        run(partial, "config", "remote.origin.url", "https://nowhere.invalid/x.git");
        run(partial, "commit", "-q", "--allow-empty", "-m", "here");
        run(partial, "commit", "-q", "--allow-empty", "--amend", "-m", "here again");
        var item = preserved(order(partial, false));
        assertThat(item.preserved()).isNotNull();
        assertThat(item.unpushed()).isOne();
    }

    /** A missing object cannot be preserved; everything else is. */
    @Test
    void a_missing_autostash_does_not_block_preservation() throws IOException {
        var aside = Files.createDirectories(repo.resolve(".git/rebase-merge"));
        Files.writeString(aside.resolve("autostash"), "1".repeat(40) + "\n");
        write("a.txt", "unsaved\n");
        var item = preserved(order(repo, true));
        assertThat(item.preserved()).isNotNull();
        assertThat(item.notes()).anyMatch(n -> n.contains("git no longer has the autostash"));
    }

    /** Without the branch, only the log of the work tree has the commit. */
    @Test
    void a_branch_deleted_elsewhere_does_not_change_a_linked_work_tree() throws IOException {
        var beside = temp.resolve("beside");
        run(repo, "worktree", "add", "-q", "--detach", beside.toString());
        run(beside, "commit", "-q", "--allow-empty", "-m", "first");
        run(repo, "branch", "-q", "kid", UserGit.in(beside).text("rev-parse", "HEAD"));
        run(beside, "commit", "-q", "--allow-empty", "--amend", "-m", "second");
        var before = inGit(order(beside, true)).fingerprint();
        run(repo, "branch", "-q", "-D", "kid");
        assertThat(inGit(order(beside, true)).fingerprint()).isEqualTo(before);
        run(beside, "commit", "-q", "--allow-empty", "--amend", "-m", "third");
        assertThat(inGit(order(beside, true)).fingerprint()).isNotEqualTo(before);
    }

    /** The HEAD log of a linked work tree is deleted with it. */
    @Test
    void commits_that_a_linked_work_tree_had_checked_out_are_preserved() throws IOException {
        var beside = temp.resolve("beside");
        run(repo, "worktree", "add", "-q", "--detach", beside.toString());
        run(beside, "commit", "-q", "--allow-empty", "-m", "on no branch");
        var away = UserGit.in(beside).text("rev-parse", "HEAD");
        run(beside, "checkout", "-q", "--detach", "main");
        write("a.txt", "another's, which stays\n");
        commit("another's");
        run(repo, "reset", "-q", "--hard", "HEAD~1");
        preservedInGit(order(beside, true));
        var commits = UserGit.in(repo).text("rev-list", "--glob=refs/coppice/preserved");
        assertThat(commits)
                .contains(away)
                .doesNotContain(UserGit.in(repo).text("rev-parse", "HEAD@{1}"));
    }

    /** No stash list has the autostash, and the file looks unchanged. */
    @Test
    void the_autostash_of_a_rebase_is_preserved() throws IOException {
        commitOn("side", "a.txt", "side\n");
        write("a.txt", "main\n");
        commit("main");
        write("dir/b.txt", "not committed\n");
        assertThatThrownBy(() -> run(repo, "rebase", "--autostash", "side"))
                .isInstanceOf(AssertionError.class);
        assertThat(repo.resolve("dir/b.txt")).hasContent("two");
        var item = preserved(order(repo, false));
        assertThat(item.stashed()).isOne();
        var restored = restored(item, temp.resolve("back"), true);
        assertThat(restored.stashes()).isOne();
        assertThat(UserGit.in(temp.resolve("back")).text("show", "stash:dir/b.txt"))
                .isEqualTo("not committed");
    }

    /** Patches still to be applied are only in the git directory. */
    @Test
    void patches_of_a_git_am_in_progress_are_preserved_unchanged() throws IOException {
        commitOn("side", "a.txt", "side\n");
        write("a.txt", "main\n");
        commit("main");
        var patch = temp.resolve("one.patch");
        Files.writeString(
                patch, UserGit.in(repo).text("format-patch", "-1", "--stdout", "side") + "\n");
        fails("am", patch.toString());
        var pending = Files.readString(repo.resolve(".git/rebase-apply/0001"));
        var item = preserved(order(repo, false));
        run(repo, "am", "--abort");
        var restored = restored(item, temp.resolve("back"), true);
        assertThat(restored.notes()).anyMatch(n -> n.contains("interrupted operation"));
        var state = repo.resolve(".git/worktrees/back/coppice-in-progress/rebase-apply/0001");
        assertThat(state).hasContent(pending);
    }

    /** Because of filters and line endings, git stores other bytes than the file has. */
    @Test
    void a_file_that_git_converts_is_preserved_with_its_own_bytes() throws IOException {
        write(".gitattributes", "*.nb filter=strip\n*.bat text eol=crlf\n");
        run(repo, "config", "filter.strip.clean", "sed s/output//");
        write("plot.nb", "cell output\n");
        write("run.bat", "one\r\ntwo\n");
        commit("filtered");
        run(repo, "push", "-q", "origin", "main");
        assertThat(UserGit.in(repo).text("status", "--porcelain")).isEmpty();
        var item = preserved(order(repo, false));
        assertThat(item.uncommitted()).isEqualTo(2);
        var into = temp.resolve("back");
        restored(item, into, true);
        assertThat(files(into)).isEqualTo(files(repo));
    }

    @ParameterizedTest
    @ValueSource(strings = {"assume-unchanged", "skip-worktree"})
    void a_link_in_place_of_a_file_that_git_was_told_to_skip_is_preserved(String flag)
            throws IOException {
        run(repo, "update-index", "--" + flag, "a.txt");
        Files.delete(repo.resolve("a.txt"));
        Files.createSymbolicLink(repo.resolve("a.txt"), Path.of("nowhere"));
        var into = temp.resolve("back");
        restored(preserved(order(repo, false)), into, true);
        assertThat(Files.readSymbolicLink(into.resolve("a.txt"))).isEqualTo(Path.of("nowhere"));
    }

    @Test
    void a_directory_that_became_a_file_is_restored_as_one_and_a_failure_leaves_nothing()
            throws IOException {
        Handles.delete(repo.resolve("dir"));
        write("dir", "a file now\n");
        var item = preserved(order(repo, false));
        var into = temp.resolve("back");
        restored(item, into, true);
        assertThat(into.resolve("dir")).hasContent("a file now");
        Files.write(handed.getLast(), new byte[100]);
        run(repo, "for-each-ref", "--format=delete %(refname)", "refs/coppice");
        var preserved = Objects.requireNonNull(item.preserved());
        var lost =
                new Restore.Preserved(
                        Objects.requireNonNull(preserved.ref()) + "x", item.commit(), "w");
        var again = temp.resolve("again");
        assertThatThrownBy(() -> new Restore(again, handed.getLast()).worktree(lost, repo))
                .isInstanceOf(RuntimeException.class);
        try (var all = Files.list(temp)) {
            assertThat(all.map(p -> p.getFileName().toString()))
                    .doesNotContain("again")
                    .noneMatch(n -> n.startsWith(".coppice-") && !n.equals(".coppice-runner"));
        }
        assertThat(UserGit.in(repo).text("branch", "--list", "coppice/w*"))
                .contains("coppice/worker")
                .hasLineCount(1);
    }

    @Test
    void a_sha256_repository_is_preserved_and_restored() throws IOException {
        var wide = temp.resolve("wide");
        run(temp, "init", "-q", "--object-format=sha256", wide.toString());
        Files.writeString(wide.resolve("a.txt"), "one\n");
        run(wide, "add", "-A");
        run(wide, "commit", "-q", "-m", "first");
        Files.writeString(wide.resolve("a.txt"), "two\n");
        var item = preserved(order(wide, false));
        var into = temp.resolve("back");
        var before = files(wide);
        Handles.delete(wide);
        restored(item, into, false);
        assertThat(files(into)).isEqualTo(before);
    }

    /** One name ends in a space, the other does not. */
    @Test
    void a_directory_is_not_mistaken_for_its_neighbour() throws IOException {
        var spaced = temp.resolve("repo ");
        run(temp, "clone", "-q", temp.resolve("origin.git").toString(), spaced.toString());
        Files.writeString(spaced.resolve("a.txt"), "in the one with the space\n");
        var item = preserved(order(spaced, false));
        assertThat(item.directory()).isEqualTo(spaced.toString());
        assertThat(item.uncommitted()).isOne();
        assertThat(UserGit.in(repo).text("for-each-ref", "refs/coppice")).isEmpty();
    }

    /** Anyone can write a {@code .git} file. */
    @Test
    void a_git_file_that_points_to_a_foreign_repository_is_not_followed() throws IOException {
        var bait = Files.createDirectory(temp.resolve("bait"));
        Files.writeString(bait.resolve(".git"), "gitdir: " + repo.resolve(".git") + "\n");
        assertThat(Findings.of(order(bait, false)))
                .singleElement()
                .isInstanceOf(Finding.Left.class);
        assertThat(UserGit.in(repo).text("for-each-ref", "refs/coppice")).isEmpty();
    }

    /** With a missing required filter git would store nothing, not even other files. */
    @Test
    void filters_line_endings_and_hooks_are_not_applied() throws IOException {
        write(".gitattributes", "*.bin filter=lfs\n*.txt text eol=lf\n");
        run(repo, "config", "filter.lfs.required", "true");
        run(repo, "config", "filter.lfs.clean", "no-such-program");
        run(repo, "config", "core.fsmonitor", "no-such-program");
        write("x.bin", "raw\r\nbytes");
        write("crlf.txt", "one\r\ntwo\n");
        var item = preserved(order(repo, false));
        var into = temp.resolve("back");
        restored(item, into, true);
        assertThat(Files.readString(into.resolve("crlf.txt"))).isEqualTo("one\r\ntwo\n");
        assertThat(Files.readString(into.resolve("x.bin"))).isEqualTo("raw\r\nbytes");
    }

    @Test
    void a_merge_in_conflict_is_reported_and_its_files_are_preserved() throws IOException {
        commitOn("side", "a.txt", "side\n");
        write("a.txt", "main\n");
        commit("main");
        assertThatThrownBy(() -> run(repo, "merge", "side")).isInstanceOf(AssertionError.class);
        var item = preserved(order(repo, false));
        assertThat(item.busy()).singleElement().asString().contains("a merge is in progress");
        var into = temp.resolve("back");
        restored(item, into, true);
        assertThat(Files.readString(into.resolve("a.txt"))).contains("<<<<<<<").contains(">>>>>>>");
    }

    @ParameterizedTest
    @CsvSource({
        "cherry-pick,a cherry-pick",
        "revert,a revert",
        "bisect,a bisect",
        "rebase --apply,a rebase",
        "rebase --merge,a rebase"
    })
    void operations_in_progress_are_reported(String command, String name) throws IOException {
        commitOn("side", "a.txt", "side\n");
        write("a.txt", "main\n");
        commit("main");
        write("a.txt", "more\n");
        commit("more");
        switch (command) {
            case "cherry-pick" -> fails("cherry-pick", "side");
            case "revert" -> fails("revert", "--no-edit", "HEAD~1");
            case "bisect" -> run(repo, "bisect", "start");
            default -> fails("rebase", command.substring("rebase ".length()), "side");
        }
        var item = preserved(order(repo, false));
        assertThat(item.busy()).singleElement().asString().contains(name + " is in progress");
    }

    private void fails(String... command) {
        assertThatThrownBy(() -> run(repo, command)).isInstanceOf(AssertionError.class);
    }

    @Test
    void changes_staged_beside_a_conflict_are_preserved_as_staged() throws IOException {
        commitOn("side", "a.txt", "side\n");
        write("a.txt", "main\n");
        commit("main");
        assertThatThrownBy(() -> run(repo, "merge", "side")).isInstanceOf(AssertionError.class);
        write("dir/b.txt", "staged\n");
        run(repo, "add", "dir/b.txt");
        write("dir/b.txt", "and changed\n");
        var item = preserved(order(repo, false));
        var into = temp.resolve("back");
        restored(item, into, true);
        assertThat(UserGit.in(into).text("show", ":dir/b.txt")).isEqualTo("staged");
        assertThat(into.resolve("dir/b.txt")).hasContent("and changed");
        assertThat(UserGit.in(into).text("show", ":a.txt")).isEqualTo("main");
        assertThat(Files.readString(into.resolve("a.txt"))).contains("<<<<<<<");
    }

    /** Git tracks no file behind a link. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void a_directory_that_became_a_link_is_preserved_as_a_link(boolean staged) throws IOException {
        Files.move(repo.resolve("dir"), repo.resolve("moved"));
        Files.createSymbolicLink(repo.resolve("dir"), Path.of("moved"));
        if (staged) run(repo, "add", "-A");
        var before = files(repo);
        var item = preserved(order(repo, false));
        var into = temp.resolve("back");
        restored(item, into, true);
        assertThat(files(into)).isEqualTo(before);
        assertThat(Files.readSymbolicLink(into.resolve("dir"))).isEqualTo(Path.of("moved"));
    }

    @Test
    void a_repository_without_a_commit_is_preserved() throws IOException {
        var fresh = temp.resolve("fresh");
        run(temp, "init", "-q", fresh.toString());
        Files.writeString(fresh.resolve("first.txt"), "first");
        Files.writeString(fresh.resolve("staged.txt"), "staged");
        run(fresh, "add", "staged.txt");
        var item = preserved(order(fresh, true));
        var before = files(fresh);
        Handles.delete(fresh);
        var into = temp.resolve("back");
        restored(item, into, false);
        assertThat(files(into)).isEqualTo(before);
    }

    @Test
    void a_linked_work_tree_with_a_locked_index_is_preserved() throws IOException {
        var beside = temp.resolve("beside");
        run(repo, "worktree", "add", "-q", "--detach", beside.toString());
        Files.writeString(beside.resolve("a.txt"), "beside\n");
        Files.writeString(repo.resolve(".git/worktrees/beside/index.lock"), "");
        var item = preserved(order(beside, false));
        assertThat(item.branch()).isNull();
        assertThat(item.busy()).singleElement().asString().contains("index.lock");
        var into = temp.resolve("back");
        restored(item, into, true);
        assertThat(files(into)).isEqualTo(files(beside));
    }

    @Test
    void small_ignored_files_are_preserved_on_request() throws IOException {
        write(".gitignore", "secret\nbuild/\n");
        commit("ignore");
        run(repo, "push", "-q", "origin", "main");
        write("secret", "s");
        write("build/out", "o");
        assertThat(preserved(order(repo, false)).notes())
                .contains("ignored: secret", "ignored: build/");
        assertThat(preserved(order(repo, false)).preserved()).isNull();
        var item = preserved(order(repo, false, "keep"));
        var into = temp.resolve("back");
        restored(item, into, true);
        assertThat(files(into)).isEqualTo(files(repo));
    }

    @Test
    void inspecting_changes_nothing_and_the_fingerprint_stays_the_same() throws IOException {
        write("a.txt", "changed\n");
        write("new.txt", "new\n");
        var objects = UserGit.in(repo).text("count-objects", "-v");
        var first = Findings.of(order(repo, false)).getFirst().fingerprint();
        assertThat(Findings.of(order(repo, false)).getFirst().fingerprint()).isEqualTo(first);
        assertThat(UserGit.in(repo).text("count-objects", "-v")).isEqualTo(objects);
        preserved(order(repo, false));
        assertThat(Findings.of(order(repo, false)).getFirst().fingerprint()).isEqualTo(first);
        write("new.txt", "newer\n");
        assertThat(Findings.of(order(repo, false)).getFirst().fingerprint()).isNotEqualTo(first);
    }

    @Test
    void a_damaged_bundle_fails_verification() throws IOException {
        write("a.txt", "changed\n");
        var item = preserved(order(repo, false));
        var bytes = Files.readAllBytes(handed.getLast());
        bytes[bytes.length - 30] ^= 1;
        Files.write(handed.getLast(), bytes);
        assertThatThrownBy(() -> prove(item, null)).isInstanceOf(GitFailed.class);
    }

    /** A thin bundle, too, is read to the last byte. */
    @Test
    void a_damaged_bundle_fails_verification_even_if_the_repository_has_all_objects()
            throws IOException {
        write("a.txt", "changed\n");
        var item = preserved(order(repo, false));
        var file = handed.getLast();
        prove(item, WorkTree.of(Repository.at(repo).orElseThrow()));
        var whole = Files.readAllBytes(file);
        int pack = new String(whole, StandardCharsets.ISO_8859_1).indexOf("\nPACK") + 9;
        assertThat(pack).isGreaterThan(9);
        for (int at : List.of(pack + 6, whole.length - 30, whole.length - 5)) {
            var bytes = whole.clone();
            bytes[at] ^= 1;
            Files.write(file, bytes);
            assertThatThrownBy(() -> prove(item, WorkTree.of(Repository.at(repo).orElseThrow())))
                    .isInstanceOf(GitFailed.class);
        }
    }

    private void prove(DirectoryTaskResult.Item item, @Nullable WorkTree lender)
            throws IOException {
        var ref = Objects.requireNonNull(item.preserved()).ref() + "/files";
        var commit = UserGit.in(repo).text("rev-parse", ref);
        var scratch = Files.createTempDirectory(temp, "proof");
        Bundle.prove(handed.getLast(), Map.of(ref, commit), scratch, lender);
        Bundle.compare(scratch, commit, repo, List.of("a.txt"));
    }

    /** Verification compares with the disk, not with what was meant to be preserved. */
    @Test
    void verification_names_a_file_that_differs_from_the_disk() throws IOException {
        write("a.txt", "changed\n");
        var item = preserved(order(repo, false));
        write("a.txt", "changed again\n");
        assertThatThrownBy(() -> prove(item, WorkTree.of(Repository.at(repo).orElseThrow())))
                .isInstanceOf(GitFailed.class)
                .hasMessage("'a.txt' in the bundle differs from the disk");
    }

    @Test
    void staged_changes_are_restored_in_the_files_and_in_the_index() throws IOException {
        write("a.txt", "staged\n");
        write("new.txt", "added\n");
        Files.delete(repo.resolve("gone.txt"));
        run(repo, "add", "-A");
        var into = temp.resolve("back");
        restored(preserved(order(repo, false)), into, true);
        assertThat(files(into)).isEqualTo(files(repo));
        assertThat(UserGit.in(into).text("status", "--porcelain"))
                .isEqualTo(UserGit.in(repo).text("status", "--porcelain"))
                .contains("M  a.txt", "D  gone.txt", "A  new.txt");
    }

    private void shell(String script) throws Exception {
        new ProcessBuilder("sh", "-c", script).directory(repo.toFile()).start().waitFor();
    }

    private static List<String> rawNames(Path directory) throws IOException {
        try (var all = Files.list(directory)) {
            return all.map(Path::getFileName).map(RawName::of).sorted().toList();
        }
    }

    /** A Linux name is any bytes; one such file kept its tree from being removed. */
    @Test
    void names_that_are_not_utf8_are_preserved_and_restored_with_their_bytes() throws Exception {
        shell("printf staged > \"$(printf 's\\377')\"");
        run(repo, "add", "-A");
        shell(
                """
                mkdir "$(printf 'd\\376')"
                printf one > "$(printf 'd\\376/a\\377')"
                printf two > "$(printf 'd\\376/a\\375')"
                printf '*.o' > .gitignore
                printf o > "$(printf 'i\\377.o')"
                ln -s "$(printf '../t\\377')" link
                """);
        var item = preserved(order(repo, false, "keep"));
        assertThat(item.busy()).isEmpty();
        var into = temp.resolve("back");
        restored(item, into, true);
        assertThat(rawNames(into)).contains("d\u00fe", "i\u00ff.o", "link", "s\u00ff");
        assertThat(RawName.ofLink(into.resolve("link"))).isEqualTo("../t\u00ff");
        var below = RawName.below(into, "d\u00fe");
        assertThat(rawNames(below)).containsExactly("a\u00fd", "a\u00ff");
        assertThat(RawName.below(below, "a\u00fd")).hasContent("two");
        assertThat(RawName.below(below, "a\u00ff")).hasContent("one");
    }

    /** The purge would delete it, and the commits that only its own log knows. */
    @Test
    void a_linked_work_tree_that_git_cannot_read_is_reported_and_archived() throws IOException {
        var tree = temp.resolve("tree");
        run(repo, "worktree", "add", "-q", "--detach", tree.toString());
        Files.writeString(repo.resolve(".git/worktrees/tree/index"), "no index");
        var findings = Findings.of(order(tree, true));
        assertThat(findings).hasSize(2).allMatch(Finding.Raw.class::isInstance);
        assertThat(findings.getFirst().item(null).busy())
                .singleElement()
                .asString()
                .contains("git cannot read '" + tree + "'");
    }

    /** Git would preserve it wrongly; an archive of plain files is correct. */
    @Test
    void an_unreadable_repository_is_reported_with_the_reason_and_archived() throws IOException {
        Files.writeString(repo.resolve(".git/index"), "no index");
        write("a.txt", "unsaved\n");
        var item = preserved(order(repo, false));
        assertThat(item.busy()).singleElement().asString().contains("git cannot read");
        restored(item, temp.resolve("back"), false);
        assertThat(temp.resolve("back/a.txt")).hasContent("unsaved");
    }

    @Test
    void a_full_disk_leaves_no_partial_files_in_the_repository() throws Exception {
        try (var disk = SmallDisk.ofMegabytes(4)) {
            var there = disk.path().resolve("repo");
            run(temp, "clone", "-q", temp.resolve("origin.git").toString(), there.toString());
            var random = new byte[600_000];
            new java.util.Random(1).nextBytes(random);
            Files.write(there.resolve("a.txt"), random);
            disk.fill();
            assertThatThrownBy(() -> preserved(order(there, false)))
                    .isInstanceOf(RuntimeException.class);
            try (var all = Files.walk(there.resolve(".git/objects"))) {
                assertThat(all.filter(p -> p.getFileName().toString().startsWith("tmp_")))
                        .isEmpty();
            }
        }
    }

    @Test
    void files_marked_assume_unchanged_are_preserved() throws IOException {
        run(repo, "update-index", "--assume-unchanged", "a.txt");
        write("a.txt", "hidden change\n");
        var item = preserved(order(repo, false));
        var into = temp.resolve("back");
        restored(item, into, true);
        assertThat(Files.readString(into.resolve("a.txt"))).isEqualTo("hidden change\n");
    }

    @Test
    void work_in_a_shallow_clone_is_preserved() throws IOException {
        var shallow = temp.resolve("shallow");
        write("a.txt", "two\n");
        commit("second");
        run(repo, "push", "-q", "origin", "main");
        var origin = "file://" + temp.resolve("origin.git");
        run(temp, "clone", "-q", "--depth", "1", origin, shallow.toString());
        Files.writeString(shallow.resolve("a.txt"), "three\n");
        assertThat(preserved(order(shallow, true)).preserved()).isNotNull();
    }

    /** A clone of a tag has no remote-tracking branches, and its history is cut off. */
    @Test
    void work_in_a_shallow_clone_of_a_tag_is_preserved() throws IOException {
        var shallow = temp.resolve("shallow");
        write("a.txt", "two\n");
        commit("second");
        run(repo, "tag", "v2");
        run(repo, "push", "-q", "origin", "v2");
        var origin = "file://" + temp.resolve("origin.git");
        run(temp, "clone", "-q", "--depth", "1", "-b", "v2", origin, shallow.toString());
        Files.writeString(shallow.resolve("a.txt"), "three\n");
        var item = preserved(order(shallow, true));
        var back = temp.resolve("back");
        Handles.delete(shallow);
        restored(item, back, true);
        assertThat(back.resolve("a.txt")).hasContent("three");
    }

    private DirectoryTaskOrder made(String session) throws IOException {
        Files.writeString(temp.resolve(".coppice-runner"), "");
        var place =
                new DirectoryTaskOrder.Place(
                        temp.resolve("work").resolve(session).toString(),
                        true,
                        session,
                        session,
                        temp.resolve("runs").toString(),
                        false);
        return new DirectoryTaskOrder(
                "task_2", "clean_up", "rem_1", "list", "made", 0, List.of(place), List.of("run_1"));
    }

    @Test
    void a_link_in_place_of_a_created_directory_is_deleted_without_its_target() throws IOException {
        var order = made("ses_9");
        Files.createDirectories(temp.resolve("work"));
        Files.createSymbolicLink(temp.resolve("work/ses_9"), repo);
        assertThat(Findings.of(order)).isEmpty();
        deletion(order).deleteAll();
        assertThat(temp.resolve("work/ses_9")).doesNotExist();
        assertThat(repo.resolve("a.txt")).exists();
    }

    @Test
    void only_created_directories_without_work_trees_outside_are_deleted() throws IOException {
        var order = made("ses_8");
        var work = Files.createDirectories(temp.resolve("work/ses_8"));
        Files.createDirectories(temp.resolve("runs/run_1"));
        run(temp, "clone", "-q", temp.resolve("origin.git").toString(), work + "/clone");
        run(work.resolve("clone"), "worktree", "add", "-q", "--detach", temp + "/outside");
        assertThatThrownBy(() -> deletion(order).deleteAll())
                .hasMessageContaining("is the repository of");
        assertThat(work.resolve("clone/a.txt")).exists();
        run(work.resolve("clone"), "worktree", "remove", temp + "/outside");
        deletion(order).deleteAll();
        assertThat(work).doesNotExist();
        assertThat(temp.resolve("runs/run_1")).doesNotExist();
        Files.delete(temp.resolve(".coppice-runner"));
        Files.createDirectories(work);
        assertThatThrownBy(() -> deletion(order).deleteAll())
                .hasMessageContaining("not created by Coppice");
    }

    /** One of many linked work trees is on a disk that is not mounted. */
    @Test
    void other_work_trees_stay_on_the_list_even_if_they_are_absent() throws IOException {
        var order = made("ses_8");
        var work = temp.resolve("work/ses_8");
        run(repo, "worktree", "add", "-q", "--detach", work + "/tree");
        run(repo, "worktree", "add", "-q", "--detach", temp + "/disk");
        run(temp.resolve("disk"), "commit", "-q", "--allow-empty", "-m", "only there");
        var only = UserGit.in(temp.resolve("disk")).text("rev-parse", "HEAD");
        Files.move(temp.resolve("disk"), temp.resolve("away"));
        deletion(order).deleteAll();
        assertThat(work).doesNotExist();
        assertThat(UserGit.in(repo).text("worktree", "list"))
                .doesNotContain("ses_8")
                .contains("/disk");
        Files.move(temp.resolve("away"), temp.resolve("disk"));
        assertThat(UserGit.in(temp.resolve("disk")).text("rev-parse", "HEAD")).isEqualTo(only);
    }

    @Test
    void a_bare_repository_with_work_trees_elsewhere_is_not_deleted() throws IOException {
        var origin = temp.resolve("origin.git").toString();
        for (var bare : List.of(".bare", "all.git")) {
            var order = made("ses_6");
            var work = Files.createDirectories(temp.resolve("work/ses_6"));
            run(temp, "clone", "-q", "--bare", origin, work + "/" + bare);
            if (bare.startsWith(".")) Files.writeString(work.resolve(".git"), "gitdir: ./.bare\n");
            var all = work.resolve(bare);
            var outside = temp + "/outside" + bare;
            run(all, "worktree", "add", "-q", "--detach", outside, "main");
            assertThatThrownBy(() -> deletion(order).deleteAll())
                    .hasMessageContaining("is the repository of");
            run(all, "worktree", "remove", outside);
            deletion(order).deleteAll();
            assertThat(work).doesNotExist();
        }
    }

    /** The directory is half deleted, and git cannot read the rest. */
    @Test
    void an_interrupted_deletion_is_completed() throws IOException {
        var order = made("ses_5");
        var going = Files.createDirectories(temp.resolve("work/.going-ses_5"));
        run(repo, "worktree", "add", "-q", "--detach", temp + "/work/ses_5/tree");
        Files.move(temp.resolve("work/ses_5"), going, StandardCopyOption.REPLACE_EXISTING);
        Files.createDirectories(going.resolve("clone/.git/objects"));
        deletion(order).deleteAll();
        assertThat(going).doesNotExist();
        assertThat(UserGit.in(repo).text("worktree", "list").lines()).hasSize(1);
        assertThat(repo.resolve(".git/worktrees")).doesNotExist();
    }

    /** A submodule is a repository of its own; the outer one only records its commit. */
    @Test
    void unsaved_work_in_a_submodule_is_preserved() throws IOException {
        var origin = temp.resolve("origin.git").toString();
        run(repo, "submodule", "--quiet", "add", origin, "lib");
        commit("with a submodule");
        run(repo, "push", "-q", "origin", "main");
        Files.writeString(repo.resolve("lib/a.txt"), "unsaved inside\n");
        run(repo.resolve("lib"), "commit", "-q", "--allow-empty", "-m", "on no remote");
        var order = order(repo, false);
        var found = Findings.of(order);
        assertThat(found).extracting(Finding::directory).contains(repo, repo.resolve("lib"));
        assertThat(found.getFirst().item(null).notes()).contains("submodule: lib");
        var lib = found.stream().filter(f -> f.directory().endsWith("lib")).findFirst();
        var item = lib.orElseThrow().item(preservation(order).preserve(lib.orElseThrow()));
        assertThat(item.uncommitted()).isOne();
        assertThat(item.unpushed()).isOne();
        var ref = Objects.requireNonNull(Objects.requireNonNull(item.preserved()).ref());
        new Restore(temp.resolve("back"), handed.getLast())
                .worktree(new Restore.Preserved(ref, item.commit(), "w"), repo.resolve("lib"));
        assertThat(temp.resolve("back/a.txt")).hasContent("unsaved inside");
    }

    @Test
    void sessions_that_share_a_directory_preserve_it_once_and_submodules_are_listed()
            throws IOException {
        write("a.txt", "changed\n");
        run(repo, "submodule", "--quiet", "add", temp.resolve("origin.git").toString(), "lib");
        var one = order(repo, false);
        var other =
                new DirectoryTaskOrder.Place(
                        repo.toString(),
                        false,
                        "ses_2",
                        "other",
                        temp.resolve("runs").toString(),
                        false);
        var both = one.about(List.of(one.places().getFirst(), other));
        var found = Findings.of(both);
        assertThat(found).hasSize(2);
        var item = found.getFirst().item(null);
        assertThat(item.sessions()).containsExactly("other", "worker");
        assertThat(item.notes()).contains("submodule: lib");
    }

    private static DirectoryDeletion deletion(DirectoryTaskOrder order) {
        return new DirectoryDeletion(order, DirectoryDeletion.fingerprints(Findings.of(order)));
    }
}
