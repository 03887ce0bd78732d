package dev.coppice.runner.raw;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/** Finds mount points below a directory in the kernel's table. */
class MountsTest {
    private static final List<String> TABLE =
            List.of(
                    "22 1 254:0 / / rw,relatime shared:1 - ext4 /dev/vda rw",
                    "36 22 0:30 / /data/work\\040here/ses_1/mnt rw - fuse.sshfs far:/ rw",
                    "37 22 254:0 /home /data/work\\040here/ses_2 rw - ext4 /dev/vda rw",
                    "38 22 0:31 / /media/B\u00fcro rw - vfat /dev/sdb1 rw",
                    "short");

    @Test
    void mounts_at_or_below_a_directory_are_found() {
        assertThat(first("ses_1")).isEqualTo("/data/work here/ses_1/mnt");
        assertThat(first("ses_2")).isEqualTo("/data/work here/ses_2");
        assertThat(first("ses_3")).isEqualTo("none");
        assertThat(first("ses_1/mnt/deeper")).isEqualTo("none");
    }

    private static String first(String session) {
        var below = Path.of("/data/work here").resolve(session);
        return Mounts.first(TABLE, below).orElse("none");
    }

    @Test
    void the_root_directory_is_refused_because_of_its_mounts() throws IOException {
        org.assertj.core.api.Assertions.assertThatThrownBy(() -> Mounts.none(Path.of("/")))
                .hasMessageContaining("cannot delete '/': unmount ");
        Mounts.none(Path.of("/nowhere/at/all"));
        assertThat(Mounts.first(List.of("1 0 0:1 / / rw"), Path.of("/"))).contains("/");
    }
}
