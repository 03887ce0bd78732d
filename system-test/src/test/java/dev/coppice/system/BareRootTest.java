package dev.coppice.system;

import static dev.coppice.system.MadeArchive.ran;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.coppice.house.Sources;
import dev.coppice.scene.Debian;
import dev.coppice.scene.InSoak;
import dev.coppice.scene.Temporary;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The smallest Debian, without Java, git, Maven and a compiler: installed, and toured. */
@InSoak
class BareRootTest {
    private static final List<String> USERS = List.of("0:0", "65534:65534");
    private static final Pattern BLOCK = Pattern.compile("(?s)```sh\\n(.*?)```");

    /** A root that debootstrap makes once, and that each test gets a copy of. */
    private static Path root() {
        assumeTrue(Machine.isRoot(), "only root can make a root");
        var bare = Debian.cache().resolve("bare");
        try {
            if (!Files.exists(bare.resolve("made"))) make(bare);
        } catch (Debian.Missing e) {
            assumeTrue("required".equals(System.getenv("COPPICE_PEERS")), e.getMessage());
            throw e;
        }
        var own = Temporary.directory("coppice-bare").resolve("root");
        ran(Map.of(), "cp", "-a", bare.resolve("root").toString(), own.toString());
        assertThat(own.resolve("usr/bin/java")).doesNotExist();
        assertThat(own.resolve("usr/bin/git")).doesNotExist();
        for (var user : USERS) {
            var home = own.resolve(home(user).substring(1)).toString();
            ran(Map.of(), "mkdir", "-p", home);
            ran(Map.of(), "chown", user, home);
        }
        return own;
    }

    private static void make(Path bare) {
        var tool = Debian.onThisMachine("debootstrap");
        var unpacked =
                tool.isPresent() ? null : Debian.unpacked("debootstrap", List.of("debootstrap"));
        var program =
                unpacked == null
                        ? tool.orElseThrow().toString()
                        : unpacked.resolve("usr/sbin/debootstrap").toString();
        var library =
                unpacked == null
                        ? Map.<String, String>of()
                        : Map.of(
                                "DEBOOTSTRAP_DIR",
                                unpacked.resolve("usr/share/debootstrap").toString());
        var to = bare.resolve("root").toString();
        ran(Map.of(), "rm", "-rf", bare.toString());
        ran(Map.of(), "mkdir", "-p", to);
        ran(library, program, "--variant=minbase", "bookworm", to);
        ran(Map.of(), "touch", bare.resolve("made").toString());
    }

    /** Runs a script in a root, as a user. */
    private static String in(Path root, String user, String script) {
        var outer =
                """
                set -e
                mount -t proc proc %1$s/proc
                mount --bind /dev %1$s/dev
                exec chroot --userspec=%2$s %1$s /bin/sh -e -c "$1"
                """
                        .formatted(root, user);
        return ran(
                Map.of("HOME", home(user), "PATH", "/usr/sbin:/usr/bin:/sbin:/bin"),
                "unshare",
                "--mount",
                "--pid",
                "--fork",
                "sh",
                "-c",
                outer,
                "sh",
                script);
    }

    /** A colon in it would separate two places on the PATH. */
    private static String home(String user) {
        return "/home/" + user.replace(':', '-');
    }

    /** The README's first blocks, with the command that an archive installs. */
    private static String tour() throws IOException {
        var text = Files.readString(Sources.ROOT.resolve("README.md"));
        var blocks = new ArrayList<String>();
        BLOCK.matcher(text).results().forEach(block -> blocks.add(block.group(1)));
        var tour = blocks.subList(1, 3).stream().collect(Collectors.joining("\n"));
        assertThat(tour).contains("start plan", "tree plan", "rm plan", "undo plan");
        return tour.replace("./coppice ", "coppice ");
    }

    private static final String UP =
            """
            now() { date +%%s%%N; }
            began=$(now)
            %s
            mkfifo $HOME/up
            coppice up --port 0 >$HOME/up 2>&1 & up=$!
            read -r said <$HOME/up
            echo "$said"
            echo "up after $((($(now) - began) / 1000000)) ms"
            %s
            echo "toured after $((($(now) - began) / 1000000)) ms"
            coppice list
            coppice doctor || :
            kill $up
            wait $up || :
            """;

    @Test
    void an_archive_is_installed_and_toured_in_a_root_without_anything() throws IOException {
        var root = root();
        var place = Files.createDirectories(root.resolve("dist"));
        for (var name : List.of("install.sh", "SHA256SUMS")) {
            Files.copy(MadeArchive.directory().resolve(name), place.resolve(name));
        }
        Files.copy(MadeArchive.archive(), place.resolve(MadeArchive.archive().getFileName()));
        for (var user : USERS) {
            var install = "sh /dist/install.sh; export PATH=$HOME/.local/bin:$PATH";
            var said = in(root, user, UP.formatted(install, tour()));
            System.out.println(times(said, "as user " + user));
            assertThat(said)
                    .contains("Installed Coppice", "figure is drawn", "removed plan")
                    .contains("restored plan", "git", "not found", "✓ finished");
            var left = in(root, user, "sh /dist/install.sh --uninstall; find $HOME/.local -type f");
            assertThat(left).contains("Took Coppice out", "Kept the data in").doesNotContain("lib");
        }
    }

    private static String times(String said, String who) {
        return said.lines()
                .filter(line -> line.contains(" after ") && line.endsWith(" ms"))
                .collect(Collectors.joining(", ", who + ": ", ""));
    }

    @Test
    void the_package_of_debian_is_installed_and_purged() throws IOException {
        var root = root();
        Files.copy(MadeArchive.only("coppice_*.deb"), root.resolve("coppice.deb"));
        var said = in(root, "0:0", "dpkg -i /coppice.deb; " + UP.formatted("", tour()));
        assertThat(said).contains("systemctl enable --now coppice", "restored plan");
        assertThat(in(root, "0:0", "stat -c %a /; getent passwd coppice")).startsWith("755");
        in(root, "0:0", "mkdir -p /var/lib/coppice /etc/coppice; dpkg -P coppice");
        assertThat(root.resolve("usr/lib/coppice")).doesNotExist();
        assertThat(root.resolve("usr/bin/coppice")).doesNotExist();
        assertThat(root.resolve("var/lib/coppice")).doesNotExist();
        assertThat(root.resolve("etc/coppice")).doesNotExist();
        assertThat(in(root, "0:0", "getent passwd coppice || echo gone")).contains("gone");
    }

    /** The packages are of the same tree, so what is installed of them only needs to start. */
    @Test
    void packages_for_npm_debian_and_homebrew() throws IOException {
        var prefix = Temporary.directory("coppice-npm");
        needs("npm");
        var whole = MadeArchive.only("coppice-linux-*.tgz").toString();
        var home = Map.of("HOME", prefix.toString());
        var install = List.of("npm", "i", "-g", "--offline", "--prefix", prefix.toString());
        ran(home, with(install, whole));
        assertThat(ran(home, prefix + "/bin/coppice", "version")).contains("coppice ");
        assertThat(ran(home, prefix + "/bin/ao-start", "--help")).contains("coppice start");

        var small = MadeArchive.only("coppice-npm-*.tgz").toString();
        ran(home, with(List.of("npm", "rm", "-g", "--prefix", prefix.toString()), platform()));
        var both = List.of("npm", "i", "-g", "--offline", "--prefix", prefix.toString(), whole);
        ran(home, with(both, small, "--force", "--omit=optional"));
        assertThat(ran(home, prefix + "/bin/coppice", "version")).contains("coppice ");

        assertThat(Files.readString(MadeArchive.directory().resolve("coppice.rb")))
                .contains("class Coppice < Formula", "license \"Apache-2.0\"", "def install")
                .contains(
                        "url \"https://coppice.dev/dist/"
                                + MadeArchive.archive().getFileName()
                                + "\"")
                .containsPattern("sha256 \"[0-9a-f]{64}\"");
        ran(
                Map.of(),
                "sh",
                "-c",
                "cd '" + MadeArchive.directory() + "' && sha256sum -c --quiet SHA256SUMS");
    }

    /** Skips the test where a program is missing, or fails where nothing may be skipped. */
    private static void needs(String program) {
        boolean isHere = Debian.onThisMachine(program).isPresent();
        if (!isHere && "required".equals(System.getenv("COPPICE_PEERS"))) {
            throw new AssertionError("there is no " + program);
        }
        assumeTrue(isHere, "there is no " + program);
    }

    private static String platform() {
        return MadeArchive.only("coppice-linux-*.tgz")
                .getFileName()
                .toString()
                .replaceFirst("-[0-9].*", "");
    }

    private static String[] with(List<String> words, String... more) {
        return Stream.concat(words.stream(), Stream.of(more)).toArray(String[]::new);
    }

    /** dpkg unpacks these files over the root of a machine. */
    @Test
    void the_package_of_debian_has_its_files_in_their_places() throws IOException {
        needs("dpkg-deb");
        var file = MadeArchive.only("coppice_*.deb").toString();
        assertThat(ran(Map.of(), "dpkg-deb", "-f", file, "Package", "Depends", "Version"))
                .contains("Package: coppice", "libc6");
        var listed = ran(Map.of(), "dpkg-deb", "-c", file);
        assertThat(listed.lines().filter(each -> each.endsWith(" ./")).findFirst().orElseThrow())
                .startsWith("drwxr-xr-x root/root");
        assertThat(listed)
                .contains("./usr/bin/coppice -> /usr/lib/coppice/bin/coppice")
                .contains("./usr/share/man/man1/coppice.1")
                .contains("./usr/lib/systemd/system/coppice.service");
    }

    /** Only the class caches differ, and the sums of them. */
    @Test
    void two_archives_of_one_commit_are_the_same() {
        var other = Temporary.directory("coppice-dist-twice");
        MadeArchive.made(other);
        var differing =
                ran(
                        Map.of(),
                        "sh",
                        "-c",
                        "diff -rq --no-dereference \"$1\"/coppice-*/ \"$2\"/coppice-*/ || :",
                        "sh",
                        MadeArchive.directory().toString(),
                        other.toString());
        assertThat(differing.lines())
                .allMatch(line -> line.contains(".aot differ") || line.contains("SHA256SUMS"))
                .hasSizeLessThanOrEqualTo(4);
    }
}
