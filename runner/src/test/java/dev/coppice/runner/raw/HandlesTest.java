package dev.coppice.runner.raw;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

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
                        try (var _ = TemporaryMode.usable(entry)) {
                            assertThat(mode(file)).isEqualTo("rwx------");
                        }
                        assertThat(mode(file)).isEqualTo("---------");
                        Files.delete(file);
                        Files.createSymbolicLink(file, victim);
                        assertThatThrownBy(() -> TemporaryMode.usable(entry))
                                .isInstanceOf(PreservationFailed.class)
                                .hasMessageContaining("changed while it was read");
                    }
                });
        assertThat(met.get()).isNotNull();
        assertThat(mode(victim)).isEqualTo("---------");
    }
}
