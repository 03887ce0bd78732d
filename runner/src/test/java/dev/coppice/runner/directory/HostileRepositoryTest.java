package dev.coppice.runner.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.scene.UserGit;
import dev.coppice.wire.fleet.DirectoryTaskOrder;

import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;

/**
 * Repositories in which an agent set up programs for git to run. Inspecting, preserving, restoring
 * and deleting them runs no such program.
 */
@ExtendWith(InScratch.class)
class HostileRepositoryTest {
    private static final List<String> HOOKS =
            List.of(
                    "applypatch-msg",
                    "post-checkout",
                    "post-commit",
                    "post-index-change",
                    "post-merge",
                    "pre-auto-gc",
                    "pre-commit",
                    "pre-push",
                    "prepare-commit-msg",
                    "reference-transaction",
                    "fsmonitor-watchman",
                    "proc-receive",
                    "update");
    @TempDir Path temp;
    private Path ran = Path.of("");
    private Path script = Path.of("");
    private final List<Path> handed = new ArrayList<>();
    private final List<String> refusals = new ArrayList<>();

    @BeforeEach
    void aTrap() throws IOException {
        temp = temp.toRealPath();
        Files.writeString(temp.resolve(".coppice-runner"), "");
        ran = temp.resolve("ran");
        script = executable(temp.resolve("trap"));
    }

    private Path executable(Path file) throws IOException {
        Files.writeString(file, "#!/bin/sh\necho \"$0 $*\" >>" + ran + "\ncat\n");
        Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
        return file;
    }

    private void repository(Path repo) throws IOException {
        var origin = temp.resolve(repo.getFileName() + ".origin");
        UserGit.in(temp).text("init", "-q", "--bare", "-b", "main", origin.toString());
        UserGit.in(temp).text("clone", "-q", origin.toString(), repo.toString());
        var git = UserGit.in(repo);
        git.text("checkout", "-q", "-B", "main");
        Files.writeString(
                repo.resolve(".gitattributes"), "* filter=a=b diff=d merge=m text=auto\n");
        Files.writeString(repo.resolve("a.txt"), "one\n");
        git.text("add", "-A");
        git.text("commit", "-q", "-m", "first");
        git.text("push", "-q", "--force", "origin", "main");
        Files.writeString(repo.resolve("a.txt"), "two\n");
        git.text("stash");
        Files.writeString(repo.resolve("a.txt"), "three, and not committed\n");
        Files.writeString(repo.resolve("new.txt"), "untracked\n");
        Files.delete(repo.resolve(".gitattributes"));
        Files.writeString(
                repo.resolve(".gitattributes"), "* filter=a=b diff=d merge=m text=auto\n");
    }

    /** Configurations that make git run a program. */
    enum Trap {
        FILTER_WITH_AN_EQUALS_SIGN("[filter \"a=b\"]|clean = %s|smudge = %s|"),
        FILTER_PROCESS("[filter \"a=b\"]|process = %s|required = true|"),
        WATCHER("[core]|fsmonitor = %s|"),
        EDITOR_PAGER_SSH(
                "[core]|editor = %1$s|pager = %1$s|sshCommand = %1$s|gitProxy = %1$s|"
                        + "\taskPass = %1$s|alternateRefsCommand = %1$s|"),
        DIFF_AND_MERGE(
                "[diff]|external = %1$s|[diff \"d\"]|command = %1$s|textconv = %1$s|"
                        + "[merge \"m\"]|driver = %1$s|"),
        SIGNING(
                "[commit]|"
                        + "\tgpgSign = true|"
                        + "[gpg]|"
                        + "\tprogram = %1$s|"
                        + "[log]|"
                        + "\tshowSignature = true|"),
        UPLOAD_PACK_HOOK("[uploadpack]|packObjectsHook = %1$s|"),
        ALIASES("[alias]|status = !%1$s|ls-files = !%1$s|rev-list = !%1$s|"),
        PARTIAL_CLONE(
                "[extensions]|partialClone = origin|[remote \"origin\"]|promisor = true|"
                        + "\tpartialclonefilter = tree:0|uploadpack = %1$s|"),
        EXT_REMOTE(
                "[extensions]|partialClone = evil|[remote \"evil\"]|promisor = true|"
                        + "\turl = ext::%1$s|[protocol \"ext\"]|allow = always|"),
        SSH_REMOTE(
                "[extensions]|partialClone = evil|[remote \"evil\"]|promisor = true|"
                        + "\turl = ssh://evil/x|[core]|sshCommand = %1$s|"
                        + "[protocol \"ssh\"]|allow = always|"),
        INCLUDED("[include]|path = ../more|[includeIf \"gitdir:/\"]|path = ../more|"),
        CREDENTIALS("[credential]|helper = !%1$s|[trailer \"t\"]|command = %1$s|"),
        TAR("[tar \"tar\"]|command = %1$s|[interactive]|diffFilter = %1$s|");

        private final String config;

        Trap(String config) {
            // A bar stands for a line break.
            this.config = config.replace("|", "\n");
        }
    }

    @ParameterizedTest
    @EnumSource
    void no_configured_program_runs(Trap trap) throws IOException {
        for (var made : List.of(false, true)) {
            var repo = made ? temp.resolve("work/ses_1") : temp.resolve("repo");
            Files.createDirectories(temp.resolve("work"));
            repository(repo);
            var text = trap.config.replace("%s", "%1$s").formatted(script);
            append(repo.resolve(".git/config"), text);
            Files.writeString(repo.resolve("more"), Trap.FILTER_PROCESS.config.formatted(script));
            if (trap.name().endsWith("REMOTE") || trap == Trap.PARTIAL_CLONE) lose(repo);
            for (var hook : HOOKS) executable(repo.resolve(".git/hooks").resolve(hook));
            // A changed stat makes git read the file.
            Files.setLastModifiedTime(
                    repo.resolve("a.txt"), java.nio.file.attribute.FileTime.fromMillis(1));
            handed.clear();
            everything(repo, made);
            boolean readable = !trap.name().endsWith("REMOTE") && trap != Trap.PARTIAL_CLONE;
            if (readable || made) assertThat(handed).as("%s", refusals).isNotEmpty();
            assertThat(ran).as(made ? "created by Coppice" : "a user's own").doesNotExist();
        }
    }

    /** The trap works: the user's own git runs it. */
    @Test
    void the_users_own_git_runs_the_program() throws IOException {
        var repo = temp.resolve("repo");
        repository(repo);
        append(repo.resolve(".git/config"), Trap.WATCHER.config.formatted(script));
        UserGit.in(repo).text("status");
        assertThat(ran).exists();
    }

    /** Sets every key that git's own documentation lists. */
    @Test
    void no_documented_key_runs_a_program() throws IOException {
        for (var made : List.of(false, true)) {
            var repo = made ? temp.resolve("work/ses_1") : temp.resolve("repo");
            Files.createDirectories(temp.resolve("work"));
            repository(repo);
            var all = new StringBuilder();
            int keys = 0;
            for (var key : UserGit.in(temp).text("help", "--config").lines().toList()) {
                if (!key.contains(".") || key.startsWith("See ")) continue;
                var plain = key.replaceAll("<[^>]*>|\\*", "a=b");
                int first = plain.indexOf('.');
                int last = plain.lastIndexOf('.');
                var sub = first == last ? "" : " \"" + plain.substring(first + 1, last) + "\"";
                all.append(
                        "[%s%s]\n\t%s = %s\n"
                                .formatted(
                                        plain.substring(0, first),
                                        sub,
                                        plain.substring(last + 1),
                                        script));
                keys++;
            }
            assertThat(keys).isGreaterThan(400);
            append(repo.resolve(".git/config"), all.toString());
            everything(repo, made);
            assertThat(ran).doesNotExist();
        }
    }

    /** Git would run itself in the submodule, with the submodule's configuration. */
    @Test
    void no_program_configured_in_a_submodule_runs() throws IOException {
        var lib = temp.resolve("lib");
        repository(lib);
        var repo = temp.resolve("repo");
        repository(repo);
        UserGit.in(repo).text("submodule", "--quiet", "add", lib.toString(), "lib");
        append(repo.resolve(".gitmodules"), "\tupdate = !" + script + "\n\tignore = none\n");
        UserGit.in(repo).text("commit", "-qam", "with a submodule");
        append(
                repo.resolve(".git/modules/lib/config"),
                Trap.WATCHER.config.formatted(script)
                        + Trap.FILTER_PROCESS.config.formatted(script));
        Files.writeString(repo.resolve("lib/a.txt"), "changed\n");
        Files.setLastModifiedTime(
                repo.resolve("lib/a.txt"), java.nio.file.attribute.FileTime.fromMillis(1));
        everything(repo, false);
        assertThat(ran).doesNotExist();
    }

    /** Git would block until something writes to the pipe. */
    @ParameterizedTest
    @ValueSource(strings = {"refs/heads/pipe", "logs/pipe", "packed-refs"})
    void a_pipe_where_git_reads_is_refused(String place) throws Exception {
        var repo = temp.resolve("repo");
        repository(repo);
        var pipe = repo.resolve(".git").resolve(place);
        Files.deleteIfExists(pipe);
        Files.createDirectories(pipe.resolveSibling(""));
        assertThat(new ProcessBuilder("mkfifo", pipe.toString()).start().waitFor()).isZero();
        var found = Repository.around(repo).orElseThrow();
        assertThatThrownBy(() -> Git.of(found))
                .isInstanceOf(GitFailed.class)
                .hasMessageContaining("neither a file nor a directory");
    }

    /** Deletes an object, as if a partial clone had not fetched it yet. */
    private static void lose(Path repo) throws IOException {
        var tree = UserGit.in(repo).text("rev-parse", "HEAD^{tree}");
        var object = repo.resolve(".git/objects/" + tree.substring(0, 2) + "/" + tree.substring(2));
        Files.deleteIfExists(object);
    }

    private static void append(Path file, String text) throws IOException {
        Files.writeString(file, text, java.nio.file.StandardOpenOption.APPEND);
    }

    /** Inspects, preserves, restores and deletes the directory; each step may fail. */
    private void everything(Path directory, boolean made) {
        var place =
                new DirectoryTaskOrder.Place(
                        directory.toString(),
                        made,
                        "ses_1",
                        "worker",
                        temp.resolve("runs").toString(),
                        false);
        var order =
                new DirectoryTaskOrder(
                        "task_1",
                        "preserve",
                        "rem_1",
                        "keep",
                        "all",
                        1_700_000_000_000L,
                        List.of(place),
                        List.of());
        var preservation =
                new Preservation(
                        order,
                        1 << 24,
                        (_, file) -> {
                            try {
                                var to = Files.createTempFile(temp, "handed", "");
                                Files.copy(
                                        file,
                                        to,
                                        java.nio.file.StandardCopyOption.REPLACE_EXISTING);
                                handed.add(to);
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        });
        tried(() -> {
            for (var finding : Findings.of(order)) {
                tried(() -> {
                    preservation.leftOut(finding);
                    var preserved = preservation.preserve(finding);
                    if (preserved == null || handed.isEmpty()) return;
                    var into =
                            handed.getLast()
                                    .resolveSibling(handed.getLast().getFileName() + ".back");
                    var restore = new Restore(into, handed.getLast());
                    if (preserved.ref() == null) restore.files();
                    else {
                        var what =
                                new Restore.Preserved(
                                        preserved.ref(), finding.item(preserved).commit(), "w");
                        restore.among(what, List.of(directory.toString()));
                        restore.worktree(what, directory);
                    }
                });
            }
        });
        tried(() -> new Refs(order).items());
        tried(() -> new Refs(order).delete());
        tried(() -> deletion(order).deleteAll());
    }

    private void tried(Runnable step) {
        try {
            step.run();
        } catch (GitFailed | UncheckedIOException e) {
            // The repository may be too broken for this step.
            refusals.add(String.valueOf(e.getMessage()));
        }
    }

    private static DirectoryDeletion deletion(DirectoryTaskOrder order) {
        return new DirectoryDeletion(order, DirectoryDeletion.fingerprints(Findings.of(order)));
    }
}
