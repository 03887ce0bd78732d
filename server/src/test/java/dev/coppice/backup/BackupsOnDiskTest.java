package dev.coppice.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.audit.Audit;
import dev.coppice.journal.Fact;
import dev.coppice.kernel.JsonText;
import dev.coppice.removal.Backups;
import dev.coppice.removal.Removal;
import dev.coppice.scene.Scene;
import dev.coppice.session.Session;
import dev.coppice.store.Stores;
import dev.coppice.work.InspectWork;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.io.UncheckedIOException;
import java.lang.reflect.Proxy;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Random;

/** A backup gets its name only after all of it was read back from the disk. */
class BackupsOnDiskTest {
    private static final int EVENTS = 40;
    private static final int EVENT_BYTES = 20_000;
    @TempDir Path directory;

    private List<Path> files() throws IOException {
        try (var all = Files.list(directory)) {
            return all.toList();
        }
    }

    /** Changes a bit that is already on the disk, as a faulty disk may. */
    private void flip() {
        try (var part = new RandomAccessFile(files().getFirst().toFile(), "rw")) {
            assertThat(part.length()).as("written by now").isGreaterThan(100_000);
            part.seek(50_000);
            int old = part.read();
            part.seek(50_000);
            part.write(old ^ 1);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Removal.Backup written(Runnable beforeItsEnd) {
        try (var opened = Stores.SQLITE.open(_ -> {})) {
            var store = opened.store();
            var session = session();
            store.transactions()
                    .write(() -> {
                        store.sessions().add(session);
                        var random = new Random(7);
                        var bytes = new byte[EVENT_BYTES];
                        for (int i = 0; i < EVENTS; i++) {
                            random.nextBytes(bytes);
                            var text = Base64.getEncoder().encodeToString(bytes);
                            var body = new JsonText("{\"text\":\"" + text + "\"}");
                            var fact = new Fact.Reported("message", body);
                            store.journal()
                                    .append(session.id(), null, fact, session.times().created());
                        }
                        return 0;
                    });
            // The backup asks for the head of the audit after it has written all rows.
            var audit =
                    (Audit)
                            Proxy.newProxyInstance(
                                    Audit.class.getClassLoader(),
                                    new Class<?>[] {Audit.class},
                                    (_, method, args) -> {
                                        if (method.getName().equals("head")) beforeItsEnd.run();
                                        return method.invoke(store.audit(), args);
                                    });
            var room = new UploadStore(Path.of(directory + "-kept"));
            var backups =
                    new BackupsOnDisk(
                            store.transactions(),
                            store.treeRows(),
                            store.tasks(),
                            audit,
                            room,
                            InstantSource.system(),
                            directory);
            return backups.write(session, "top", new InspectWork.Copied(List.of(), List.of()));
        }
    }

    private static Session session() {
        var scene = new Scene();
        Scene.done(scene.session(Scene.named("top")));
        return scene.look("top");
    }

    @Test
    void a_byte_that_changed_on_the_disk_leaves_no_file() throws IOException {
        assertThatThrownBy(() -> written(this::flip)).isInstanceOf(Backups.NotWritten.class);
        assertThat(files()).isEmpty();
    }

    /** A backup that was copied elsewhere with its mode was readable by everybody there. */
    @Test
    void only_its_owner_may_read_a_backup() throws IOException {
        var file = directory.resolve(written(() -> {}).file());
        assertThat(Files.getPosixFilePermissions(file))
                .isEqualTo(PosixFilePermissions.fromString("rw-------"));
    }

    @Test
    void an_intact_backup_has_its_name_and_hash() throws IOException {
        var backup = written(() -> {});
        assertThat(files()).containsExactly(directory.resolve(backup.file()));
        assertThat(UploadStore.sha256(directory.resolve(backup.file()))).isEqualTo(backup.sha256());
    }
}
