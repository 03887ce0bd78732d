package dev.coppice.runner.unsaved;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.client.CoppiceClient;
import dev.coppice.wire.ErrandAnswer;
import dev.coppice.wire.ErrandOrder;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/** What may go after what, in a directory that Coppice has made; nobody can be handed anything. */
class ErrandWorkTest {
    private static final String NOBODY = "http://127.0.0.1:9";
    private static final String YEARS_AGO = "2020-01-01T00:00:00Z";
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

    private ErrandWork work(String kind) {
        var runs = temp.resolve("runs").toString();
        var place = new ErrandOrder.Place(made.toString(), true, "ses_1", "worker", runs, false);
        var order =
                new ErrandOrder(
                        "err_1",
                        kind,
                        "rem_1",
                        "list",
                        "made",
                        1_700_000_000_000L,
                        List.of(place),
                        List.of());
        return new ErrandWork(order, temp, new CoppiceClient(URI.create(NOBODY), "none"));
    }

    private List<ErrandAnswer.Item> look() {
        var look = work("look");
        var items = Objects.requireNonNull(look.done("r1").items());
        look.confirmed();
        return items;
    }

    /** Whether it was taken away; else it had to be kept first, and there is nobody to keep it. */
    private boolean isGoneAfter(String kind) {
        try {
            work(kind).done("r1");
        } catch (CoppiceClient.Unreachable _) {
            assertThat(made.resolve("notes.txt")).exists();
        }
        return !Files.exists(made);
    }

    @Test
    void what_was_only_seen_is_not_taken_for_kept() {
        look();
        assertThat(isGoneAfter("tidy")).isFalse();
    }

    /** Another runner has ended that removal, or it was called off. */
    @Test
    void notes_that_nobody_came_back_for_go() throws IOException {
        var old = Files.createDirectories(temp.resolve("seen/rem_old"));
        var recent = Files.createDirectories(temp.resolve("seen/rem_recent"));
        Files.setLastModifiedTime(old, FileTime.fromMillis(1_700_000_000_000L));
        look();
        assertThat(old).doesNotExist();
        assertThat(recent).exists();
        assertThat(temp.resolve("seen")).isDirectoryContaining(p -> p.endsWith("rem_1"));
    }

    /** Half of it was handed in; the coordinator has written down nothing. */
    @Test
    void what_failed_is_not_noted_as_kept() throws IOException {
        Git.in(temp).text("clone", "-q", "--bare", repository().toString(), made + "/foo/.git");
        Files.delete(made.resolve("notes.txt"));
        var tidy = work("tidy");
        assertThat(tidy.done("r1").error()).contains("foo", "git cannot read", "stays");
        tidy.confirmed();
        assertThat(temp.resolve("kept")).doesNotExist();
        assertThat(made.resolve("foo/.git/HEAD")).exists();
    }

    private Path repository() throws IOException {
        var repo = temp.resolve("repo");
        Git.in(temp).text("init", "-q", "-b", "main", repo.toString());
        Files.writeString(repo.resolve("a.txt"), "one");
        commit(repo);
        return repo;
    }

    /** A clone with a submodule, of which everything is on a remote. */
    private Path superproject() throws IOException {
        return superprojectOf(repository());
    }

    private Path superprojectOf(Path lib) {
        var clone = made.resolve("clone");
        Git.in(temp).text("clone", "-q", lib.toString(), clone.toString());
        submodule(clone, "add", "-q", lib.toString(), "lib");
        commit(clone);
        Git.in(clone).text("push", "-q", "origin", "HEAD:refs/heads/pushed");
        return clone;
    }

    /** A work tree of it, with its submodule. */
    private static Path linked(Path repo, Path tree) {
        Git.in(repo).text("worktree", "add", "-q", tree.toString());
        submodule(tree, "update", "-q", "--init");
        return tree;
    }

    private static void submodule(Path repo, String... words) {
        var all = Stream.of("-c", "protocol.file.allow=always", "submodule");
        Git.in(repo).text(Stream.concat(all, Stream.of(words)).toArray(String[]::new));
    }

    /** Where git alone still has something of a submodule. */
    enum Only {
        ON_A_BRANCH,
        IN_A_LOG,
        IN_A_STASH,
        UNDER_A_TAG,
        UNDER_A_TAG_FROM_ANOTHER_TREE,
        STAGED;

        void make(Path clone) throws IOException {
            var lib = clone.resolve("lib");
            if (this == STAGED) stage(lib);
            else if (this == UNDER_A_TAG_FROM_ANOTHER_TREE) tag(lib, clone.resolve("another"));
            else commit(clone, lib);
        }

        private static void stage(Path lib) throws IOException {
            Files.writeString(lib.resolve("a.txt"), "on no remote");
            Git.in(lib).text("add", "a.txt");
            Directory.delete(lib);
        }

        private static void tag(Path lib, Path another) throws IOException {
            var git = Git.in(lib);
            git.text("worktree", "add", "-q", "--detach", another.toString());
            Files.writeString(another.resolve("a.txt"), "on no remote");
            ErrandWorkTest.commit(another);
            Git.in(another).text("tag", "mine");
            git.text("worktree", "remove", another.toString());
            Directory.delete(lib);
        }

        private void commit(Path clone, Path lib) throws IOException {
            var git = Git.in(lib);
            if (this != ON_A_BRANCH) git.text("checkout", "-q", "--detach");
            Files.writeString(lib.resolve("a.txt"), "on no remote");
            if (this == IN_A_STASH) {
                git.text("-c", "user.name=u", "-c", "user.email=u@x", "stash", "-q");
            } else {
                ErrandWorkTest.commit(lib);
            }
            if (this == UNDER_A_TAG) git.text("tag", "mine");
            submodule(clone, "update", "-q", "-f");
            if (this == UNDER_A_TAG) Directory.delete(clone.resolve(".git/modules/lib/logs"));
            submodule(clone, "deinit", "-q", "-f", "lib");
        }
    }

    /** Its history is all there is of it: nothing of it is in the work tree. */
    @ParameterizedTest
    @EnumSource
    void what_only_a_submodule_without_a_checkout_has_stays(Only where) throws IOException {
        var clone = superproject();
        assertThat(Modules.of(clone.resolve(".git"))).isEmpty();
        where.make(clone);
        var said = ".git/modules/lib";
        assertThat(Modules.unsaved(clone.resolve(".git")))
                .singleElement()
                .asString()
                .contains("not checked out", said);
        assertThat(look()).anySatisfy(i -> assertThat(i.notes()).anyMatch(n -> n.contains(said)));
        assertThatThrownBy(() -> new Tidying(tidying(), Set.of()).takeAway())
                .hasMessageContaining("not checked out");
        assertThat(clone.resolve(".git/modules/lib/HEAD")).exists();
    }

    @Test
    void a_submodule_without_a_checkout_that_a_remote_has_holds_nothing() throws IOException {
        var clone = superproject();
        Directory.delete(clone.resolve("lib"));
        assertThat(Modules.of(clone.resolve(".git"))).hasSize(1);
        assertThat(Modules.unsaved(clone.resolve(".git"))).isEmpty();
        new Tidying(tidying(), Set.of()).takeAway();
        assertThat(made).doesNotExist();
    }

    /** Of a release that was made beside all branches, for one. */
    @Test
    void a_tag_that_came_from_a_remote_holds_nothing() throws IOException {
        var lib = repository();
        Git.in(lib).text("checkout", "-q", "--detach");
        Files.writeString(lib.resolve("a.txt"), "released");
        Git.in(lib).text("add", "-A");
        Git.in(lib).with("GIT_COMMITTER_DATE", YEARS_AGO).text(COMMITTED);
        Git.in(lib).text("tag", "v1");
        Git.in(lib).text("checkout", "-q", "main");
        var clone = superprojectOf(lib);
        submodule(clone, "deinit", "-q", "-f", "lib");
        assertThat(Modules.git(clone.resolve(".git/modules/lib")).text("tag")).isEqualTo("v1");
        assertThat(Modules.unsaved(clone.resolve(".git"))).isEmpty();
    }

    /** Its files are kept one by one. */
    @Test
    void a_submodule_of_a_bare_repository_holds_nothing() throws IOException {
        var lib = repository();
        var bare = made.resolve("repo.git");
        Git.in(temp).text("clone", "-q", "--bare", superprojectOf(lib).toString(), bare.toString());
        Directory.delete(made.resolve("clone"));
        var tree = linked(bare, made.resolve("tree"));
        Files.writeString(tree.resolve("lib/b.txt"), "on no remote");
        commit(tree.resolve("lib"));
        Directory.delete(tree);
        var files = Directory.at(made).files;
        assertThat(files).anyMatch(f -> f.contains("repo.git/worktrees/tree/modules/lib/objects"));
        new Tidying(tidying(), Set.of()).takeAway();
        assertThat(made).doesNotExist();
    }

    /** What a repository elsewhere has of a work tree goes with that, submodules included. */
    @Test
    void a_submodule_in_which_others_work_elsewhere_stays() throws IOException {
        var users = temp.resolve("users");
        Files.move(superproject(), users);
        var tree = linked(users, made.resolve("tree"));
        var elsewhere = temp.resolve("elsewhere");
        Git.in(tree.resolve("lib")).text("worktree", "add", "-q", elsewhere.toString());
        assertThatThrownBy(() -> new Tidying(tidying(), Set.of()).takeAway())
                .hasMessageContaining("is the repository of " + elsewhere);
        Git.in(tree.resolve("lib")).text("worktree", "remove", elsewhere.toString());
        new Tidying(tidying(), Set.of()).takeAway();
        assertThat(made).doesNotExist();
    }

    /** Git keeps its submodules with what it remembers of it. */
    @Test
    void submodules_of_a_work_tree_that_is_gone_stay_too() throws IOException {
        var clone = superproject();
        var tree = linked(clone, temp.resolve("tree"));
        Files.writeString(tree.resolve("lib/b.txt"), "on no remote");
        commit(tree.resolve("lib"));
        Directory.delete(tree);
        assertThat(Modules.unsaved(clone.resolve(".git")))
                .singleElement()
                .asString()
                .contains("worktrees/tree/modules/lib");
    }

    /** What is said of it is thrown away with all else; what came later is not. */
    @Test
    void a_submodule_that_was_seen_may_be_thrown_away_as_long_as_it_is_the_same()
            throws IOException {
        var clone = superproject();
        Only.ON_A_BRANCH.make(clone);
        look();
        submodule(clone, "update", "-q", "--init");
        Git.in(clone.resolve("lib")).text("checkout", "-q", "-B", "more");
        Files.writeString(clone.resolve("lib/c.txt"), "later");
        commit(clone.resolve("lib"));
        submodule(clone, "update", "-q", "-f");
        submodule(clone, "deinit", "-q", "-f", "lib");
        assertThat(isGoneAfter("wipe")).isFalse();
        look();
        assertThat(isGoneAfter("wipe")).isTrue();
    }

    /** Somebody has moved all of it to another disk. */
    @Test
    void what_is_reached_through_a_link_by_now_is_kept_before_it_goes() throws IOException {
        var there = Files.createDirectory(temp.resolve("there"));
        var here = temp.resolve("here");
        Files.createSymbolicLink(here, there);
        var through = Files.createDirectories(here.resolve("work/ses_1"));
        Files.writeString(there.resolve(".coppice-runner"), "");
        Files.writeString(through.resolve("notes.txt"), "dear");
        Git.in(through).text("init", "-q", "repo");
        var elsewhere = temp.resolve("elsewhere");
        Files.writeString(through.resolve("repo/a.txt"), "dear too");
        commit(through.resolve("repo"));
        Git.in(through.resolve("repo")).text("worktree", "add", "-q", elsewhere.toString());
        var place = new ErrandOrder.Place(through.toString(), true, "ses_1", "worker", "", false);
        var order = tidying().about(List.of(place));
        assertThat(Findings.of(order))
                .extracting(Finding::directory)
                .containsExactly(there.resolve("work/ses_1"), there.resolve("work/ses_1/repo"));
        assertThatThrownBy(() -> new Tidying(order, Set.of()).takeAway())
                .hasMessageContaining("is the repository of " + elsewhere);
        Git.in(through.resolve("repo")).text("worktree", "remove", elsewhere.toString());
        new Tidying(order, Set.of()).takeAway();
        assertThat(through).doesNotExist();
        Files.move(there.resolve("work"), temp.resolve("mine"));
        Files.createDirectory(temp.resolve("mine/ses_1"));
        Files.createSymbolicLink(there.resolve("work"), temp.resolve("mine"));
        assertThatThrownBy(() -> new Tidying(order, Set.of()).takeAway())
                .hasMessageContaining("was not made by Coppice");
    }

    /** Git asks whatever lies above, and that is quite well. */
    @ParameterizedTest
    @ValueSource(strings = {".", "made"})
    void what_git_cannot_read_stays_also_in_another_repository(String above) throws IOException {
        Git.in(temp).text("init", "-q", above.equals(".") ? "." : made.toString());
        var broken = made.resolve("broken");
        Files.move(repository(), broken);
        Files.createDirectories(made.resolve("marked/.git"));
        Files.writeString(broken.resolve(".git/HEAD"), "");
        assertThatThrownBy(() -> new Tidying(tidying(), Set.of()).takeAway())
                .hasMessageContaining(broken + " has a .git that git cannot read");
        assertThat(broken.resolve(".git/objects")).isNotEmptyDirectory();
        Directory.delete(broken);
        new Tidying(tidying(), Set.of()).takeAway();
        assertThat(made).doesNotExist();
    }

    @Test
    void a_work_tree_among_the_files_of_git_is_one_too() throws IOException {
        var clone = made.resolve("clone");
        Files.move(repository(), clone);
        var hidden = clone.resolve(".git/sync/tree");
        Git.in(clone).text("worktree", "add", "-q", "--detach", hidden.toString());
        Files.writeString(hidden.resolve("b.txt"), "saved nowhere");
        assertThat(look())
                .filteredOn(i -> i.directory().equals(hidden.toString()))
                .singleElement()
                .satisfies(i -> assertThat(i.untracked()).isOne());
        new Tidying(tidying(), Set.of()).takeAway();
        assertThat(made).doesNotExist();
    }

    /** A commit only names them, and so does what is staged. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void contents_that_git_lfs_has_not_pushed_stay(boolean isCommitted) throws IOException {
        var clone = made.resolve("clone");
        Git.in(temp).text("clone", "-q", repository().toString(), clone.toString());
        var hash = "ab12".repeat(16);
        var spec = "version https://git-lfs.github.com/spec/v1";
        Files.write(clone.resolve("large.bin"), List.of(spec, "oid sha256:" + hash, "size 4"));
        var content = clone.resolve(".git/lfs/objects/ab/12/" + hash);
        Files.createDirectories(content.resolveSibling(""));
        Files.writeString(content, "dear");
        Git.in(clone).text("config", "color.ui", "always");
        Git.in(clone).text("add", "-A");
        if (isCommitted) Git.in(clone).text(COMMITTED);
        var said = "git-lfs has contents (1) that no remote has";
        assertThat(look()).anySatisfy(i -> assertThat(i.notes()).anyMatch(n -> n.contains(said)));
        assertThatThrownBy(() -> new Tidying(tidying(), Set.of()).takeAway())
                .hasMessageContaining(said);
        // A log still knows the commit that was amended.
        Git.in(clone)
                .text(
                        Stream.concat(Stream.of(COMMITTED), Stream.of("--amend"))
                                .toArray(String[]::new));
        Git.in(clone).text("push", "-q", "origin", "HEAD:refs/heads/pushed");
        new Tidying(tidying(), Set.of()).takeAway();
        assertThat(made).doesNotExist();
    }

    /** A clone that was broken off leaves one behind in which there is nothing. */
    @Test
    void a_submodule_that_never_came_holds_nothing() throws IOException {
        var clone = superproject();
        var never = clone.resolve(".git/modules/never");
        Git.in(temp).text("init", "-q", "--bare", never.toString());
        assertThat(Modules.of(clone.resolve(".git"))).contains(never);
        new Tidying(tidying(), Set.of()).takeAway();
        assertThat(made).doesNotExist();
    }

    /** Git takes what is there for a submodule's, and says nothing of it. */
    @Test
    void what_stands_where_a_submodule_should_be_is_kept() throws IOException {
        var from = superproject();
        var empty = made.resolve("empty");
        Git.in(temp).text("clone", "-q", from.toString(), empty.toString());
        assertThat(look()).noneMatch(i -> i.directory().endsWith("empty/lib"));
        Files.writeString(empty.resolve("lib/b.txt"), "saved nowhere");
        assertThat(look())
                .filteredOn(i -> i.directory().endsWith("empty/lib"))
                .singleElement()
                .satisfies(i -> assertThat(i.untracked()).isOne());
        var file = made.resolve("file");
        Git.in(temp).text("clone", "-q", from.toString(), file.toString());
        Directory.delete(file.resolve("lib"));
        Files.writeString(file.resolve("lib"), "saved nowhere");
        assertThat(look())
                .filteredOn(i -> i.directory().endsWith("/file"))
                .singleElement()
                .satisfies(i -> assertThat(i.bytes()).isEqualTo(13));
    }

    /** The half of how one is removed. */
    @Test
    void a_submodule_that_git_has_lost_keeps_nobody_from_being_seen() throws IOException {
        var clone = superproject();
        Directory.delete(clone.resolve(".git/modules/lib"));
        Files.writeString(clone.resolve("b.txt"), "saved nowhere");
        assertThat(look())
                .filteredOn(i -> i.directory().equals(clone.toString()))
                .singleElement()
                .satisfies(i -> assertThat(i.untracked()).isOne());
    }

    /** It stays where it is, with all that its submodules have. */
    @Test
    void submodules_of_a_repository_that_stays_hold_nothing() throws IOException {
        var lib = repository();
        var users = temp.resolve("users.git");
        var clone = superprojectOf(lib);
        Files.move(clone.resolve(".git"), users);
        Directory.delete(clone);
        Files.createDirectory(clone);
        Files.writeString(clone.resolve(".git"), "gitdir: " + users);
        Git.in(clone).text("checkout", "-q", "-f", "HEAD");
        submodule(clone, "update", "-q", "--init");
        Only.ON_A_BRANCH.make(clone);
        assertThat(Modules.unsaved(users)).hasSize(1);
        new Tidying(tidying(), Set.of()).takeAway();
        assertThat(made).doesNotExist();
        assertThat(users.resolve("modules/lib/HEAD")).exists();
    }

    private ErrandOrder tidying() {
        var place = new ErrandOrder.Place(made.toString(), true, "ses_1", "worker", "", false);
        return new ErrandOrder(
                "err_2", "tidy", "rem_1", "list", "made", 0, List.of(place), List.of());
    }

    private static void commit(Path repo) {
        Git.in(repo).text("add", "-A");
        Git.in(repo).text(COMMITTED);
    }

    /** It was killed over a copy, and is back. */
    @Test
    void refs_of_a_copy_that_was_broken_off_go_when_the_runner_begins() throws IOException {
        var repo = repository();
        var locked = Files.createDirectory(temp.resolve("locked"));
        Git.in(temp).text("clone", "-q", repo.toString(), locked.toString());
        var ref = "refs/coppice/preserved/ses_1/err_7/abc/head";
        var other = "refs/coppice/preserved/ses_1/rem_7/abc/head";
        for (var each : List.of(ref, other)) {
            Git.in(repo).text("update-ref", each, "HEAD");
            Git.in(locked).text("update-ref", each, "HEAD");
        }
        Files.createDirectories(temp.resolve("copies"));
        var tops = Stream.of(temp.resolve("gone"), locked, repo).map(Path::toString).toList();
        Files.write(temp.resolve("copies/err_7"), tops);
        var lock = Files.createFile(locked.resolve(".git/" + ref + ".lock"));
        for (var copy : ErrandWork.brokenOff(temp)) {
            assertThatThrownBy(() -> ErrandWork.forget(copy)).isInstanceOf(Git.Failed.class);
        }
        assertThat(preserved(repo)).as("whatever is wrong with others").isEqualTo(other);
        assertThat(preserved(locked)).contains(ref);
        Files.delete(lock);
        for (var copy : ErrandWork.brokenOff(temp)) ErrandWork.forget(copy);
        assertThat(preserved(locked)).isEqualTo(other);
        assertThat(temp.resolve("copies")).isEmptyDirectory();
    }

    private static String preserved(Path repo) {
        return Git.in(repo).text("for-each-ref", "--format=%(refname)", "refs/coppice");
    }

    @Test
    void what_was_seen_may_be_thrown_away_as_long_as_it_is_the_same() throws IOException {
        look();
        Files.writeString(made.resolve("notes.txt"), "dearer");
        assertThat(isGoneAfter("wipe")).isFalse();
        look();
        assertThat(isGoneAfter("wipe")).isTrue();
    }
}
