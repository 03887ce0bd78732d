package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.scene.Temporary;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** A backup of everything, written beside a coordinator at work, makes another one like it. */
class WholeBackupTest {
    @Test
    void everything_is_restored_from_one_file() throws IOException {
        var file = Temporary.directory("coppice-whole").resolve("all.zip");
        var data = Temporary.directory("coppice-again").resolve("data");
        try (var machine = new Machine()) {
            machine.up();
            machine.run("config", "set", "COPPICE_PORT", "0");
            machine.run("start", "ended", "-p", "say a result");
            machine.run("start", "gone", "-p", "say a later result");
            machine.run("rm", "gone", "--yes");
            machine.run("start", "busy", "--mode", "async_poll", "-p", "hang");
            machine.awaitAtWork("busy");
            assertThat(machine.run("backup", "all", file.toString(), "--outputs"))
                    .contains("is intact: everything of version");
            assertThat(Files.getPosixFilePermissions(file)).hasSize(2);
            assertThat(machine.run(2, "restore", "all", file.toString())).contains("is not empty");
            assertThat(machine.run(2, "backup", "all", file.toString())).contains("exists");
            var token = Files.readString(machine.data().resolve("token"));

            assertThat(machine.run("backup", "verify", file.toString())).contains("is intact");
            machine.run("restore", "all", file.toString(), "--data", data.toString());
            assertThat(data.resolve("token")).hasContent(token.strip());
            assertThat(data.resolve("config.toml")).exists();
        }
        try (var other = new Machine(Machine.SHORT_LEASE, data)) {
            other.up();
            assertThat(other.run("result", "ended")).contains("a result");
            assertThat(other.run("undo", "gone")).contains("restored gone");
            assertThat(other.run("result", "gone")).contains("a later result");
            other.awaitState("busy", "lost");
            assertThat(other.run("fsck")).contains("no references to missing");
        }
    }

    @Test
    void a_damaged_or_hostile_file_changes_nothing() throws IOException {
        var place = Temporary.directory("coppice-whole");
        var data = place.resolve("data");
        try (var machine = new Machine()) {
            var escaping = zip(place.resolve("escaping.zip"), "../escaped", "text");
            assertThat(machine.run(3, "restore", "all", escaping, "--data", data.toString()))
                    .contains("is damaged", "has no valid name");
            var broken = zip(place.resolve("broken.zip"), "\n/../../escaped", "text");
            assertThat(machine.run(3, "restore", "all", broken, "--data", data.toString()))
                    .contains("is damaged");
            var changed = zip(place.resolve("changed.zip"), "token", "another");
            assertThat(machine.run(3, "restore", "all", changed, "--data", data.toString()))
                    .contains("is damaged", "has another hash");
            assertThat(data).doesNotExist();
            assertThat(place.resolve("escaped")).doesNotExist();
            try (var left = Files.list(place)) {
                assertThat(left).hasSize(3);
            }
        }
    }

    /** A file of this name, whose manifest gives it the hash of the text "text". */
    private static String zip(Path file, String name, String text) throws IOException {
        try (var zip = new ZipOutputStream(Files.newOutputStream(file))) {
            zip.putNextEntry(new ZipEntry(name));
            zip.write(text.getBytes(StandardCharsets.UTF_8));
            zip.putNextEntry(new ZipEntry("whole.json"));
            var hash = "982d9e3eb996f559e633f4d194def3761d909f5a3b647d1a851fead67c32c9d1";
            zip.write(
                    """
                    {"version": "1", "made_at": "now", "steps": 1, "has_database": false,
                     "has_outputs": false, "files": {"%s": "%s"}}
                    """
                            .formatted(name.replace("\n", "\\n"), hash)
                            .getBytes(StandardCharsets.UTF_8));
        }
        return file.toString();
    }
}
