package dev.coppice.runner.directory;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.SimpleFileServer;
import com.sun.net.httpserver.SimpleFileServer.OutputLevel;

import dev.coppice.runner.raw.Archive;
import dev.coppice.runner.raw.BuiltBeside;
import dev.coppice.runner.raw.Handles;
import dev.coppice.runner.raw.PreservationFailed;
import dev.coppice.runner.raw.RawName;
import dev.coppice.scene.UserGit;
import dev.coppice.wire.fleet.DirectoryTaskOrder;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/** A deleted directory is restored from its archive as it was, whatever was in it. */
@ExtendWith(InScratch.class)
class ArchiveTest {
    @TempDir Path temp;
    private Path made = Path.of("");
    private final List<Path> handed = new ArrayList<>();

    @BeforeEach
    void worked() throws IOException {
        temp = temp.toRealPath();
        Files.writeString(temp.resolve(".coppice-runner"), "");
        made = Files.createDirectories(temp.resolve("work/ses_1"));
    }

    private DirectoryTaskOrder order() {
        var runs = temp.resolve("runs").toString();
        var place =
                new DirectoryTaskOrder.Place(made.toString(), true, "ses_1", "worker", runs, false);
        return new DirectoryTaskOrder(
                "task_1", "preserve", "rem_1", "list", "made", 0, List.of(place), List.of());
    }

    private Preservation preservation(long max) {
        return new Preservation(
                order(),
                max,
                (_, file) -> {
                    try {
                        var to = temp.resolve("handed-" + handed.size());
                        Files.copy(file, to);
                        handed.add(to);
                    } catch (IOException e) {
                        throw new java.io.UncheckedIOException(e);
                    }
                });
    }

    private void keep() {
        for (var finding : Findings.of(order())) preservation(1L << 30).preserve(finding);
    }

    /** Archives, deletes and restores; names, kinds, bytes, modes and times are the same. */
    private Restore.Restored comesBack() throws IOException {
        var before = seen(made);
        keep();
        Handles.delete(made);
        assertThat(made).doesNotExist();
        var restored = new Restore(made, handed.getFirst()).files();
        var after = seen(made);
        restored.notes().stream()
                .map(n -> n.substring(n.lastIndexOf(": ") + 2))
                .forEach(n -> rename(after, n));
        assertThat(after).isEqualTo(before);
        return restored;
    }

    /** Gives disabled files their old names, because they are otherwise as they were. */
    private static void rename(Map<String, String> seen, String name) {
        var plain = name.replace(".from-agent", "");
        for (var key : List.copyOf(seen.keySet())) {
            if (key.equals(name) || key.startsWith(name + "/")) {
                var value = String.valueOf(seen.remove(key));
                seen.put(plain + key.substring(name.length()), value);
            }
        }
    }

    private static Map<String, String> seen(Path root) throws IOException {
        var found = new TreeMap<String, String>();
        Handles.walk(
                root,
                new Handles.Visitor() {
                    @Override
                    public boolean directory(Handles.Entry directory) throws IOException {
                        found.put(directory.raw(), "d" + attributes(directory));
                        return true;
                    }

                    @Override
                    public void file(Handles.Entry file) throws IOException {
                        var what =
                                file.attributes().isSymbolicLink()
                                        ? "l" + Files.readSymbolicLink(file.near())
                                        : Contents.sha256(file.near()) + attributes(file);
                        found.put(file.raw(), what);
                    }
                });
        return found;
    }

    private static String attributes(Handles.Entry entry) {
        return PosixFilePermissions.toString(entry.attributes().permissions())
                + entry.attributes().lastModifiedTime();
    }

    @Test
    void names_modes_times_links_and_holes_are_restored() throws Exception {
        Files.writeString(made.resolve("strange\nname\".txt"), "odd");
        Files.writeString(made.resolve("\u00fcn\u00efcode"), "text");
        Files.createDirectories(made.resolve("x".repeat(200) + "/" + "y".repeat(200)));
        Files.writeString(made.resolve("x".repeat(200) + "/" + "y".repeat(200) + "/z"), "deep");
        var shell = "printf x > \"$(printf 'a\\377b')\"; ln 'hard one' 'hard two'; mkfifo pipe";
        Files.writeString(made.resolve("hard one"), "twice");
        new ProcessBuilder("sh", "-c", shell).directory(made.toFile()).start().waitFor();
        Files.delete(made.resolve("pipe"));
        Files.createSymbolicLink(made.resolve("dangling"), Path.of("/nowhere/at all"));
        Files.createSymbolicLink(made.resolve("up"), Path.of("../.."));
        var run = Files.writeString(made.resolve("run.sh"), "#!/bin/sh\n");
        Files.setPosixFilePermissions(run, PosixFilePermissions.fromString("rwxr-x--x"));
        Files.setLastModifiedTime(
                run, FileTime.from(Instant.parse("2001-02-03T04:05:06.123456789Z")));
        Files.setPosixFilePermissions(
                Files.createDirectory(made.resolve("closed")),
                PosixFilePermissions.fromString("r-x------"));
        try (var large = new RandomAccessFile(made.resolve("sparse").toFile(), "rw")) {
            large.setLength(300L * 1024 * 1024);
            large.seek(100L * 1024 * 1024);
            large.write(new byte[] {1, 2, 3});
        }
        comesBack();
        assertThat(Files.size(handed.getFirst())).isLessThan(2L * 1024 * 1024);
        assertThat(Files.getAttribute(made.resolve("hard one"), "unix:nlink")).isEqualTo(2);
        assertThat(Files.readSymbolicLink(made.resolve("up"))).isEqualTo(Path.of("../.."));
    }

    private static int mode(Path file) throws IOException {
        return (Integer) Files.getAttribute(file, "unix:mode") & 07777;
    }

    @Test
    void setuid_setgid_and_sticky_bits_are_kept_where_the_same_user_restores() throws IOException {
        var tool = Files.writeString(made.resolve("tool"), "#!/bin/sh\n");
        var shared = Files.createDirectory(made.resolve("shared"));
        Files.setAttribute(tool, "unix:mode", 06755);
        Files.setAttribute(shared, "unix:mode", 03775);
        var unless = ", unless %s restores it".formatted(Files.getOwner(tool).getName());
        assertThat(Findings.of(order()).getFirst().item(null).notes())
                .containsExactlyInAnyOrder(
                        "not restored: setuid bit of tool" + unless,
                        "not restored: setgid bit of shared, tool" + unless,
                        "not restored: sticky bit of shared" + unless);
        assertThat(comesBack().notes()).isEmpty();
        assertThat(mode(tool)).isEqualTo(06755);
        assertThat(mode(shared)).isEqualTo(03775);
    }

    @Test
    void extended_attributes_are_named_in_the_plan_and_after_a_restore() throws IOException {
        Assumptions.assumeTrue(Files.getFileStore(made).supportsFileAttributeView("user"));
        var file = Files.writeString(made.resolve("a.txt"), "a");
        Files.setAttribute(file, "user:origin", new byte[] {1});
        var note = "not restored: extended attribute user.origin of a.txt";
        assertThat(Findings.of(order()).getFirst().item(null).notes()).containsExactly(note);
        assertThat(comesBack().notes()).containsExactly(note);
    }

    /** One such link kept its tree from being removed. */
    @Test
    void links_to_names_that_are_not_utf8_are_restored() throws Exception {
        var shell = "ln -s \"$(printf '../a\\377/b')\" one; ln -s \"$(printf '/\\376')\" two";
        new ProcessBuilder("sh", "-c", shell).directory(made.toFile()).start().waitFor();
        comesBack();
        assertThat(RawName.ofLink(made.resolve("one"))).isEqualTo("../a\u00ff/b");
        assertThat(RawName.ofLink(made.resolve("two"))).isEqualTo("/\u00fe");
    }

    /** Includes state that no branch and no remote has, such as tags, notes and conflicts. */
    @Test
    void all_state_of_git_is_restored_with_the_directory() throws IOException {
        var origin = temp.resolve("origin.git");
        UserGit.in(temp).text("init", "-q", "--bare", "-b", "main", origin.toString());
        var git = UserGit.in(made);
        git.text("clone", "-q", origin.toString(), ".");
        git.text("checkout", "-q", "-b", "main");
        Files.writeString(made.resolve("a.txt"), "one\n");
        git.text("add", "-A");
        git.text("commit", "-q", "-m", "first");
        git.text("push", "-q", "origin", "main");
        git.text("tag", "-a", "-m", "said with the tag", "v1");
        git.text("tag", "of-a-blob", git.text("rev-parse", "HEAD:a.txt"));
        git.text("notes", "add", "-m", "a note");
        Files.writeString(made.resolve(".git/hooks/pre-commit"), "#!/bin/sh\nmine\n");
        Files.writeString(made.resolve(".git/info/exclude"), "*.log\n");
        git.text("checkout", "-q", "-b", "side");
        Files.writeString(made.resolve("a.txt"), "side\n");
        git.text("commit", "-qam", "side");
        git.text("checkout", "-q", "main");
        Files.writeString(made.resolve("a.txt"), "main\n");
        git.text("commit", "-qam", "main");
        assertThatThrownBy(() -> git.text("merge", "side")).isInstanceOf(AssertionError.class);
        Files.writeString(made.resolve("later.txt"), "intended\n");
        git.text("add", "-N", "later.txt");
        var restored = comesBack();
        assertThat(restored.notes())
                .anyMatch(n -> n.endsWith(".git/config.from-agent"))
                .anyMatch(n -> n.endsWith(".git/hooks.from-agent"));
        var aside = made.resolve(".git/config.from-agent");
        Files.move(aside, made.resolve(".git/config"));
        assertThat(git.text("cat-file", "-p", "v1")).contains("said with the tag");
        assertThat(git.text("ls-files", "--unmerged").lines()).hasSize(3);
        assertThat(git.text("fsck", "--strict")).doesNotContain("missing");
    }

    /** Archiving does not need git. */
    @Test
    void a_repository_that_git_cannot_read_is_archived_as_it_is() throws IOException {
        UserGit.in(made).text("init", "-q", ".");
        Files.writeString(made.resolve("a.txt"), "one");
        Files.writeString(made.resolve(".git/index"), "this is no index");
        var raw = Findings.of(order()).getFirst();
        assertThat(raw.item(null).notes()).anyMatch(n -> n.contains("git cannot read"));
        comesBack();
    }

    /** No program can set back the ctime. */
    @Test
    void a_change_is_detected_even_if_size_and_time_are_the_same() throws IOException {
        var file = Files.writeString(made.resolve("a.txt"), "one");
        var time = Files.getLastModifiedTime(file);
        var before = Findings.of(order()).getFirst().fingerprint();
        Files.writeString(file, "two");
        Files.setLastModifiedTime(file, time);
        assertThat(Findings.of(order()).getFirst().fingerprint()).isNotEqualTo(before);
    }

    @Test
    void an_archive_that_differs_in_one_byte_fails_verification() throws IOException {
        Files.writeString(made.resolve("a.txt"), "one");
        keep();
        Archive.compare(made, _ -> true, handed.getFirst());
        Files.writeString(made.resolve("a.txt"), "two");
        assertThatThrownBy(() -> Archive.compare(made, _ -> true, handed.getFirst()))
                .isInstanceOf(PreservationFailed.class)
                .hasMessageContaining("changed while being preserved");
    }

    @Test
    void a_restore_deletes_what_a_killed_one_left() throws Exception {
        var process = new ProcessBuilder("true").start();
        process.waitFor();
        var dead = temp.resolve(".coppice-making-%d-1".formatted(process.pid()));
        var living = temp.resolve(".coppice-making-%d-1".formatted(ProcessHandle.current().pid()));
        Files.createDirectories(dead.resolve("half"));
        Files.createDirectories(living);
        Files.writeString(dead.resolve("half/a.txt"), "a");
        assertThat(BuiltBeside.<Boolean>to(temp.resolve("back"), d -> Files.isDirectory(d)))
                .isTrue();
        assertThat(dead).doesNotExist();
        assertThat(living).isDirectory();
    }

    @Test
    void files_that_do_not_fit_are_named_and_the_rest_is_preserved() throws IOException {
        Files.writeString(made.resolve("small.txt"), "small");
        Files.write(made.resolve("large.bin"), new byte[2 * 1024 * 1024]);
        var finding = Findings.of(order()).getFirst();
        var preservation = preservation(1024 * 1024);
        assertThat(preservation.leftOut(finding))
                .containsExactly("too large to preserve, left in place: large.bin");
        assertThat(preservation.tooLarge(finding)).containsExactly("large.bin");
        preservation.preserve(finding);
        new Restore(temp.resolve("back"), handed.getFirst()).files();
        assertThat(temp.resolve("back/small.txt")).hasContent("small");
        assertThat(temp.resolve("back/large.bin")).doesNotExist();
    }

    /** Two commits are not on the remote; of one, only the clone claims that the remote has it. */
    @Test
    void a_clone_that_does_not_fit_is_preserved_without_objects_of_its_remote() throws IOException {
        var clone = largeClone();
        Files.writeString(clone.resolve("lost.txt"), "lost\n");
        var lost = committed(clone, "lost");
        UserGit.in(clone).text("update-ref", "refs/remotes/origin/gone", lost);
        UserGit.in(clone).text("reset", "-q", "--hard", "HEAD^");
        Files.writeString(clone.resolve("own.txt"), "own\n");
        var own = committed(clone, "own");
        UserGit.in(clone).text("repack", "-q", "-a", "-d", "-k");
        UserGit.in(clone).text("multi-pack-index", "write");
        Files.writeString(clone.resolve(".git/objects/pack/coppice-left-to-remotes.txt"), "");
        try (var server = new Served(temp.resolve("origin/.git"))) {
            UserGit.in(clone).text("remote", "set-url", "origin", server.url());
            var finding = Findings.of(order()).getFirst();
            var preservation = preservation(1024 * 1024);
            assertThat(preservation.tooLarge(finding)).isEmpty();
            assertThat(preservation.leftOut(finding))
                    .singleElement()
                    .asString()
                    .startsWith("left to the remotes of clone/.git: ")
                    .endsWith("in 6 objects that a remote has; 6 other objects are preserved");
            preservation.preserve(finding);
        }
        assertThat(Files.size(handed.getFirst())).isLessThan(500_000);
        Handles.delete(made);
        var restored = new Restore(made, handed.getFirst()).files();
        assertThat(restored.notes()).anyMatch(n -> n.contains("to fetch them, see: "));
        Files.move(clone.resolve(".git/config.from-agent"), clone.resolve(".git/config"));
        assertThat(UserGit.in(clone).text("show", own + ":own.txt")).isEqualTo("own");
        assertThat(UserGit.in(clone).text("show", lost + ":lost.txt")).isEqualTo("lost");
        var origin = temp.resolve("origin").toUri().toString();
        UserGit.in(clone).text("remote", "set-url", "origin", origin);
        UserGit.in(clone).text("fetch", "-q", "--refetch");
        UserGit.in(clone).text("fsck", "--full");
        assertThat(clone.resolve(".git/objects/pack/multi-pack-index")).doesNotExist();
        assertThat(UserGit.in(clone).text("log", "--format=%s")).isEqualTo("own\nsmall\nlarge");
    }

    /** A directory may be deleted with the clone, and a silent server lists no objects. */
    @Test
    void a_remote_that_is_not_a_reachable_server_is_not_trusted() throws IOException {
        var clone = largeClone();
        var origin = temp.resolve("origin");
        for (var url :
                List.of(
                        origin.toString(),
                        origin.toUri().toString(),
                        ".",
                        "ext::sh -c true",
                        "http://127.0.0.1:1/origin")) {
            UserGit.in(clone).text("remote", "set-url", "origin", url);
            var finding = Findings.of(order()).getFirst();
            assertThat(preservation(1024 * 1024).tooLarge(finding)).as(url).hasSize(1);
        }
    }

    @Test
    void packs_behind_a_link_are_not_replaced() throws IOException {
        var clone = largeClone();
        var objects = clone.resolve(".git/objects");
        Files.move(objects, temp.resolve("elsewhere"));
        Files.createSymbolicLink(objects, temp.resolve("elsewhere"));
        Files.write(made.resolve("large.bin"), new byte[2 * 1024 * 1024]);
        try (var server = new Served(temp.resolve("origin/.git"))) {
            UserGit.in(clone).text("remote", "set-url", "origin", server.url());
            var finding = Findings.of(order()).getFirst();
            var preservation = preservation(1024 * 1024);
            assertThat(preservation.tooLarge(finding)).containsExactly("large.bin");
            preservation.preserve(finding);
        }
        new Restore(temp.resolve("back"), handed.getFirst()).files();
    }

    /** Creates a clone in one pack, with a large file that the last commit no longer has. */
    private Path largeClone() throws IOException {
        var origin = temp.resolve("origin");
        UserGit.in(temp).text("init", "-q", "-b", "main", origin.toString());
        var large = new byte[2 * 1024 * 1024];
        new java.util.Random(1).nextBytes(large);
        Files.write(origin.resolve("large.bin"), large);
        committed(origin, "large");
        Files.delete(origin.resolve("large.bin"));
        Files.writeString(origin.resolve("a.txt"), "one\n");
        committed(origin, "small");
        UserGit.in(origin).text("update-server-info");
        var clone = made.resolve("clone");
        UserGit.in(temp).text("clone", "-q", origin.toUri().toString(), clone.toString());
        UserGit.in(clone).text("repack", "-q", "-a", "-d");
        return clone;
    }

    /** A web server that serves a repository as plain files. */
    private static final class Served implements AutoCloseable {
        private final HttpServer server;

        Served(Path repository) throws IOException {
            var here = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
            server = SimpleFileServer.createFileServer(here, repository, OutputLevel.NONE);
            server.start();
        }

        String url() {
            return "http://127.0.0.1:%d/".formatted(server.getAddress().getPort());
        }

        @Override
        public void close() {
            server.stop(0);
        }
    }

    private static String committed(Path repository, String message) {
        var git = UserGit.in(repository);
        git.text("add", "-A");
        git.text("-c", "user.name=u", "-c", "user.email=u@x", "commit", "-q", "-m", message);
        return git.text("rev-parse", "HEAD");
    }

    /** A user may have nothing but the file. */
    @Test
    void gnu_tar_extracts_the_archive() throws Exception {
        Files.writeString(made.resolve("a.txt"), "one");
        try (var large = new RandomAccessFile(made.resolve("sparse").toFile(), "rw")) {
            large.setLength(8L * 1024 * 1024);
            large.seek(4L * 1024 * 1024);
            large.write(7);
        }
        keep();
        var out = Files.createDirectory(temp.resolve("out"));
        var tar =
                new ProcessBuilder("tar", "-xf", handed.getFirst().toString(), "-C", out.toString())
                        .redirectErrorStream(true)
                        .start();
        var output =
                new String(
                        tar.getInputStream().readAllBytes(),
                        java.nio.charset.StandardCharsets.UTF_8);
        assertThat(tar.waitFor()).as(output).isZero();
        assertThat(seen(out)).isEqualTo(seen(made));
    }

    /** Covers every place where git looks for a configuration, directly or by a pointer. */
    @Test
    void nothing_restored_makes_git_run_a_program() throws IOException {
        UserGit.in(made).text("init", "-q", ".");
        var ran = temp.resolve("ran");
        Files.createDirectories(made.resolve("evil/objects"));
        var nested = made.resolve("evil");
        Files.createDirectories(nested.resolve("refs"));
        Files.createDirectories(made.resolve("common/objects"));
        Files.createDirectories(made.resolve("common/refs"));
        Files.writeString(nested.resolve("HEAD"), "ref: refs/heads/main\n");
        var armed =
                "[core]\n\trepositoryformatversion = 0\n\tfsmonitor = touch " + ran + "; false\n";
        for (var where : List.of(".git", "evil", "common")) {
            Files.writeString(made.resolve(where).resolve("config"), armed);
        }
        for (var pointed : List.of("evil", "common")) {
            var sub = Files.createDirectories(made.resolve("sub-" + pointed));
            Files.writeString(sub.resolve(".git"), "gitdir: ../evil\n");
        }
        keep();
        Handles.delete(made);
        new Restore(made, handed.getFirst()).files();
        for (var where : List.of(".", "sub-evil", "evil")) {
            try {
                UserGit.in(made.resolve(where)).text("status");
            } catch (AssertionError _) {
                // Git may fail here.
            }
        }
        assertThat(ran).doesNotExist();
    }

    /** The link appears between the check of the directory and the step into it. */
    @Test
    void a_link_that_replaces_a_directory_during_deletion_is_not_followed() throws Exception {
        var outside = Files.createDirectory(temp.resolve("outside"));
        for (int i = 0; i < 10; i++) Files.writeString(outside.resolve("f" + i), "dear");
        for (int round = 0; round < 200; round++) {
            var victim = Files.createDirectories(made.resolve("victim"));
            Files.createDirectory(made.resolve("aside"));
            var swapping =
                    Thread.ofPlatform()
                            .start(() -> {
                                try {
                                    Files.move(victim, made.resolve("aside/was"));
                                    Files.createSymbolicLink(victim, outside);
                                } catch (IOException _) {
                                    // It was deleted first.
                                }
                            });
            try {
                Handles.delete(made);
            } catch (IOException _) {
                // The link came in between.
            }
            swapping.join();
            assertThat(outside).isDirectoryContaining(p -> p.endsWith("f9"));
            Handles.delete(made);
            Files.createDirectories(made);
        }
        try (var all = Files.list(outside)) {
            assertThat(all).hasSize(10);
        }
    }

    @Test
    void a_tree_deeper_than_the_limit_is_deleted() throws IOException {
        var at = made;
        for (int i = 0; i < 700; i++) at = Files.createDirectory(at.resolve("d"));
        Handles.delete(made);
        assertThat(Files.exists(made, LinkOption.NOFOLLOW_LINKS)).isFalse();
    }

    /** Git ignores the inner repository, and no remote has its commit. */
    @Test
    void an_ignored_repository_is_preserved_with_its_directory() throws IOException {
        UserGit.in(made).text("init", "-q", ".");
        Files.writeString(made.resolve(".gitignore"), "vendor/\n");
        var lib = Files.createDirectories(made.resolve("vendor/lib"));
        UserGit.in(lib).text("init", "-q", ".");
        Files.writeString(lib.resolve("a.txt"), "dear");
        UserGit.in(lib).text("add", "-A");
        UserGit.in(lib).text("commit", "-q", "-m", "on no remote");
        comesBack();
        assertThat(lib.resolve("a.txt")).hasContent("dear");
    }

    @Test
    void a_file_in_place_of_a_created_directory_is_not_deleted() throws IOException {
        Files.delete(made);
        Files.writeString(made, "precious");
        assertThatThrownBy(() -> deletion(order()).deleteAll())
                .hasMessageContaining("no longer a directory");
        assertThat(made).hasContent("precious");
    }

    @Test
    void a_write_after_preservation_blocks_deletion() throws IOException {
        Files.writeString(made.resolve("a.txt"), "one");
        var preserved = Map.of(made, Findings.of(order()).getFirst().fingerprint());
        keep();
        Files.writeString(made.resolve("late.txt"), "late");
        assertThatThrownBy(() -> new DirectoryDeletion(order(), preserved).deleteAll())
                .hasMessageContaining("changed after it was preserved");
        assertThat(made.resolve("late.txt")).hasContent("late");
        var again = Map.of(made, Findings.of(order()).getFirst().fingerprint());
        new DirectoryDeletion(order(), again).deleteAll();
        assertThat(made).doesNotExist();
    }

    /** Anyone can write a file that points to a directory, and one there that points back. */
    @Test
    void a_directory_that_git_did_not_create_is_not_removed_from_a_list() throws IOException {
        var mine = Files.createDirectories(temp.resolve("home/worktrees/project"));
        Files.writeString(mine.resolve("dear.txt"), "dear");
        var sub = Files.createDirectories(made.resolve("sub"));
        Files.writeString(sub.resolve(".git"), "gitdir: " + mine + "\n");
        Files.writeString(mine.resolve("gitdir"), sub.resolve(".git") + "\n");
        deletion(order()).deleteAll();
        assertThat(made).doesNotExist();
        assertThat(mine.resolve("dear.txt")).hasContent("dear");
    }

    private static Path nested(Path top, String name, int levels) throws IOException {
        var at = top;
        for (int i = 0; i < levels; i++) at = Files.createDirectory(at.resolve(name));
        return at;
    }

    /** Such a path kept its tree from being removed. */
    @Test
    void a_path_longer_than_the_system_takes_at_once_is_restored_and_deleted() throws IOException {
        var half = Files.createDirectory(temp.resolve("half"));
        var lower = nested(half, "d".repeat(240), 12);
        Files.writeString(lower.resolve("file"), "dear");
        Files.createLink(lower.resolve("twin"), lower.resolve("file"));
        Files.createSymbolicLink(lower.resolve("link"), Path.of("file"));
        Files.move(half, nested(made, "u".repeat(240), 12).resolve("half"));
        assertThat(Findings.of(order()).getFirst().item(null).bytes()).isEqualTo(8);
        comesBack();
        Handles.delete(made);
        assertThat(made).doesNotExist();
    }

    @Test
    void a_tree_deeper_than_the_limit_of_handles_is_restored() throws IOException {
        Files.writeString(nested(made, "d", 450).resolve("file"), "deep");
        Files.writeString(nested(made, "e", 250).resolve("file"), "less deep");
        comesBack();
        assertThat(made.resolve("d/".repeat(450) + "file")).hasContent("deep");
    }

    /** Covers pointers to the outside, files renamed before, and hooks inside hooks. */
    @Test
    void files_disabled_before_are_restored_and_outside_pointers_are_disabled() throws IOException {
        var ran = temp.resolve("ran");
        var evil = temp.resolve("evil");
        UserGit.in(temp).text("init", "-q", evil.toString());
        var armed = "\tfsmonitor = touch " + ran + "; false\n";
        Files.writeString(
                evil.resolve(".git/config"), armed, java.nio.file.StandardOpenOption.APPEND);
        UserGit.in(made).text("init", "-q", ".");
        Files.writeString(made.resolve(".git/config.from-agent"), "mine");
        Files.createDirectories(made.resolve(".git/hooks/deep/hooks"));
        Files.writeString(made.resolve(".git/hooks/deep/hooks/pre-commit"), "x");
        var byFile = Files.createDirectories(made.resolve("by-file"));
        Files.writeString(byFile.resolve(".git"), "gitdir: " + evil.resolve(".git") + "\n");
        var byLink = Files.createDirectories(made.resolve("by-link"));
        Files.createSymbolicLink(byLink.resolve(".git"), evil.resolve(".git"));
        var byCommon = Files.createDirectories(made.resolve("by-common/.git"));
        Files.writeString(byCommon.resolve("HEAD"), "ref: refs/heads/main\n");
        Files.writeString(byCommon.resolve("commondir"), evil.resolve(".git") + "\n");
        keep();
        Handles.delete(made);
        var restored = new Restore(made, handed.getFirst()).files();
        assertThat(restored.notes()).anyMatch(n -> n.endsWith("config.from-agent-2"));
        for (var where : List.of(".", "by-file", "by-link", "by-common")) {
            try {
                UserGit.in(made.resolve(where)).text("status");
            } catch (AssertionError _) {
                // Git may fail here.
            }
        }
        assertThat(ran).doesNotExist();
    }

    private static DirectoryDeletion deletion(DirectoryTaskOrder order) {
        return new DirectoryDeletion(order, DirectoryDeletion.fingerprints(Findings.of(order)));
    }
}
