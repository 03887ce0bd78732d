package dev.coppice.store.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import dev.coppice.kernel.CannotWrite;
import dev.coppice.scene.SmallDisk;
import dev.coppice.store.Given;
import dev.coppice.store.SqlStore;
import dev.coppice.store.schema.Databases;
import dev.coppice.wiring.Store;

import org.junit.jupiter.api.Test;

import java.nio.file.Files;
import java.time.Duration;
import java.time.InstantSource;

/** A full disk stops writes only for as long as it is full. */
class FullDiskTest {
    private static final long PATIENCE_NANOS = Duration.ofSeconds(30).toNanos();
    private int made;

    @Test
    void writes_are_refused_while_the_disk_is_full_and_work_again_when_it_is_not()
            throws Exception {
        try (var disk = SmallDisk.ofMegabytes(6);
                var database =
                        Databases.sqlite(
                                disk.path().resolve("coppice.db"),
                                InstantSource.system(),
                                _ -> {})) {
            var store = SqlStore.on(database);
            add(database, store);
            disk.fill();
            var refused = refusal(database, store);
            assertThat(refused).isInstanceOf(CannotWrite.class);
            assertThat(database.condition().orElseThrow()).contains("nothing can be written");
            assertThat(database.writePauses()).isPositive();
            // Reads still work.
            database.read(() -> store.journal().head());
            Files.delete(disk.ballast());
            long until = System.nanoTime() + PATIENCE_NANOS;
            while (database.condition().isPresent() && System.nanoTime() < until) {
                Thread.onSpinWait();
            }
            assertThat(database.condition()).isEmpty();
            for (int i = 0; i < 20; i++) add(database, store);
        }
    }

    private Throwable refusal(Database database, Store store) {
        // The last page of the log still has room for some writes.
        for (int i = 0; i < 2_000; i++) {
            var thrown = catchThrowable(() -> add(database, store));
            if (thrown != null) return thrown;
        }
        throw new AssertionError("the disk is not full");
    }

    private void add(Database database, Store store) {
        var session = Given.root("s" + made++);
        database.write(() -> {
            store.sessions().add(session);
            return session;
        });
    }
}
