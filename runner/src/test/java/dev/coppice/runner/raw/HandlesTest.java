package dev.coppice.runner.raw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.concurrent.atomic.AtomicReference;

class HandlesTest {
    @TempDir Path temp;

    private static String mode(Path file) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(file));
    }

    private Path closed(Path file) throws IOException {
        Files.writeString(file, "secret");
        return Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("---------"));
    }

    /** A live agent replaces the file during the walk. */
    @Test
    void a_link_in_place_of_an_unreadable_file_is_not_followed() throws IOException {
        var victim = closed(temp.resolve("victim"));
        var made = Files.createDirectory(temp.resolve("made"));
        var file = closed(made.resolve("na\u00efve"));
        var met = new AtomicReference<Handles.Entry>();
        Handles.walk(
                made,
                new Handles.Visitor() {
                    @Override
                    public boolean directory(Handles.Entry directory) {
                        return false;
                    }

                    @Override
                    public void file(Handles.Entry entry) throws IOException {
                        met.set(entry);
                        try (var _ = Handles.TemporaryMode.usable(entry)) {
                            assertThat(mode(file)).isEqualTo("rwx------");
                        }
                        assertThat(mode(file)).isEqualTo("---------");
                        Files.delete(file);
                        Files.createSymbolicLink(file, victim);
                        assertThatThrownBy(() -> Handles.TemporaryMode.usable(entry))
                                .isInstanceOf(PreservationFailed.class)
                                .hasMessageContaining("changed while it was read");
                    }
                });
        assertThat(met.get()).isNotNull();
        assertThat(mode(victim)).isEqualTo("---------");
    }

    /** A purge emptied a directory that was mounted in the git directory of a work tree. */
    @Test
    void no_directory_is_deleted_below_which_another_is_mounted() throws Exception {
        var made = temp.resolve("made");
        var point = Files.createDirectories(made.resolve("below/mnt"));
        var other = Files.createDirectory(temp.resolve("other"));
        var file = Files.writeString(other.resolve("file"), "theirs");
        boolean isMounted = run("mount", "--bind", other.toString(), point.toString());
        assumeTrue(isMounted, "skipped: this user may not mount");
        try {
            assertThatThrownBy(() -> Handles.delete(made))
                    .isInstanceOf(PreservationFailed.class)
                    .hasMessageContaining("unmount '" + point.toRealPath() + "' first");
            assertThat(file).hasContent("theirs");
        } finally {
            assertThat(run("umount", point.toString())).isTrue();
        }
        Handles.delete(made);
        assertThat(made).doesNotExist();
        assertThat(file).hasContent("theirs");
    }

    private static boolean run(String... words) throws Exception {
        var process = new ProcessBuilder(words).redirectErrorStream(true).start();
        process.getInputStream().readAllBytes();
        return process.waitFor() == 0;
    }
}
