package dev.coppice.boot;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.scene.Temporary;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;

/** The measure of the database and of the files beside it. */
class DatabaseSchemaTest {
    /** Two chains of directories with names of this length are longer than a path may be. */
    private static final int NAME_CHARS = 200;

    private static final int LEVELS = 12;

    private final Path data = Temporary.directory("coppice-measured");

    @Test
    void a_directory_that_cannot_be_read_does_not_hide_the_size_of_the_others() throws IOException {
        var environment = Map.of("COPPICE_DATA", data.toString(), "COPPICE_PORT", "0");
        var settings = new SettingsReader(environment).read();
        Coordinator.start(settings).close();
        var schema = new DatabaseSchema(settings);
        long before = schema.storage().backupBytes();
        Files.write(settings.backups().resolve("a.zip"), new byte[1_000]);
        Files.write(settings.backups().resolve("z.zip"), new byte[1_000]);
        var end = chain(settings.backups());
        var aside = Temporary.directory("coppice-aside");
        chain(aside);
        Files.move(aside.resolve(name()), end.resolve(name()));
        try {
            assertThat(schema.storage().backupBytes()).isEqualTo(before + 2_000);
        } finally {
            Files.move(end.resolve(name()), aside.resolve(name()));
        }
    }

    private static String name() {
        return "n".repeat(NAME_CHARS);
    }

    private static Path chain(Path from) throws IOException {
        var end = from;
        for (int i = 0; i < LEVELS; i++) end = end.resolve(name());
        return Files.createDirectories(end);
    }
}
