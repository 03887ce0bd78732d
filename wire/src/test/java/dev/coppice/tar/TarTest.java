package dev.coppice.tar;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.tar.Tar.Header;
import dev.coppice.tar.Tar.Owner;
import dev.coppice.tar.Tar.Piece;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;

/** The files of an archive come out as they went in. */
class TarTest {
    private static final Instant TIME = Instant.parse("2026-11-23T12:00:00.123456789Z");

    private static Header file(String name, long size) {
        return new Header(name, Header.FILE, 0644, size, TIME, "", List.of());
    }

    /** A name as the bytes of a file system have it, each as one character. */
    private static String raw(String name) {
        return new String(name.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    static List<Header> headers() {
        var owner = new Owner(1000, 4_294_967_295L, "me", raw("d\u00e9v"));
        return List.of(
                file("a", 0),
                file("a/b c", 1),
                file(raw("h\u00e9/\u8a08\u753b"), 513),
                file("bytes \u00ff\u00fe", 2),
                file("n".repeat(100), 3),
                file("n".repeat(101), 3),
                file("line\nend = 7 path=x", 4),
                new Header("d", Header.DIRECTORY, 0755, 0, TIME, "", List.of()),
                new Header("l", Header.LINK, 0777, 0, TIME, "../" + "t".repeat(300), List.of()),
                new Header("h", Header.HARD_LINK, 0644, 0, TIME, "a", List.of()),
                new Header("p", Header.PIPE, 0600, 0, TIME, "", List.of()),
                new Header("s", Header.FILE, 06755, 1, TIME, "", List.of()),
                new Header("old", Header.FILE, 0644, 1, Instant.EPOCH, "", List.of()),
                new Header(
                        "older",
                        Header.FILE,
                        0644,
                        1,
                        Instant.parse("1969-12-31T23:59:58.5Z"),
                        "",
                        List.of()),
                new Header(
                        "far",
                        Header.FILE,
                        0644,
                        1,
                        Instant.parse("9999-01-01T00:00:00Z"),
                        "",
                        List.of()),
                new Header("mine", Header.FILE, 0644, 1, TIME, "", List.of(), owner, ""),
                new Header(
                        "less",
                        Header.FILE,
                        0644,
                        1,
                        TIME,
                        "",
                        List.of(),
                        Owner.UNKNOWN,
                        "acl,user.x"));
    }

    @ParameterizedTest
    @MethodSource("headers")
    void an_entry_is_read_as_it_was_written(Header header) throws IOException {
        var content = new byte[(int) header.stored()];
        Arrays.fill(content, (byte) 'x');
        var reader = new Tar.Reader(new ByteArrayInputStream(archive(header, content)));
        assertThat(reader.next()).isEqualTo(header);
        assertThat(content(reader)).isEqualTo(content);
        assertThat(reader.next()).isNull();
    }

    private static byte[] archive(Header header, byte[] content) throws IOException {
        var out = new ByteArrayOutputStream();
        Tar.write(header, out);
        out.write(content);
        out.write(new byte[(int) (Tar.padded(content.length) - content.length)]);
        out.write(new byte[2 * Tar.BLOCK_BYTES]);
        return out.toByteArray();
    }

    private static byte[] content(Tar.Reader reader) throws IOException {
        var out = new ByteArrayOutputStream();
        var buffer = new byte[100];
        for (int read = reader.read(buffer); read >= 0; read = reader.read(buffer)) {
            out.write(buffer, 0, read);
        }
        return out.toByteArray();
    }

    @Test
    void a_file_with_holes_stores_only_its_pieces() throws IOException {
        var pieces = List.of(new Piece(512, 3), new Piece(1_000_000, 2));
        var header = new Header("holes", Header.FILE, 0644, 5_000_000_000L, TIME, "", pieces);
        var stored = new ByteArrayOutputStream();
        stored.writeBytes(header.map());
        stored.writeBytes("abcde".getBytes(StandardCharsets.US_ASCII));
        assertThat(header.stored()).isEqualTo(512 + 5);
        var bytes = archive(header, stored.toByteArray());
        var reader = new Tar.Reader(new ByteArrayInputStream(bytes));
        assertThat(reader.next()).isEqualTo(header);
        assertThat(content(reader)).asString(StandardCharsets.US_ASCII).isEqualTo("abcde");
    }

    @Test
    void the_map_of_a_file_with_holes_fills_whole_blocks() {
        var header = new Header("x", Header.FILE, 0, 9, TIME, "", List.of(new Piece(4, 5)));
        var map = new String(header.map(), StandardCharsets.US_ASCII);
        assertThat(map).startsWith("1\n4\n5\n\u0000").hasSize(512);
    }

    @Test
    void the_next_entry_is_found_behind_content_that_was_not_read() throws IOException {
        var out = new ByteArrayOutputStream();
        for (var name : List.of("one", "two")) {
            Tar.write(file(name, 513), out);
            out.write(new byte[1024]);
        }
        out.write(new byte[1024]);
        var reader = new Tar.Reader(new ByteArrayInputStream(out.toByteArray()));
        assertThat(reader.next()).isEqualTo(file("one", 513));
        assertThat(reader.read(new byte[5])).isEqualTo(5);
        assertThat(reader.next()).isEqualTo(file("two", 513));
        assertThat(reader.next()).isNull();
    }

    /** Each record begins with its own length; that has a digit more at 10, 100 and 1000. */
    @Test
    void records_tell_their_length_whatever_it_is() throws IOException {
        for (int length = 1; length < 1100; length++) {
            var header = file("n".repeat(length), 0);
            var reader = new Tar.Reader(new ByteArrayInputStream(archive(header, new byte[0])));
            assertThat(reader.next()).isEqualTo(header);
        }
    }

    @Test
    void an_archive_is_the_same_in_every_language() throws IOException {
        var header = file("a", 3);
        var here = archive(header, new byte[3]);
        var before = Locale.getDefault();
        Locale.setDefault(Locale.forLanguageTag("ar-EG-u-nu-arab"));
        try {
            assertThat(archive(header, new byte[3])).isEqualTo(here);
        } finally {
            Locale.setDefault(before);
        }
    }

    /** As POSIX has it: half a second before 1970 is -0.5. */
    @ParameterizedTest
    @CsvSource({
        "1969-12-31T23:59:59.500Z, -0.500000000",
        "1969-12-31T23:59:58.500Z, -1.500000000",
        "1970-01-01T00:00:01.500Z, 1.500000000"
    })
    void a_time_is_a_decimal_number_of_seconds(Instant time, String written) throws IOException {
        var header = new Header("a", Header.FILE, 0, 0, time, "", List.of());
        var text = new String(archive(header, new byte[0]), StandardCharsets.ISO_8859_1);
        assertThat(text).contains(" mtime=" + written + "\n");
    }

    @Test
    void a_name_that_is_no_text_is_marked_for_other_programs() throws IOException {
        var marked = "hdrcharset=BINARY";
        var text =
                new String(
                        archive(file(raw("h\u00e9"), 0), new byte[0]), StandardCharsets.ISO_8859_1);
        assertThat(text).doesNotContain(marked);
        var bytes =
                new String(archive(file("\u00ff", 0), new byte[0]), StandardCharsets.ISO_8859_1);
        assertThat(bytes).contains(marked);
    }

    @Test
    void a_header_can_be_told_from_other_blocks() throws IOException {
        var block = Arrays.copyOf(archive(file("a", 0), new byte[0]), Tar.BLOCK_BYTES);
        assertThat(Tar.isHeader(block)).isTrue();
        assertThat(Tar.isHeader(new byte[Tar.BLOCK_BYTES])).isFalse();
    }

    @Test
    void a_user_of_another_machine_with_the_same_number_is_another_one() {
        var me = new Owner(1000, 1000, "me", "me");
        assertThat(me.isSameUser(new Owner(1000, 5, "me", ""))).isTrue();
        assertThat(me.isSameUser(new Owner(1000, 1000, "you", "me"))).isFalse();
        assertThat(me.isSameUser(new Owner(1001, 1000, "me", "me"))).isFalse();
        var nameless = new Owner(1000, 1000, "", "");
        assertThat(nameless.isSameUser(nameless)).isFalse();
    }
}
