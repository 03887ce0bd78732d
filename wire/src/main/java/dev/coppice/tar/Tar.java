package dev.coppice.tar;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.io.EOFException;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.math.BigDecimal;
import java.nio.ByteBuffer;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.StandardCharsets;
import java.time.DateTimeException;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * Reads and writes POSIX tar archives. Pax records hold whatever does not fit the header of 1988:
 * long names, names that are not text, nanoseconds, large sizes, and holes as GNU tar writes them.
 * Any tar program can read the archives.
 */
public final class Tar {
    public static final int BLOCK_BYTES = 512;
    private static final int NAME_BYTES_MAX = 100;
    private static final int MAGIC_AT = 257;
    private static final int RECORDS_BYTES_MAX = 1024 * 1024;
    private static final long OCTAL_MAX = 0_77777777777L;
    private static final long SIZE_MAX = Long.MAX_VALUE / 2;
    private static final String OMITTED = "COPPICE.omitted";

    private Tar() {}

    /** A stored piece of a file; everything between two pieces is zero. */
    public record Piece(long from, long length) {}

    /** The owner and the group of a file: numbers, and raw names, which may be empty. */
    public record Owner(long user, long group, String userName, String groupName) {
        public static final Owner UNKNOWN = new Owner(0, 0, "", "");

        /** Compares names as well: another machine may give a number to another user. */
        public boolean isSameUser(Owner other) {
            return user == other.user && !userName.isEmpty() && userName.equals(other.userName);
        }
    }

    /**
     * One entry: raw name, type letter, mode, size, time, link target, the stored pieces of a file
     * with holes, its owner, and the names of attributes that the archive does not hold, with
     * commas.
     */
    public record Header(
            String name,
            char type,
            int mode,
            long size,
            Instant time,
            String link,
            List<Piece> pieces,
            Owner owner,
            String omitted) {
        public static final char FILE = '0';
        public static final char HARD_LINK = '1';
        public static final char LINK = '2';
        public static final char DIRECTORY = '5';
        public static final char PIPE = '6';

        public Header {
            pieces = List.copyOf(pieces);
        }

        public Header(
                String name,
                char type,
                int mode,
                long size,
                Instant time,
                String link,
                List<Piece> pieces) {
            this(name, type, mode, size, time, link, pieces, Owner.UNKNOWN, "");
        }

        public boolean isSparse() {
            return !pieces.isEmpty();
        }

        /** Number of bytes that follow the header, without padding. */
        public long stored() {
            if (!isSparse()) return type == FILE ? size : 0;
            return map().length + pieces.stream().mapToLong(Piece::length).sum();
        }

        public byte[] map() {
            var text = new StringBuilder().append(pieces.size()).append('\n');
            for (var piece : pieces) {
                text.append(piece.from()).append('\n').append(piece.length()).append('\n');
            }
            var bytes = text.toString().getBytes(StandardCharsets.US_ASCII);
            return java.util.Arrays.copyOf(bytes, (int) padded(bytes.length));
        }
    }

    public static boolean isHeader(byte[] block) {
        return new String(block, MAGIC_AT, 5, StandardCharsets.US_ASCII).equals("ustar");
    }

    public static long padded(long bytes) {
        return (bytes + BLOCK_BYTES - 1) / BLOCK_BYTES * BLOCK_BYTES;
    }

    public static void write(Header header, OutputStream out) throws IOException {
        var records = records(header);
        var extra = encoded(records);
        var more = new Header("", 'x', 0644, 0, header.time(), "", List.of());
        out.write(block(more, "PaxHeaders/x", extra.length));
        out.write(extra);
        out.write(new byte[(int) (padded(extra.length) - extra.length)]);
        var name = header.isSparse() ? "GNUSparseFile.0/x" : header.name();
        out.write(block(header, name, header.stored()));
    }

    private static Map<String, String> records(Header header) {
        var records = new LinkedHashMap<String, String>();
        if (!isText(header.name()) || !isText(header.link())) records.put("hdrcharset", "BINARY");
        if (header.isSparse()) {
            records.put("GNU.sparse.major", "1");
            records.put("GNU.sparse.minor", "0");
            records.put("GNU.sparse.name", header.name());
            records.put("GNU.sparse.realsize", Long.toString(header.size()));
        } else {
            records.put("path", header.name());
        }
        if (!header.link().isEmpty()) records.put("linkpath", header.link());
        if (header.stored() > OCTAL_MAX) records.put("size", Long.toString(header.stored()));
        var time = header.time();
        var seconds = BigDecimal.valueOf(time.getEpochSecond());
        records.put("mtime", seconds.add(BigDecimal.valueOf(time.getNano(), 9)).toPlainString());
        var owner = header.owner();
        if (!owner.equals(Owner.UNKNOWN)) {
            records.put("uid", Long.toString(owner.user()));
            records.put("gid", Long.toString(owner.group()));
            records.put("uname", owner.userName());
            records.put("gname", owner.groupName());
        }
        if (!header.omitted().isEmpty()) records.put(OMITTED, header.omitted());
        return records;
    }

    private static boolean isText(String raw) {
        try {
            var bytes = ByteBuffer.wrap(raw.getBytes(StandardCharsets.ISO_8859_1));
            StandardCharsets.UTF_8.newDecoder().decode(bytes);
            return true;
        } catch (CharacterCodingException _) {
            return false;
        }
    }

    /** Each record starts with its length, which includes the digits of the length. */
    private static byte[] encoded(Map<String, String> records) {
        var out = new ByteArrayOutputStream();
        records.forEach((key, value) -> {
            int rest = key.length() + value.length() + 3;
            int length = rest + Integer.toString(rest).length();
            if (rest + Integer.toString(length).length() > length) length++;
            var line = length + " " + key + "=" + value + "\n";
            out.writeBytes(line.getBytes(StandardCharsets.ISO_8859_1));
        });
        return out.toByteArray();
    }

    private static byte[] block(Header header, String name, long size) {
        char type = header.type();
        int mode = header.mode();
        var time = header.time();
        var link = header.link();
        var block = new byte[BLOCK_BYTES];
        text(block, 0, NAME_BYTES_MAX, name);
        number(block, 100, 8, mode);
        number(block, 108, 8, 0);
        number(block, 116, 8, 0);
        number(block, 124, 12, Math.min(size, OCTAL_MAX));
        number(block, 136, 12, Math.clamp(time.getEpochSecond(), 0, OCTAL_MAX));
        block[156] = (byte) type;
        text(block, 157, NAME_BYTES_MAX, link);
        text(block, 257, 6, "ustar\0");
        text(block, 263, 2, "00");
        text(block, 148, 8, "        ");
        int sum = 0;
        for (byte b : block) sum += b & 0xff;
        text(block, 148, 8, "%06o\0 ".formatted(sum));
        return block;
    }

    private static void text(byte[] block, int at, int max, String text) {
        var bytes = text.getBytes(StandardCharsets.ISO_8859_1);
        System.arraycopy(bytes, 0, block, at, Math.min(max, bytes.length));
    }

    private static void number(byte[] block, int at, int width, long value) {
        text(block, at, width, ("%0" + (width - 1) + "o").formatted(value));
    }

    /** Reads an archive from start to end. */
    public static final class Reader {
        private final InputStream in;
        private long left;
        private long padding;

        public Reader(InputStream in) {
            this.in = in;
        }

        /** Returns the next entry, or null at the end. Skips unread contents of the last one. */
        public @Nullable Header next() throws IOException {
            try {
                return entry();
            } catch (NumberFormatException | DateTimeException _) {
                throw bad("a number is malformed");
            }
        }

        private @Nullable Header entry() throws IOException {
            in.skipNBytes(left + padding);
            left = 0;
            padding = 0;
            var records = Map.<String, String>of();
            while (true) {
                var block = in.readNBytes(BLOCK_BYTES);
                if (block.length < BLOCK_BYTES) throw new EOFException("the archive is truncated");
                if (isEmpty(block)) return null;
                checked(block);
                char type = (char) block[156];
                long size = number(block, 124, 12);
                if (type == 'x') {
                    if (size > RECORDS_BYTES_MAX) throw bad("a pax header is too large");
                    records = decoded(in.readNBytes((int) size));
                    in.skipNBytes(padded(size) - size);
                    continue;
                }
                return header(block, type, size, records);
            }
        }

        private Header header(byte[] block, char type, long field, Map<String, String> records)
                throws IOException {
            long size = records.containsKey("size") ? Long.parseLong(records.get("size")) : field;
            if (size < 0 || size > SIZE_MAX) throw bad("the size of an entry is out of range");
            left = type == Header.FILE ? size : 0;
            padding = padded(left) - left;
            var pieces = List.<Piece>of();
            long real = left;
            if (records.containsKey("GNU.sparse.realsize")) {
                real = Long.parseLong(records.get("GNU.sparse.realsize"));
                pieces = pieces(real);
            }
            var name =
                    records.getOrDefault(
                            "GNU.sparse.name", records.getOrDefault("path", text(block, 0)));
            var link = records.getOrDefault("linkpath", text(block, 157));
            int mode = (int) number(block, 100, 8);
            var time = time(block, records);
            var omitted = records.getOrDefault(OMITTED, "");
            var owner = owner(records);
            return new Header(name, type, mode, real, time, link, pieces, owner, omitted);
        }

        private static Owner owner(Map<String, String> records) {
            var user = records.get("uid");
            var group = records.get("gid");
            if (user == null || group == null) return Owner.UNKNOWN;
            return new Owner(
                    Long.parseLong(user),
                    Long.parseLong(group),
                    records.getOrDefault("uname", ""),
                    records.getOrDefault("gname", ""));
        }

        private static Instant time(byte[] block, Map<String, String> records) {
            var mtime = records.get("mtime");
            if (mtime == null) return Instant.ofEpochSecond(number(block, 136, 12));
            int dot = mtime.indexOf('.');
            if (dot < 0) return Instant.ofEpochSecond(Long.parseLong(mtime));
            var digits = (mtime.substring(dot + 1) + "000000000").substring(0, 9);
            long nanos = Long.parseLong(digits);
            return Instant.ofEpochSecond(
                    Long.parseLong(mtime.substring(0, dot)),
                    mtime.startsWith("-") ? -nanos : nanos);
        }

        /** Reads the map that precedes the data: one number a line, padded to whole blocks. */
        private List<Piece> pieces(long real) throws IOException {
            var numbers = new ArrayList<Long>();
            var digits = new StringBuilder();
            int read = 0;
            while (numbers.isEmpty() || numbers.size() < 1 + 2 * numbers.getFirst()) {
                int c = in.read();
                read++;
                if (c == '\n') {
                    numbers.add(Long.parseLong(digits.toString()));
                    if (numbers.getFirst() > RECORDS_BYTES_MAX)
                        throw bad("a sparse map is too large");
                    digits.setLength(0);
                } else if (c >= '0' && c <= '9' && digits.length() < 19) {
                    digits.append((char) c);
                } else {
                    throw bad("a sparse map is malformed");
                }
                if (read > RECORDS_BYTES_MAX) throw bad("a sparse map is too large");
            }
            in.skipNBytes(padded(read) - read);
            left -= padded(read);
            var pieces = new ArrayList<Piece>();
            long at = 0;
            for (int i = 1; i < numbers.size(); i += 2) {
                var piece = new Piece(numbers.get(i), numbers.get(i + 1));
                boolean fits = piece.from() >= at && piece.length() <= real - piece.from();
                if (!fits) throw bad("a sparse map does not fit its file");
                at = piece.from() + piece.length();
                pieces.add(piece);
            }
            boolean isWhole = left == pieces.stream().mapToLong(Piece::length).sum();
            if (!isWhole) throw bad("a sparse map does not fit what is stored");
            return pieces;
        }

        /** Reads stored bytes of the current entry; -1 at its end. */
        public int read(byte[] bytes) throws IOException {
            if (left == 0) return -1;
            int read = in.read(bytes, 0, (int) Math.min(bytes.length, left));
            if (read < 0) throw new EOFException("the archive is truncated");
            left -= read;
            return read;
        }

        private static boolean isEmpty(byte[] block) {
            for (byte b : block) if (b != 0) return false;
            return true;
        }

        private static void checked(byte[] block) throws IOException {
            long expected = number(block, 148, 8);
            int sum = 0;
            for (int i = 0; i < block.length; i++)
                sum += i >= 148 && i < 156 ? ' ' : block[i] & 0xff;
            if (sum != expected) throw bad("a header has a wrong checksum");
        }

        private static Map<String, String> decoded(byte[] bytes) throws IOException {
            var text = new String(bytes, StandardCharsets.ISO_8859_1);
            var records = new LinkedHashMap<String, String>();
            int at = 0;
            while (at < text.length()) {
                int space = text.indexOf(' ', at);
                int length = space < 0 ? 0 : Integer.parseInt(text.substring(at, space));
                int equals = text.indexOf('=', at);
                int end = at + length - 1;
                boolean isWhole = length > 0 && length <= text.length() - at;
                if (!isWhole || equals < space || equals >= end || text.charAt(end) != '\n') {
                    throw bad("a pax record is malformed");
                }
                records.put(text.substring(space + 1, equals), text.substring(equals + 1, end));
                at = end + 1;
            }
            return records;
        }

        private static String text(byte[] block, int at) {
            int end = at;
            while (end < at + NAME_BYTES_MAX && block[end] != 0) end++;
            return new String(block, at, end - at, StandardCharsets.ISO_8859_1);
        }

        private static long number(byte[] block, int at, int width) {
            var digits = new String(block, at, width, StandardCharsets.US_ASCII);
            var plain = digits.replace("\0", "").strip();
            if (plain.startsWith("-")) throw new NumberFormatException(plain);
            return plain.isEmpty() ? 0 : Long.parseLong(plain, 8);
        }

        private static IOException bad(String why) {
            return new IOException("not a valid archive: " + why);
        }
    }
}
