package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.runner.raw.Handles;
import dev.coppice.scene.Eventually;
import dev.coppice.scene.UserGit;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.api.parallel.Execution;
import org.junit.jupiter.api.parallel.ExecutionMode;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;

/** Unsaved work of real agents in real repositories is preserved, removed and restored. */
class WorkTest {
    @TempDir Path temp;

    private Path repository() throws IOException {
        var repo = temp.toRealPath().resolve("repo");
        UserGit.in(temp).text("init", "-q", "-b", "main", repo.toString());
        Files.writeString(repo.resolve("a.txt"), "one\n");
        commit(repo);
        return repo;
    }

    private static void commit(Path repo) {
        var git = UserGit.in(repo);
        git.text("add", "-A");
        git.text("-c", "user.name=u", "-c", "user.email=u@x", "commit", "-q", "-m", "m");
    }

    private static List<Path> preserved(Machine machine) throws IOException {
        try (var all = Files.walk(machine.data().resolve("backups/preserved"))) {
            return all.filter(Files::isRegularFile).toList();
        }
    }

    /** Changes a byte in each preserved file; the second call changes it back. */
    private static void changeOneByte(Machine machine) throws IOException {
        for (var file : preserved(machine)) {
            var bytes = Files.readAllBytes(file);
            bytes[bytes.length / 2] ^= 1;
            Files.write(file, bytes);
        }
    }

    private static String latest(Machine machine) {
        return String.valueOf(
                Json.text(machine.get("/removals").get("removals").get(0), "removal_id"));
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void unsaved_work_is_listed_preserved_and_restored() throws IOException {
        var repo = repository();
        try (var machine = new Machine()) {
            machine.up();
            machine.run(
                    "start",
                    "writer",
                    "--project-dir",
                    repo.toString(),
                    "-p",
                    "write b.txt new\nsay done");
            Files.writeString(repo.resolve("a.txt"), "changed\n");
            var index = Files.readAllBytes(repo.resolve(".git/index"));
            assertThat(machine.run("rm", "writer", "--dry-run"))
                    .contains("unsaved", "1 uncommitted", "1 untracked");
            machine.run("rm", "writer", "--yes");
            assertThat(Files.readAllBytes(repo.resolve(".git/index"))).isEqualTo(index);
            assertThat(Files.readString(repo.resolve("a.txt"))).isEqualTo("changed\n");
            assertThat(machine.run("work", "list", "writer")).contains("git", repo.toString());
            var into = temp.toRealPath().resolve("again");
            assertThat(machine.run("work", "restore", "writer", "--into", into.toString()))
                    .contains("on branch coppice/writer");
            assertThat(Files.readString(into.resolve("a.txt"))).isEqualTo("changed\n");
            assertThat(into.resolve("b.txt")).exists();
            // A purge never removes a directory of the user, but always the output of runs.
            var shown = machine.get("/removals/" + latest(machine)).get("preserved").toString();
            assertThat(shown).contains(repo.toString(), "refs/coppice/preserved/", ".bundle");
            var preserved = "/removals/" + latest(machine) + "/work";
            assertThat(preserved(machine)).hasSize(2);
            assertThat(machine.get(preserved).toString()).contains("\"output\"");
            machine.run("removals", latest(machine), "purge");
            assertThat(machine.get(preserved).toString()).doesNotContain("\"output\"");
            assertThat(preserved(machine)).singleElement().asString().endsWith(".bundle");
            assertThat(Files.readString(repo.resolve("a.txt"))).isEqualTo("changed\n");
        }
    }

    /** The preserved copy omits commits of the remote; the rest is only in the repository. */
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void work_is_restored_when_its_work_tree_is_gone_but_its_repository_exists(boolean bare)
            throws IOException {
        var remote = repository();
        var here = temp.toRealPath();
        var clone = here.resolve("clone");
        var kind = bare ? "--bare" : "--no-bare";
        UserGit.in(temp).text("clone", "-q", kind, remote.toString(), clone.toString());
        if (bare) {
            var remotes = "refs/heads/*:refs/remotes/origin/*";
            UserGit.in(clone).text("fetch", "-q", remote.toString(), remotes);
        }
        var linked = here.resolve("linked");
        UserGit.in(clone).text("worktree", "add", "-q", "-b", "side", linked.toString());
        Files.writeString(linked.resolve("b.txt"), "committed\n");
        commit(linked);
        try (var machine = new Machine()) {
            machine.up();
            var dir = linked.toString();
            machine.run("start", "writer", "--project-dir", dir, "-p", "write c.txt new\nsay done");
            machine.run("rm", "writer", "--yes");
            UserGit.in(clone).text("worktree", "remove", "--force", dir);
            UserGit.in(clone).text("branch", "-q", "-D", "side");
            var into = here.resolve("again");
            assertThat(machine.run("work", "restore", "writer", "--into", into.toString()))
                    .contains("on branch coppice/writer");
            assertThat(into.resolve("b.txt")).hasContent("committed");
            assertThat(into.resolve("c.txt")).hasContent("new");
            assertThat(UserGit.in(clone).text("worktree", "list")).contains(into.toString());
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void a_purge_removes_a_made_directory_and_its_preserved_work_can_be_restored()
            throws IOException {
        try (var machine = new Machine()) {
            machine.up();
            machine.post(
                    "/runs",
                    "{\"session_id\":\"own\",\"session_name\":\"own\",\"prompt\":\"write notes.txt"
                            + " precious\\nsay done\"}");
            machine.awaitState("own", "finished");
            var made = made(machine.data());
            assertThat(made.resolve("notes.txt")).exists();
            machine.run("rm", "own", "--yes", "--now");
            assertThat(made).doesNotExist();
            assertThat(machine.run(5, "show", "own")).contains("was removed by");
            var into = temp.toRealPath().resolve("again");
            machine.run("work", "restore", "own", "--into", into.toString());
            assertThat(Files.readString(into.resolve("notes.txt")).strip()).isEqualTo("precious");
            var file = temp.resolve("own.coppice").toString();
            assertThat(machine.run("backup", latest(machine), "--to", file)).contains("is intact");
            try (var elsewhere = new Machine()) {
                elsewhere.up();
                elsewhere.run("restore", file);
                assertThat(elsewhere.run("work", "list", "own")).contains("plain", "output");
                var there = temp.toRealPath().resolve("elsewhere");
                changeOneByte(elsewhere);
                assertThat(elsewhere.run(12, "work", "restore", "own", "--into", there.toString()))
                        .contains(": the file is not the preserved one");
                changeOneByte(elsewhere);
                elsewhere.run("work", "restore", "own", "--into", there.toString());
                assertThat(there.resolve("notes.txt")).hasContent("precious");
            }
            assertThat(machine.run("restore", file)).contains("restored own, with 1 session\n");
            assertThat(machine.run("result", "own")).contains("done");
            assertThat(machine.run("restore", file, "--new-ids", "--rename"))
                    .contains("restored own");
            assertThat(machine.run("list")).contains("own-2");
        }
    }

    private static Path made(Path data) throws IOException {
        try (var all = Files.walk(data)) {
            return all.filter(p -> p.endsWith("work/own")).findFirst().orElseThrow();
        }
    }

    /** If the work changes after the plan was confirmed, the removal is refused. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void discarding_work_needs_an_explicit_choice_and_the_digest_of_the_plan() throws IOException {
        var repo = repository();
        try (var machine = new Machine()) {
            machine.up();
            machine.run(
                    "start", "waster", "--project-dir", repo.toString(), "-p", "write b.txt new");
            var id =
                    Json.text(machine.get("/sessions/by-name/waster").get("session"), "session_id");
            var path = "/sessions/" + id + "/removal";
            assertThat(machine.refused(path, "{\"work\":\"discard\"}").error())
                    .contains("would be discarded");
            var plan = machine.get(path + "-plan?work=discard");
            assertThat(plan.get("needs_confirm").asBoolean()).isTrue();
            assertThat(machine.get(path + "-plan").get("needs_confirm").asBoolean()).isFalse();
            var digest = Json.text(plan, "digest");
            Files.writeString(repo.resolve("b.txt"), "newer");
            var changed =
                    machine.refused(path, "{\"work\":\"discard\",\"confirm\":\"" + digest + "\"}");
            assertThat(changed.error()).contains("has changed");
            machine.run("rm", "waster", "--yes", "--discard");
            assertThat(UserGit.in(repo).text("for-each-ref", "refs/coppice")).isEmpty();
            assertThat(Files.readString(repo.resolve("b.txt"))).isEqualTo("newer");
        }
    }

    /** A rebase starts between plan and fence, before any session is stopped. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void an_operation_that_starts_after_the_plan_cancels_the_removal() throws IOException {
        var repo = repository();
        try (var machine = new Machine()) {
            machine.up();
            machine.run("start", "top", "--project-dir", repo.toString(), "-p", "say hi");
            var id = Json.text(machine.get("/sessions/by-name/top").get("session"), "session_id");
            machine.post(
                    "/runs",
                    "{\"session_id\":\"kid\",\"session_name\":\"kid\",\"parent_session_id\":\"%s\",\"prompt\":\"hang\"}"
                            .formatted(id));
            machine.awaitAtWork("kid");
            var path = "/sessions/" + id + "/removal";
            var plan = machine.get(path + "-plan?running=stop");
            machine.sql(
                    List.of(
                            "create trigger hold before insert on task when exists (select 1 from"
                                    + " removal where state = 'fencing') begin select raise(abort,"
                                    + " 'held'); end"));
            machine.post(
                    path,
                    "{\"running\":\"stop\",\"confirm\":\"%s\"}"
                            .formatted(Json.text(plan, "digest")));
            Files.createDirectory(repo.resolve(".git/rebase-merge"));
            machine.sql(List.of("drop trigger hold"));
            var removal = "/removals/" + latest(machine);
            Eventually.await(
                    () -> "taken_back".equals(Json.text(machine.get(removal), "state")),
                    () -> machine.get(removal).toString());
            assertThat(machine.get(removal).toString()).contains("'top': a rebase is in progress");
            assertThat(machine.state("kid")).isEqualTo("running");
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void a_rebase_in_progress_must_be_overridden() throws IOException {
        var repo = repository();
        try (var machine = new Machine()) {
            machine.up();
            machine.run("start", "rebaser", "--project-dir", repo.toString(), "-p", "say hi");
            Files.createDirectory(repo.resolve(".git/rebase-merge"));
            assertThat(machine.run(3, "rm", "rebaser", "--yes"))
                    .contains("a rebase is in progress");
            assertThat(machine.run("rm", "rebaser", "--yes", "--override", "--reason", "mine"))
                    .contains("removed rebaser");
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void an_undo_deletes_refs_to_preserved_work_and_fsck_names_unknown_refs() throws IOException {
        var repo = repository();
        try (var machine = new Machine()) {
            machine.up();
            machine.run("start", "back", "--project-dir", repo.toString(), "-p", "write b.txt new");
            machine.run("rm", "back", "--yes");
            assertThat(preserved(repo)).contains("refs/coppice/preserved/");
            machine.run("undo", latest(machine));
            Eventually.await(() -> preserved(repo).isEmpty(), () -> preserved(repo));
            assertThat(Files.readString(repo.resolve("b.txt")).strip()).isEqualTo("new");
            assertThat(machine.run("fsck")).contains("no references to missing");
            var lost = "refs/coppice/preserved/ses_1/" + latest(machine) + "/a/head";
            UserGit.in(repo).text("update-ref", lost, "HEAD");
            assertThat(machine.run(11, "fsck"))
                    .contains("1 refs of undone or called-off removals", lost);
            UserGit.in(repo).text("update-ref", "-d", lost);
        }
    }

    private static String preserved(Path repo) {
        return UserGit.in(repo).text("for-each-ref", "refs/coppice/preserved");
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void fsck_names_processes_of_ended_runs() throws IOException {
        try (var machine = new Machine()) {
            machine.up();
            var stray = new ProcessBuilder("sleep", "600");
            stray.environment().put("COPPICE_URL", machine.url());
            stray.environment().put("COPPICE_RUN_ID", "run_000000000000");
            var process = stray.start();
            try {
                assertThat(machine.run(11, "fsck")).contains("run_000000000000");
            } finally {
                process.destroyForcibly();
            }
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void fsck_names_directories_of_purged_sessions_and_of_no_session() throws IOException {
        try (var machine = new Machine()) {
            machine.up();
            for (var name : List.of("own", "stays")) {
                machine.post(
                        "/runs",
                        "{\"session_id\":\"%1$s\",\"session_name\":\"%1$s\",\"prompt\":\"write a.txt a\"}"
                                .formatted(name));
                machine.awaitState(name, "finished");
            }
            var made = made(machine.data());
            var output = machine.data().resolve("runner/runs/" + run(machine, "own"));
            assertThat(made).isDirectory();
            assertThat(output).isDirectory();
            machine.run("rm", "own", "--yes", "--now");
            assertThat(made).doesNotExist();
            assertThat(output).doesNotExist();
            for (var directory : List.of(made, output)) Files.createDirectory(directory);
            // An agent could do the same.
            var work = machine.data().resolve("runner/work");
            Files.move(work.resolve("stays"), work.resolve("renamed"));
            assertThat(machine.run(11, "fsck"))
                    .contains("1 directories of sessions that are gone", name(made))
                    .contains("1 output of runs that are gone", name(output))
                    .contains("1 directories of no session: renamed")
                    .doesNotContain("stays");
            assertThat(machine.run(11, "doctor")).contains("directories of no session: renamed");
            for (var directory : List.of(made, output)) Files.delete(directory);
            Files.move(work.resolve("renamed"), work.resolve("stays"));
            assertThat(machine.run("fsck")).contains("no references to missing");
        }
    }

    /** A user's directory without git is preserved on request, and never removed. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void a_directory_of_the_user_is_preserved_on_request() throws IOException {
        var own = Files.createDirectories(temp.toRealPath().resolve("plain"));
        Files.writeString(own.resolve("letter.txt"), "dear\n");
        try (var machine = new Machine()) {
            machine.up();
            machine.run("start", "top", "--project-dir", own.toString(), "-p", "say hey");
            assertThat(machine.run("rm", "top", "--dry-run")).doesNotContain("unsaved");
            assertThat(machine.run("rm", "top", "--dry-run", "--json"))
                    .contains(own.toString(), "left in place: Coppice did not create it");
            assertThat(machine.run("rm", "top", "--dry-run", "--include-dir"))
                    .contains("unsaved", "1 untracked");
            machine.run("rm", "top", "--yes", "--now", "--include-dir");
            assertThat(own.resolve("letter.txt")).hasContent("dear");
            assertThat(machine.run("work", "list", "top")).contains("plain", own.toString());
            var into = temp.toRealPath().resolve("again");
            machine.run("work", "restore", "top", "--into", into.toString());
            assertThat(into.resolve("letter.txt")).hasContent("dear");
        }
    }

    /** A child removed with its parent has its own preserved work and its own audit records. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void a_child_removed_with_its_parent_is_found_by_its_own_name() throws IOException {
        try (var machine = new Machine()) {
            machine.up();
            for (var name : List.of("top", "kid")) {
                var below = name.equals("kid") ? ",\"parent_session_id\":\"id-top\"" : "";
                machine.post(
                        "/runs",
                        "{\"session_id\":\"id-%1$s\",\"session_name\":\"%1$s\",\"prompt\":\"write %1$s.txt a\"%2$s}"
                                .formatted(name, below));
                machine.awaitState(name, "finished");
            }
            machine.refused("/sessions/id-kid/removal", "{\"confirm\":\"0000000000000000\"}");
            machine.run("rm", "top", "--yes", "--now");
            assertThat(machine.run(3, "undo", "top")).contains("Its undo window is closed");
            assertThat(machine.run("work", "list", "kid"))
                    .contains("work/id-kid")
                    .doesNotContain("work/id-top");
            var into = temp.toRealPath().resolve("kids");
            machine.run("work", "restore", "kid", "--into", into.toString());
            assertThat(into.resolve("kid.txt")).exists();
            assertThat(machine.run("audit", "top")).contains("removal.ask", "removal.purged");
            // The refused removal of the child alone, and the removal of its parent.
            assertThat(machine.run("audit", "kid")).contains("refused", "removal.purged");
            assertThat(machine.run("audit", "verify")).contains("records, head");
        }
    }

    /** A decision to discard work covers only the work that existed then. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void work_written_after_the_decision_to_discard_is_preserved() throws IOException {
        try (var machine = new Machine()) {
            machine.up();
            for (var name : List.of("seen", "later")) {
                machine.post(
                        "/runs",
                        "{\"session_id\":\"%1$s\",\"session_name\":\"%1$s\",\"prompt\":\"write a.txt a\"}"
                                .formatted(name));
                machine.awaitState(name, "finished");
                machine.run("rm", name, "--yes", "--discard");
            }
            var written = machine.data().resolve("runner/work/later/b.txt");
            Files.writeString(written, "after\n");
            for (var name : List.of("later", "seen")) {
                var path = "/removals/" + removal(machine, name) + "/purge?wait=20s";
                assertThat(Json.text(machine.post(path, "{}"), "state")).isEqualTo("purged");
            }
            assertThat(written).doesNotExist();
            assertThat(machine.run("work", "list", "seen")).doesNotContain("plain");
            assertThat(machine.run("work", "list", "later")).contains("plain");
        }
    }

    /** Runs as an ordinary user, because root can read everything. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void files_that_their_owner_cannot_read_are_preserved_with_their_modes() throws IOException {
        try (var machine = new Machine()) {
            Machine.ready(machine.startAsNobody("up", "--port", "0"));
            machine.post("/agents", "{\"name\":\"sh\",\"kind\":\"command\",\"command\":[\"sh\"]}");
            machine.post(
                    "/runs?wait=60s",
                    Json.object()
                            .put("session_id", "shut")
                            .put("session_name", "shut")
                            .put("agent_name", "sh")
                            .put("prompt", "mkdir d; echo x >d/f; chmod 0 d/f; chmod 0 d")
                            .toString());
            var made = machine.data().resolve("runner/work/shut");
            assertThat(made.resolve("d/f")).exists();
            machine.run("rm", "shut", "--now", "--yes");
            assertThat(made).doesNotExist();
            var into = machine.data().resolve("again");
            machine.run("work", "restore", "shut", "--into", into.toString());
            assertThat(into.resolve("d/f")).hasContent("x\n");
            var mode = Files.getPosixFilePermissions(into.resolve("d/f"));
            assertThat(PosixFilePermissions.toString(mode)).isEqualTo("---------");
        }
    }

    /** The directory stays while the child uses it, and belongs to no session afterwards. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void a_made_directory_left_by_a_detached_child_is_found_by_fsck() throws IOException {
        try (var machine = new Machine()) {
            machine.up();
            machine.post(
                    "/runs?wait=60s",
                    "{\"session_id\":\"top\",\"session_name\":\"top\",\"prompt\":\"write a.txt"
                            + " a\"}");
            var place = machine.data().resolve("runner/work/top");
            var child =
                    Json.object()
                            .put("session_id", "kid")
                            .put("session_name", "kid")
                            .put("parent_session_id", "top")
                            .put("project_dir", place.toString())
                            .put("prompt", "write b.txt b");
            machine.post("/runs?wait=60s", child.toString());
            machine.run("rm", "top", "--detach", "--now", "--yes");
            assertThat(place.resolve("b.txt")).hasContent("b");
            assertThat(machine.run("fsck")).contains("no references to missing objects");
            machine.run("rm", "kid", "--now", "--yes");
            var flaw = "directories of sessions that are gone: top";
            assertThat(machine.run(11, "fsck")).contains(flaw);
            assertThat(machine.run(11, "doctor")).contains(flaw);
            Handles.delete(place);
            assertThat(machine.run("fsck")).contains("no references to missing objects");
        }
    }

    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void any_runner_on_the_host_can_preserve_a_directory() throws IOException {
        var repo = repository();
        try (var machine = new Machine()) {
            machine.up("--no-runner");
            var first = machine.start("runner");
            machine.run("start", "w", "--project-dir", repo.toString(), "-p", "write b.txt new");
            machine.awaitState("w", "finished");
            first.kill();
            machine.start("runner", "--dir", machine.data().resolve("second").toString());
            Eventually.await(
                    () -> machine.run("rm", "w", "--dry-run").contains("1 untracked"),
                    () -> machine.run("runners"));
            machine.run("rm", "w", "--yes");
            assertThat(machine.run("work", "list", "w")).contains("1 untracked");
        }
    }

    private static String removal(Machine machine, String name) {
        for (var removal : machine.get("/removals").get("removals")) {
            if (name.equals(Json.text(removal, "session_name"))) {
                return String.valueOf(Json.text(removal, "removal_id"));
            }
        }
        throw new AssertionError("no removal of " + name);
    }

    private static String name(Path path) {
        return String.valueOf(path.getFileName());
    }

    private static String run(Machine machine, String session) {
        var runs = machine.get("/runs?session_id=" + session).get("runs");
        return String.valueOf(Json.text(runs.get(0), "run_id"));
    }

    /** The tree stays, its unsaved work is in the file, and no ref is left in the repository. */
    @Test
    @Execution(ExecutionMode.CONCURRENT)
    void a_backup_on_request_contains_the_unsaved_work() throws IOException {
        var repo = repository();
        try (var machine = new Machine();
                var elsewhere = new Machine()) {
            machine.up();
            machine.run(
                    "start", "stays", "--project-dir", repo.toString(), "-p", "write b.txt new");
            var file = temp.resolve("stays.coppice").toString();
            assertThat(machine.run("backup", "stays", "--to", file)).contains("is intact");
            assertThat(preserved(repo)).isEmpty();
            assertThat(machine.state("stays")).isEqualTo("finished");
            try (var preserved = Files.list(machine.data().resolve("backups/preserved"))) {
                assertThat(preserved.filter(p -> p.toString().contains("task_"))).isEmpty();
            }
            elsewhere.up();
            elsewhere.run("restore", file);
            assertThat(elsewhere.run("work", "list", "stays")).contains("git", "1 untracked");
            var into = temp.toRealPath().resolve("again");
            elsewhere.run("work", "restore", "stays", "--into", into.toString());
            assertThat(Files.readString(into.resolve("b.txt")).strip()).isEqualTo("new");
        }
    }
}
