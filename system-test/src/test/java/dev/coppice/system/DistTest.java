package dev.coppice.system;

import static dev.coppice.system.MadeArchive.ran;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.coppice.scene.Temporary;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/**
 * The archive, made once for all scenes: it is installed, and runs in a root that has a shell, the
 * libraries of C and nothing else.
 */
class DistTest {
    private static final long ARCHIVE_BYTES_MAX = 60L * 1024 * 1024;

    private final Path made = MadeArchive.directory();
    private final Path archive = MadeArchive.archive();

    /** One scene, because making the archive takes a minute of the processor. */
    @Test
    void the_archive_is_whole_is_installed_and_runs_where_nothing_else_is() throws IOException {
        assertThat(Files.size(archive)).isLessThan(ARCHIVE_BYTES_MAX);
        var home = Temporary.directory("coppice-home");
        var environment = Map.of("HOME", home.toString());
        installs(environment);
        var installed = installed(home);
        ran(Map.of(), "sh", "-c", "cd '" + installed + "' && sha256sum -c --quiet SHA256SUMS");
        var about = installed.resolve("share/doc/coppice");
        var bom = Json.read(Files.readString(about.resolve("sbom.cdx.json")));
        assertThat(bom.path("bomFormat").asString()).isEqualTo("CycloneDX");
        try (var licences = Files.list(about.resolve("licences"))) {
            assertThat(licences.count()).isEqualTo(bom.path("components").size() - 1);
        }
        var coppice = home.resolve(".local/bin/coppice").toString();
        var version = Json.read(ran(environment, coppice, "version", "--json"));
        assertThat(version.path("version").asString())
                .isEqualTo(installed.getFileName().toString());
        runsInABareRoot(installed);
        uninstalls(environment, home);
    }

    private void installs(Map<String, String> environment) throws IOException {
        var script = made.resolve("install.sh").toString();
        var page = RunningItTest.commands("install.md");
        assertThat(page).hasSize(3);
        var played =
                """
                set -e
                cd "$1"
                export PATH="$HOME/.local/bin:$PATH" COPPICE_PORT=0
                %s
                mkfifo "$HOME/up"
                %s >"$HOME/up" 2>&1 & up=$!
                read -r said <"$HOME/up"
                echo "$said"
                kill $up
                wait $up || :
                """
                        .formatted(page.get(0), page.get(1));
        assertThat(ran(environment, "sh", "-c", played, "sh", made.toString()))
                .contains("Installed Coppice", "Coppice is up");
        assertThat(ran(environment, "sh", script)).as("again").contains("Installed Coppice");
        var damaged = Files.createDirectories(made.resolve("damaged"));
        Files.copy(made.resolve("SHA256SUMS"), damaged.resolve("SHA256SUMS"));
        var copy = damaged.resolve(archive.getFileName());
        Files.writeString(copy, "not an archive");
        var refused = new ProcessBuilder("sh", script, copy.toString()).redirectErrorStream(true);
        refused.environment().putAll(environment);
        var process = refused.start();
        assertThat(new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8))
                .contains("is damaged: its SHA-256 is");
        assertThat(process.onExit().join().exitValue()).isOne();
    }

    private static Path installed(Path home) throws IOException {
        try (var all = Files.newDirectoryStream(home.resolve(".local/share/coppice"))) {
            return all.iterator().next();
        }
    }

    private void uninstalls(Map<String, String> environment, Path home) throws IOException {
        var data = home.resolve(".coppice");
        var played = "cd \"$1\"; " + RunningItTest.commands("install.md").getLast();
        assertThat(ran(environment, "sh", "-c", played, "sh", made.toString()))
                .contains("Kept the data in");
        assertThat(data).exists();
        try (var left = Files.walk(home.resolve(".local"))) {
            assertThat(left.filter(path -> !Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)))
                    .isEmpty();
        }
    }

    /**
     * A root with a shell, mv, and the libraries that they and Java need; the program is read-only.
     */
    private static void runsInABareRoot(Path installed) throws IOException {
        assumeTrue(Machine.isRoot(), "only root can change the root directory");
        var root = Temporary.directory("coppice-root");
        for (var directory : List.of("proc", "tmp", "dev", "opt", "home", "bin", "usr/bin")) {
            Files.createDirectories(root.resolve(directory));
        }
        Files.createDirectories(root.resolve("opt/coppice"));
        var libraries =
                """
                java=%1$s/lib/java
                for each in /bin/dash /bin/mv $java/bin/java $java/lib/server/libjvm.so \\
                  $java/lib/libjava.so %1$s/lib/native/*.so; do
                  ldd $each 2>/dev/null | grep -o '/[^ ]*' | grep -v '^%1$s' || :
                done | sort -u | while read -r each; do
                  mkdir -p %2$s${each%%/*} && cp -L $each %2$s$each
                done
                cp /bin/dash %2$s/bin/sh
                cp /bin/mv %2$s/bin/mv
                chmod 755 %2$s && chmod 1777 %2$s/tmp
                """
                        .formatted(installed, root);
        ran(Map.of(), "sh", "-c", libraries);
        var tour =
                """
                set -e
                mkfifo -m 666 %2$s/tmp/up-USER
                mount -t proc proc %2$s/proc
                mount --bind %1$s %2$s/opt/coppice
                mount -o remount,bind,ro %2$s/opt/coppice
                mount --bind /dev %2$s/dev
                exec chroot --userspec=USER %2$s /bin/sh -c '
                  set -e
                  export HOME=/home/USER PATH=/opt/coppice/bin:/bin
                  coppice up --port 0 >/tmp/up-USER 2>&1 &
                  up=$!
                  exec 3</tmp/up-USER
                  read -r said <&3
                  echo "$said"
                  coppice start plan --agent scripted -p "say planning
                spawn draft
                  say drafting
                wait draft
                say done"
                  coppice tree plan
                  coppice rm plan --yes
                  coppice undo plan
                  coppice list
                  coppice doctor
                  kill $up
                  wait $up || :
                '
                """
                        .formatted(installed, root);
        for (var user : List.of("0:0", "65534:65534")) {
            var script = tour.replace("--userspec=USER", "--userspec=" + user);
            script = script.replace("USER", user.substring(0, user.indexOf(':')));
            Files.createDirectories(root.resolve("home/" + user.substring(0, user.indexOf(':'))));
            ran(Map.of(), "chown", user, root + "/home/" + user.substring(0, user.indexOf(':')));
            var said = ran(Map.of(), "unshare", "--mount", "--pid", "--fork", "sh", "-c", script);
            assertThat(said)
                    .as("as user %s", user)
                    .contains(
                            "planning",
                            "done",
                            "✓ finished",
                            "removed plan",
                            "restored plan",
                            "git",
                            "not found");
        }
    }
}
