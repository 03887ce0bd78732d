package dev.coppice.runner.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.client.CoppiceClient;
import dev.coppice.scene.UserGit;
import dev.coppice.wire.fleet.DirectoryTaskOrder;
import dev.coppice.wire.fleet.DirectoryTaskResult;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Objects;
import java.util.stream.Stream;

/** Tests when a created directory may be deleted; no coordinator accepts uploads. */
@ExtendWith(InScratch.class)
class TaskWorkTest {
    private static final String NOWHERE = "http://127.0.0.1:9";
    private static final String[] COMMITTED = {
        "-c", "user.name=u", "-c", "user.email=u@x", "commit", "-q", "-m", "m"
    };
    @TempDir Path temp;
    private Path made = Path.of("");

    @BeforeEach
    void worked() throws IOException {
        temp = temp.toRealPath();
        Files.writeString(temp.resolve(".coppice-runner"), "");
        made = Files.createDirectories(temp.resolve("work/ses_1"));
        Files.writeString(made.resolve("notes.txt"), "dear");
    }

    private TaskWork work(String kind) {
        var runs = temp.resolve("runs").toString();
        var place =
                new DirectoryTaskOrder.Place(made.toString(), true, "ses_1", "worker", runs, false);
        var order =
                new DirectoryTaskOrder(
                        "task_1",
                        kind,
                        "rem_1",
                        "list",
                        "made",
                        1_700_000_000_000L,
                        List.of(place),
                        List.of());
        return new TaskWork(order, temp, 1 << 20, new CoppiceClient(URI.create(NOWHERE), "none"));
    }

    private List<DirectoryTaskResult.Item> look() {
        var look = work("inspect");
        var items = Objects.requireNonNull(look.execute("r1").items());
        look.confirmed();
        return items;
    }

    /** True if the directory was deleted; else its work must be uploaded first, which fails. */
    private boolean isGoneAfter(String kind) {
        try {
            work(kind).execute("r1");
        } catch (CoppiceClient.Unreachable _) {
            assertThat(made.resolve("notes.txt")).exists();
        }
        return !Files.exists(made);
    }

    @Test
    void inspected_work_does_not_count_as_preserved() {
        look();
        assertThat(isGoneAfter("clean_up")).isFalse();
    }

    /** Another runner completed that removal, or it was cancelled. */
    @Test
    void notes_of_old_removals_are_deleted() throws IOException {
        var old = Files.createDirectories(temp.resolve("seen/rem_old"));
        var recent = Files.createDirectories(temp.resolve("seen/rem_recent"));
        Files.setLastModifiedTime(old, FileTime.fromMillis(1_700_000_000_000L));
        look();
        assertThat(old).doesNotExist();
        assertThat(recent).exists();
        assertThat(temp.resolve("seen")).isDirectoryContaining(p -> p.endsWith("rem_1"));
    }

    /** Nothing is noted and nothing is deleted, because the upload failed. */
    @Test
    void work_that_failed_to_upload_is_not_noted_as_preserved() throws IOException {
        var cleanUp = work("clean_up");
        assertThat(isGoneAfter("clean_up")).isFalse();
        cleanUp.confirmed();
        assertThat(temp.resolve("preserved")).doesNotExist();
    }

    private Path repository() throws IOException {
        var repo = temp.resolve("repo");
        UserGit.in(temp).text("init", "-q", "-b", "main", repo.toString());
        Files.writeString(repo.resolve("a.txt"), "one");
        commit(repo);
        return repo;
    }

    /** A clone with a submodule; remotes have all of it. */
    private Path superproject() throws IOException {
        return superprojectOf(repository());
    }

    private Path superprojectOf(Path lib) {
        var clone = made.resolve("clone");
        UserGit.in(temp).text("clone", "-q", lib.toString(), clone.toString());
        submodule(clone, "add", "-q", lib.toString(), "lib");
        commit(clone);
        UserGit.in(clone).text("push", "-q", "origin", "HEAD:refs/heads/pushed");
        return clone;
    }

    /** Adds a linked work tree with its submodule. */
    private static Path linked(Path repo, Path tree) {
        UserGit.in(repo).text("worktree", "add", "-q", tree.toString());
        submodule(tree, "update", "-q", "--init");
        return tree;
    }

    private static void submodule(Path repo, String... words) {
        var all = Stream.of("-c", "protocol.file.allow=always", "submodule");
        UserGit.in(repo).text(Stream.concat(all, Stream.of(words)).toArray(String[]::new));
    }

    /** The git directory of a linked work tree is deleted with it, submodules included. */
    @Test
    void a_submodule_with_a_work_tree_elsewhere_is_not_deleted() throws IOException {
        var users = temp.resolve("users");
        Files.move(superproject(), users);
        var tree = linked(users, made.resolve("tree"));
        var elsewhere = temp.resolve("elsewhere");
        UserGit.in(tree.resolve("lib")).text("worktree", "add", "-q", elsewhere.toString());
        assertThatThrownBy(() -> deletion(cleaningUp()).deleteAll())
                .hasMessageContaining("is the repository of '" + elsewhere);
        UserGit.in(tree.resolve("lib")).text("worktree", "remove", elsewhere.toString());
        deletion(cleaningUp()).deleteAll();
        assertThat(made).doesNotExist();
    }

    /** The user moved the runner's directory to another disk and left a link. */
    @Test
    void a_directory_that_moved_behind_a_link_is_checked_and_deleted() throws IOException {
        var there = Files.createDirectory(temp.resolve("there"));
        var here = temp.resolve("here");
        Files.createSymbolicLink(here, there);
        var through = Files.createDirectories(here.resolve("work/ses_1"));
        Files.writeString(there.resolve(".coppice-runner"), "");
        Files.writeString(through.resolve("notes.txt"), "dear");
        UserGit.in(through).text("init", "-q", "repo");
        var elsewhere = temp.resolve("elsewhere");
        Files.writeString(through.resolve("repo/a.txt"), "dear too");
        commit(through.resolve("repo"));
        UserGit.in(through.resolve("repo")).text("worktree", "add", "-q", elsewhere.toString());
        var place =
                new DirectoryTaskOrder.Place(
                        through.toString(), true, "ses_1", "worker", "", false);
        var order = cleaningUp().about(List.of(place));
        assertThat(Findings.of(order))
                .extracting(Finding::directory)
                .containsExactly(there.resolve("work/ses_1"));
        assertThatThrownBy(() -> deletion(order).deleteAll())
                .hasMessageContaining("is the repository of '" + elsewhere);
        UserGit.in(through.resolve("repo")).text("worktree", "remove", elsewhere.toString());
        deletion(order).deleteAll();
        assertThat(through).doesNotExist();
        Files.move(there.resolve("work"), temp.resolve("mine"));
        Files.createDirectory(temp.resolve("mine/ses_1"));
        Files.createSymbolicLink(there.resolve("work"), temp.resolve("mine"));
        assertThatThrownBy(() -> deletion(order).deleteAll())
                .hasMessageContaining("not created by Coppice");
    }

    @Test
    void a_linked_work_tree_inside_the_git_directory_does_not_block_deletion() throws IOException {
        var clone = made.resolve("clone");
        Files.move(repository(), clone);
        var hidden = clone.resolve(".git/sync/tree");
        UserGit.in(clone).text("worktree", "add", "-q", "--detach", hidden.toString());
        Files.writeString(hidden.resolve("b.txt"), "saved nowhere");
        deletion(cleaningUp()).deleteAll();
        assertThat(made).doesNotExist();
    }

    private DirectoryTaskOrder cleaningUp() {
        var place =
                new DirectoryTaskOrder.Place(made.toString(), true, "ses_1", "worker", "", false);
        return new DirectoryTaskOrder(
                "task_2", "clean_up", "rem_1", "list", "made", 0, List.of(place), List.of());
    }

    private static void commit(Path repo) {
        UserGit.in(repo).text("add", "-A");
        UserGit.in(repo).text(COMMITTED);
    }

    /** The runner was killed during a copy and starts again. */
    @Test
    void refs_of_an_unfinished_copy_are_deleted_when_the_runner_starts() throws IOException {
        var repo = repository();
        var locked = Files.createDirectory(temp.resolve("locked"));
        UserGit.in(temp).text("clone", "-q", repo.toString(), locked.toString());
        var ref = "refs/coppice/preserved/ses_1/task_7/abc/head";
        var other = "refs/coppice/preserved/ses_1/rem_7/abc/head";
        for (var each : List.of(ref, other)) {
            UserGit.in(repo).text("update-ref", each, "HEAD");
            UserGit.in(locked).text("update-ref", each, "HEAD");
        }
        Files.createDirectories(temp.resolve("copies"));
        var tops = Stream.of(temp.resolve("gone"), locked, repo).map(Path::toString).toList();
        Files.write(temp.resolve("copies/task_7"), tops);
        var lock = Files.createFile(locked.resolve(".git/" + ref + ".lock"));
        for (var copy : TaskWork.takeUnfinishedCopies(temp)) {
            assertThatThrownBy(() -> TaskWork.forget(copy)).isInstanceOf(GitFailed.class);
        }
        assertThat(preserved(repo)).as("despite failures in other repositories").isEqualTo(other);
        assertThat(preserved(locked)).contains(ref);
        Files.delete(lock);
        for (var copy : TaskWork.takeUnfinishedCopies(temp)) TaskWork.forget(copy);
        assertThat(preserved(locked)).isEqualTo(other);
        assertThat(temp.resolve("copies")).isEmptyDirectory();
    }

    private static String preserved(Path repo) {
        return UserGit.in(repo).text("for-each-ref", "--format=%(refname)", "refs/coppice");
    }

    @Test
    void inspected_work_may_be_discarded_while_it_is_unchanged() throws IOException {
        look();
        Files.writeString(made.resolve("notes.txt"), "dearer");
        assertThat(isGoneAfter("delete")).isFalse();
        look();
        assertThat(isGoneAfter("delete")).isTrue();
    }

    private static DirectoryDeletion deletion(DirectoryTaskOrder order) {
        return new DirectoryDeletion(order, DirectoryDeletion.fingerprints(Findings.of(order)));
    }
}
