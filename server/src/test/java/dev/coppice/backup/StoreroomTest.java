package dev.coppice.backup;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HexFormat;

/** What is handed in has its name only when it is what was said. */
class StoreroomTest {
    @TempDir Path directory;

    private Storeroom room() {
        return new Storeroom(directory);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    private static String hash(String text) {
        return HexFormat.of().formatHex(Storeroom.digest().digest(bytes(text)));
    }

    @Test
    void pieces_that_come_twice_make_one_file() throws IOException {
        var room = room();
        room.take("err_1", "a.bundle", 0, bytes("one "));
        room.take("err_1", "a.bundle", 4, bytes("two"));
        room.take("err_1", "a.bundle", 4, bytes("two"));
        room.complete("err_1/a.bundle", hash("one two"), 7);
        room.complete("err_1/a.bundle", hash("one two"), 7);
        assertThat(Files.readString(room.file("err_1/a.bundle"))).isEqualTo("one two");
    }

    @Test
    void what_is_not_what_was_said_is_not_taken() {
        var room = room();
        room.take("err_1", "a.bundle", 0, bytes("one two"));
        assertThatThrownBy(() -> room.complete("err_1/a.bundle", hash("one too"), 7))
                .isInstanceOf(Storeroom.NotTaken.class)
                .hasMessageContaining("is not what was handed in");
        assertThatThrownBy(() -> room.complete("err_1/a.bundle", hash("one two"), 8))
                .isInstanceOf(Storeroom.NotTaken.class);
        assertThat(room.file("err_1/a.bundle")).doesNotExist();
        assertThatThrownBy(() -> room.complete("err_1/b.bundle", hash(""), 0))
                .isInstanceOf(Storeroom.NotTaken.class)
                .hasMessageContaining("was never handed in");
    }

    @Test
    void a_missing_piece_is_named_and_too_much_is_refused() {
        var room = room();
        room.take("err_1", "a.bundle", 0, bytes("one"));
        assertThatThrownBy(() -> room.take("err_1", "a.bundle", 9, bytes("x")))
                .isInstanceOf(Storeroom.NotTaken.class)
                .hasMessageContaining("3 bytes are there, and it goes on at 9");
        assertThatThrownBy(
                        () -> room.take("err_1", "a.bundle", Storeroom.FILE_BYTES_MAX, bytes("x")))
                .isInstanceOf(Storeroom.NotTaken.class);
        var all = new ByteArrayInputStream(bytes("four"));
        assertThatThrownBy(() -> Storeroom.copy(all, new ByteArrayOutputStream(), 3))
                .hasMessageContaining("larger than 3");
    }

    @Test
    void no_name_leads_out_of_the_room() {
        for (var name : new String[] {"../a/b", "a/../b", "a/", "/a", "a/b/c", "", ".."}) {
            assertThatThrownBy(() -> room().file(name))
                    .as(name)
                    .isInstanceOf(Storeroom.NotTaken.class);
        }
    }
}
