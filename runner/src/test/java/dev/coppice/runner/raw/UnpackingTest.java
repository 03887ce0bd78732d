package dev.coppice.runner.raw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.tar.Tar;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;

/** An archive is untrusted input. */
class UnpackingTest {
    @TempDir Path temp;

    @Test
    void entries_that_point_outside_are_refused() throws IOException {
        for (var name : List.of("../out", "/out", "a/../../out", "link/out", "missing/out", "")) {
            var file = temp.resolve("evil.tar");
            try (var out = Files.newOutputStream(file)) {
                var now = Instant.EPOCH;
                var link = Tar.Header.LINK;
                Tar.write(
                        new Tar.Header("link", link, 0777, 0, now, temp.toString(), List.of()),
                        out);
                Tar.write(new Tar.Header(name, Tar.Header.FILE, 0644, 0, now, "", List.of()), out);
                out.write(new byte[1024]);
            }
            var into = Files.createTempDirectory(temp, "into");
            assertThatThrownBy(() -> unpack(into, file))
                    .isInstanceOf(PreservationFailed.class)
                    .hasMessageContaining("points outside");
            assertThat(temp.resolve("out")).doesNotExist();
        }
    }

    /** An archive must not choose the user of a program. */
    @Test
    void bits_and_owner_of_another_user_are_left_out_and_named() throws IOException {
        var file = temp.resolve("foreign.tar");
        var stranger = new Tar.Owner(4_000_000_001L, 4_000_000_002L, "stranger", "strangers");
        try (var out = Files.newOutputStream(file)) {
            Tar.write(
                    new Tar.Header(
                            "tool",
                            Tar.Header.FILE,
                            06755,
                            0,
                            Instant.EPOCH,
                            "",
                            List.of(),
                            stranger,
                            "security.capability"),
                    out);
            out.write(new byte[1024]);
        }
        var into = Files.createTempDirectory(temp, "into");
        assertThat(new Unpacking(into).from(file).losses())
                .containsExactly(
                        "not restored: setuid bit of tool",
                        "not restored: setgid bit of tool",
                        "not restored: owner stranger of tool",
                        "not restored: group strangers of tool",
                        "not restored: capabilities of tool");
        int mode = (Integer) Files.getAttribute(into.resolve("tool"), "unix:mode");
        assertThat(mode & 07777).isEqualTo(0755);
    }

    /** The bits of the group are those of everyone in the list; without it, the group had them. */
    @Test
    void the_group_gets_no_rights_that_were_only_in_a_list() throws IOException {
        var file = temp.resolve("listed.tar");
        var list = "system.posix_acl_access";
        try (var out = Files.newOutputStream(file)) {
            Tar.write(
                    new Tar.Header(
                            "secret",
                            Tar.Header.FILE,
                            0664,
                            0,
                            Instant.EPOCH,
                            "",
                            List.of(),
                            Tar.Owner.UNKNOWN,
                            list),
                    out);
            out.write(new byte[1024]);
        }
        var into = Files.createTempDirectory(temp, "into");
        assertThat(new Unpacking(into).from(file).losses())
                .containsExactly(
                        "not restored: access control list, and with it the rights of the group, of"
                                + " secret");
        int mode = (Integer) Files.getAttribute(into.resolve("secret"), "unix:mode");
        assertThat(mode & 07777).isEqualTo(0604);
    }

    private static void unpack(Path into, Path file) {
        try {
            new Unpacking(into).from(file);
        } catch (IOException e) {
            throw new java.io.UncheckedIOException(e);
        }
    }
}
