package dev.coppice.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.removal.Backups;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.HexFormat;
import java.util.List;

/** An upload gets its name only if it has the announced size and hash. */
class StoreroomTest {
    @TempDir Path directory;

    private UploadStore room() {
        return new UploadStore(directory);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String hash(String text) {
        return HexFormat.of().formatHex(UploadStore.digest().digest(bytes(text)));
    }

    @Test
    void pieces_that_arrive_twice_make_one_file() throws IOException {
        var room = room();
        room.take("task_1", "a.bundle", 0, bytes("one "));
        room.take("task_1", "a.bundle", 4, bytes("two"));
        room.take("task_1", "a.bundle", 4, bytes("two"));
        room.complete("task_1/a.bundle", hash("one two"), 7);
        room.complete("task_1/a.bundle", hash("one two"), 7);
        assertThat(Files.readString(room.file("task_1/a.bundle"))).isEqualTo("one two");
    }

    @Test
    void only_its_owner_may_read_an_upload() throws IOException {
        var room = room();
        room.take("task_1", "a.bundle", 0, bytes("one"));
        room.complete("task_1/a.bundle", hash("one"), 3);
        room.put("task_1/b.bundle", new ByteArrayInputStream(bytes("two")));
        for (var name : List.of("a.bundle", "b.bundle")) {
            assertThat(Files.getPosixFilePermissions(room.file("task_1", name)))
                    .as(name)
                    .isEqualTo(PosixFilePermissions.fromString("rw-------"));
        }
    }

    @Test
    void a_file_of_another_size_or_hash_is_refused() {
        var room = room();
        room.take("task_1", "a.bundle", 0, bytes("one two"));
        assertThatThrownBy(() -> room.complete("task_1/a.bundle", hash("one too"), 7))
                .isInstanceOf(UploadStore.NotTaken.class)
                .hasMessageContaining("does not match its size or hash");
        assertThatThrownBy(() -> room.complete("task_1/a.bundle", hash("one two"), 8))
                .isInstanceOf(UploadStore.NotTaken.class);
        assertThat(room.file("task_1/a.bundle")).doesNotExist();
        assertThatThrownBy(() -> room.complete("task_1/b.bundle", hash(""), 0))
                .isInstanceOf(UploadStore.NotTaken.class)
                .hasMessageContaining("was never uploaded");
    }

    @Test
    void a_missing_piece_and_an_oversized_file_are_refused() {
        var room = room();
        room.take("task_1", "a.bundle", 0, bytes("one"));
        assertThatThrownBy(() -> room.take("task_1", "a.bundle", 9, bytes("x")))
                .isInstanceOf(UploadStore.NotTaken.class)
                .hasMessageContaining("the file has 3 bytes, and this piece starts at 9");
        assertThatThrownBy(() ->
                        room.take("task_1", "a.bundle", UploadStore.FILE_BYTES_MAX, bytes("x")))
                .isInstanceOf(UploadStore.NotTaken.class);
        var all = new ByteArrayInputStream(bytes("four"));
        assertThatThrownBy(() -> UploadStore.copy(all, new ByteArrayOutputStream(), 3))
                .hasMessageContaining("larger than 3");
    }

    @Test
    void a_piece_that_cannot_be_written_is_refused_with_the_cause() throws IOException {
        Files.writeString(directory.resolve("task_1"), "in the way");
        assertThatThrownBy(() -> room().take("task_1", "a.bundle", 0, bytes("one")))
                .isInstanceOf(Backups.NotWritten.class)
                .hasMessageContaining("cannot write '")
                .hasMessageEndingWith("task_1: a file has this name already");
    }

    @Test
    void no_name_leads_out_of_the_directory() {
        for (var name : new String[] {"../a/b", "a/../b", "a/", "/a", "a/b/c", "", ".."}) {
            assertThatThrownBy(() -> room().file(name))
                    .as(name)
                    .isInstanceOf(UploadStore.NotTaken.class);
        }
    }
}
