package dev.coppice.tar;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.tar.Tar.Header;
import dev.coppice.tar.Tar.Piece;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.Arrays;
import java.util.List;
import java.util.Random;

/**
 * An archive comes from another machine, or from a disk that has lost bits: whatever is in it, it
 * is read, or it is not valid. It never ends the reader in another way.
 */
class HostileTarTest {
    private static byte[] records(String... records) {
        var text = new StringBuilder();
        for (var record : records) {
            int length = record.length() + 3;
            if (Integer.toString(length).length() > 1) length++;
            text.append(length).append(' ').append(record).append('\n');
        }
        return text.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    /** An archive with one file of eight bytes, whose header has these records too. */
    private static byte[] archive(byte[] records, byte[] content) throws IOException {
        var out = new ByteArrayOutputStream();
        out.writeBytes(block('x', records.length));
        out.writeBytes(padded(records));
        out.writeBytes(block('0', content.length));
        out.writeBytes(padded(content));
        out.write(new byte[2 * Tar.BLOCK_BYTES]);
        return out.toByteArray();
    }

    private static byte[] padded(byte[] bytes) {
        return Arrays.copyOf(bytes, (int) Tar.padded(bytes.length));
    }

    private static byte[] block(char type, long size) throws IOException {
        var out = new ByteArrayOutputStream();
        Tar.write(new Header("f", '0', 0644, size, Instant.EPOCH, "", List.of()), out);
        var block = Arrays.copyOfRange(out.toByteArray(), out.size() - Tar.BLOCK_BYTES, out.size());
        block[156] = (byte) type;
        return summed(block);
    }

    private static byte[] summed(byte[] block) {
        Arrays.fill(block, 148, 156, (byte) ' ');
        int sum = 0;
        for (byte b : block) sum += b & 0xff;
        var digits = "%06o\0 ".formatted(sum).getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(digits, 0, block, 148, 8);
        return block;
    }

    /** Reads all; returns the bytes of content. */
    private static long read(byte[] archive) throws IOException {
        var reader = new Tar.Reader(new ByteArrayInputStream(archive));
        var buffer = new byte[512];
        long bytes = 0;
        while (reader.next() != null) {
            for (int n = reader.read(buffer); n >= 0; n = reader.read(buffer)) bytes += n;
        }
        return bytes;
    }

    private static void assertNotValid(byte[] archive) {
        assertThatThrownBy(() -> read(archive))
                .isInstanceOf(IOException.class)
                .hasMessageStartingWith("not a valid archive: ");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "size=many",
                "size=-1",
                "size=9223372036854775808",
                "size=",
                "mtime=noon",
                "mtime=1.x",
                "mtime=99999999999999999",
                "uid=me",
                "GNU.sparse.realsize=x",
                "GNU.sparse.realsize=-5"
            })
    void a_record_with_a_bad_number_is_not_valid(String record) throws IOException {
        assertNotValid(archive(records(record, "gid=1"), new byte[8]));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "path=x\n",
                "x path=x\n",
                "-9 path=x\n",
                "99 path=x\n",
                "0 path=x\n",
                "3 path=x\n",
                "99999999999 path=x\n",
                "9 pathxx\n",
                " \n"
            })
    void a_record_with_a_bad_length_is_not_valid(String record) throws IOException {
        assertNotValid(archive(record.getBytes(StandardCharsets.ISO_8859_1), new byte[8]));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "1\n0\n",
                "x\n",
                "\n",
                "-1\n",
                "1\n0\n9\n",
                "1\n9\n1\n",
                "2\n4\n4\n0\n4\n",
                "9999999999999999999\n",
                "9223372036854775807\n0\n1\n",
                "99999999999\n0\n1\n"
            })
    void a_map_of_pieces_that_do_not_fit_their_file_is_not_valid(String map) throws IOException {
        var content = padded(map.getBytes(StandardCharsets.US_ASCII));
        assertNotValid(archive(records("GNU.sparse.realsize=8"), content));
    }

    /** The reader would run on into the next entry. */
    @Test
    void a_map_that_is_longer_than_its_entry_is_not_valid() throws IOException {
        var content = "1\n0\n4\n".getBytes(StandardCharsets.US_ASCII);
        assertNotValid(archive(records("GNU.sparse.realsize=8"), content));
    }

    @ParameterizedTest
    @ValueSource(strings = {"9999999", "-000001", "0x1    ", "\u00ff\u00ff"})
    void a_header_with_a_bad_number_is_not_valid(String mode) throws IOException {
        var block = block('0', 0);
        var bytes = mode.getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(bytes, 0, block, 100, bytes.length);
        assertNotValid(Arrays.copyOf(summed(block), 3 * Tar.BLOCK_BYTES));
    }

    @Test
    void a_header_with_a_flipped_bit_is_not_valid() throws IOException {
        var block = block('0', 0);
        block[0] ^= 1;
        assertNotValid(Arrays.copyOf(block, 3 * Tar.BLOCK_BYTES));
    }

    @Test
    void records_larger_than_a_megabyte_are_not_read() throws IOException {
        assertNotValid(Arrays.copyOf(block('x', 1024 * 1024 + 1), 3 * Tar.BLOCK_BYTES));
    }

    @Test
    void an_archive_that_is_cut_off_anywhere_is_truncated() throws IOException {
        var whole = archive(records("path=long"), new byte[600]);
        for (int length = 0; length < whole.length - 2 * Tar.BLOCK_BYTES; length += 64) {
            var cut = Arrays.copyOf(whole, length);
            assertThatThrownBy(() -> read(cut)).as("%d", length).isInstanceOf(EOFException.class);
        }
    }

    /** Bits that were lost in a header are found by its sum, so the sums are made to fit here. */
    @Test
    void an_archive_with_any_bytes_changed_is_read_or_not_valid() throws IOException {
        var out = new ByteArrayOutputStream();
        var pieces = List.of(new Piece(0, 4), new Piece(100, 4));
        var sparse = new Header("s", '0', 0644, 200, Instant.EPOCH, "", pieces);
        Tar.write(sparse, out);
        out.writeBytes(padded(Arrays.copyOf(sparse.map(), (int) sparse.stored())));
        Tar.write(new Header("f", '0', 0644, 8, Instant.EPOCH, "", List.of()), out);
        out.write(new byte[3 * Tar.BLOCK_BYTES]);
        var random = new Random(51);
        var telling = "0123456789-=.\n x\u00ff\0".getBytes(StandardCharsets.ISO_8859_1);
        for (int round = 0; round < 3000; round++) {
            var changed = out.toByteArray();
            for (int i = 0; i < 3; i++) {
                changed[random.nextInt(changed.length)] = telling[random.nextInt(telling.length)];
            }
            for (int at = 0; at < changed.length; at += Tar.BLOCK_BYTES) {
                var block = Arrays.copyOfRange(changed, at, at + Tar.BLOCK_BYTES);
                if (Tar.isHeader(block)) {
                    System.arraycopy(summed(block), 0, changed, at, Tar.BLOCK_BYTES);
                }
            }
            try {
                assertThat(read(changed)).isLessThan(changed.length);
            } catch (IOException e) {
                assertThat(e.getMessage()).isNotBlank();
            }
        }
    }
}
