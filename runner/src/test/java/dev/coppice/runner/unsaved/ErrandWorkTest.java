package dev.coppice.runner.unsaved;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.client.CoppiceClient;
import dev.coppice.wire.ErrandOrder;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.util.List;

/** What may go after what, in a directory that Coppice has made; nobody can be handed anything. */
class ErrandWorkTest {
    private static final String NOBODY = "http://127.0.0.1:9";
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

    private void look() {
        var look = work("look");
        assertThat(look.done("r1").items()).hasSize(1);
        look.confirmed();
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
        Git.in(repo).text("add", "-A");
        Git.in(repo).text("-c", "user.name=u", "-c", "user.email=u@x", "commit", "-q", "-m", "m");
        return repo;
    }

    /** Its history is all there is of it: nothing of it is in the work tree. */
    @Test
    void commits_of_a_submodule_that_is_not_checked_out_stay() throws IOException {
        var lib = repository();
        var clone = made.resolve("clone");
        Git.in(temp).text("clone", "-q", lib.toString(), clone.toString());
        var git = Git.in(clone);
        git.text(
                "-c",
                "protocol.file.allow=always",
                "submodule",
                "add",
                "-q",
                lib.toString(),
                "lib");
        commit(clone);
        Directory.delete(clone.resolve("lib"));
        assertThat(Modules.unsaved(made)).isEmpty();
        git.text("checkout", "-q", "--recurse-submodules", "-f", "HEAD");
        git.text("-c", "protocol.file.allow=always", "submodule", "update", "-q", "--init", "-f");
        Files.writeString(clone.resolve("lib/b.txt"), "on no remote");
        commit(clone.resolve("lib"));
        assertThat(Modules.unsaved(made)).isEmpty();
        git.text("submodule", "deinit", "-q", "-f", "lib");
        assertThat(Modules.unsaved(made))
                .singleElement()
                .asString()
                .contains("not checked out", ".git/modules/lib");
        assertThat(work("look").done("r1").items())
                .anySatisfy(i -> assertThat(i.notes()).anyMatch(n -> n.contains("no remote has")));
        var place = new ErrandOrder.Place(made.toString(), true, "ses_1", "worker", "", false);
        var order =
                new ErrandOrder(
                        "err_2", "tidy", "rem_1", "list", "made", 0, List.of(place), List.of());
        assertThatThrownBy(() -> new Tidying(order).takeAway())
                .hasMessageContaining("not checked out");
        assertThat(clone.resolve(".git/modules/lib/HEAD")).exists();
    }

    private static void commit(Path repo) {
        Git.in(repo).text("add", "-A");
        Git.in(repo).text("-c", "user.name=u", "-c", "user.email=u@x", "commit", "-q", "-m", "m");
    }

    /** It was killed over a copy, and is back. */
    @Test
    void refs_of_a_copy_that_was_broken_off_go_when_the_runner_begins() throws IOException {
        var repo = repository();
        var ref = "refs/coppice/preserved/ses_1/err_7/abc/head";
        var other = "refs/coppice/preserved/ses_1/rem_7/abc/head";
        for (var each : List.of(ref, other)) Git.in(repo).text("update-ref", each, "HEAD");
        Files.createDirectories(temp.resolve("copies"));
        Files.writeString(temp.resolve("copies/err_7"), temp.resolve("gone") + "\n" + repo + "\n");
        for (var copy : ErrandWork.brokenOff(temp)) ErrandWork.forget(copy);
        assertThat(Git.in(repo).text("for-each-ref", "--format=%(refname)", "refs/coppice"))
                .isEqualTo(other);
        assertThat(temp.resolve("copies/err_7")).doesNotExist();
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
