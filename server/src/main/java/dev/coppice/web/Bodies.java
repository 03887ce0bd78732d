package dev.coppice.web;

import dev.coppice.access.Caller;
import dev.coppice.access.Role;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RequestRefusal;

import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.server.Request;
import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.zip.GZIPInputStream;

/**
 * Reads the body of a request. Its size is limited both before and after decompression, and the
 * memory for the body and its values is taken before they are made.
 */
final class Bodies {
    private static final int BYTES_MAX = 16 * 1024 * 1024;

    /** Fits one megabyte of event or parameters in its longest JSON encoding. */
    private static final int REPORTER_BYTES_MAX = 4 * 1024 * 1024;

    private static final int NOBODY_BYTES_MAX = 64 * 1024;

    private static final int PIECE_BYTES = 64 * 1024;

    /** The bytes, their text with at worst two bytes a character, and the text's parts. */
    private static final int COPIES = 4;

    private final int max;
    private final Weight weight;
    private final RequestMemory.Hold hold;

    private Bodies(Caller caller, Weight weight, RequestMemory.Hold hold) {
        this.max = max(caller);
        this.weight = weight;
        this.hold = hold;
    }

    private static int max(Caller caller) {
        if (caller.equals(Caller.NOBODY)) return NOBODY_BYTES_MAX;
        boolean onlyReports = caller.isAgent() || caller.role() == Role.INGEST;
        return onlyReports ? REPORTER_BYTES_MAX : BYTES_MAX;
    }

    static String read(Request request, Caller caller, Weight weight, RequestMemory.Hold hold)
            throws IOException {
        return new Bodies(caller, weight, hold).read(request);
    }

    private String read(Request request) throws IOException {
        if (request.getLength() > max) throw tooLarge(request.getLength());
        var type = request.getHeaders().get(HttpHeader.CONTENT_TYPE);
        var packing = packing(request.getHeaders().get(HttpHeader.CONTENT_ENCODING));
        try (var in = PacedInput.of(request)) {
            var sent = sent(in, request.getLength());
            var bytes = unpacked(packing, sent, type);
            return new String(bytes, Upload.charset(type));
        } catch (HttpException.RuntimeException | IOException e) {
            // The body was cut off, or its chunks are malformed.
            var why = String.valueOf(e.getMessage());
            throw new Rejected(new RequestRefusal.BadValue("body", why, "a complete HTTP body"));
        }
    }

    private Rejected tooLarge(long size) {
        return new Rejected(new RequestRefusal.TooLarge("body", size, max));
    }

    private byte[] sent(InputStream in, long length) throws IOException {
        if (length < 0) return gathered(in);
        hold.sent(length);
        return in.readNBytes((int) length);
    }

    /** Reads a body of unknown length. Most fit into one piece; a longer one may be large. */
    private byte[] gathered(InputStream in) throws IOException {
        hold.sent(PIECE_BYTES);
        var gathered = new ByteArrayOutputStream();
        gathered.write(in.readNBytes(PIECE_BYTES));
        if (gathered.size() == PIECE_BYTES) {
            long room = hold.sentAtMost(max);
            var piece = new byte[PIECE_BYTES];
            for (int n = in.read(piece); n >= 0; n = in.read(piece)) {
                long size = gathered.size() + (long) n;
                if (size > room) {
                    throw new Rejected(new RequestRefusal.TooLarge("body", size, room));
                }
                gathered.write(piece, 0, n);
            }
        }
        hold.received(gathered.size());
        return gathered.toByteArray();
    }

    /** Opens a stream of the unpacked bytes. Each body is unpacked twice. */
    private interface Packing {
        InputStream open(byte[] sent) throws IOException;
    }

    private static Packing packing(@Nullable String encoding) {
        if (encoding == null || encoding.equals("identity")) return ByteArrayInputStream::new;
        if (encoding.equals("gzip")) return s -> new GZIPInputStream(new ByteArrayInputStream(s));
        throw new Rejected(
                new RequestRefusal.BadValue("Content-Encoding", encoding, "gzip, or left out"));
    }

    /** Unpacks the body once to weigh it, and again to keep it if there is room. */
    private byte[] unpacked(Packing packing, byte[] sent, @Nullable String type)
            throws IOException {
        if (sent.length == 0) return sent;
        long values;
        long length;
        try (var counted = new Counted(packing.open(sent))) {
            values = weight.of(type, counted);
            counted.skipRest();
            length = counted.bytes;
        }
        hold.made(COPIES * length + values);
        try (var in = packing.open(sent)) {
            return in.readNBytes((int) length);
        }
    }

    /** Counts bytes, and rejects a body that has too many. */
    private final class Counted extends FilterInputStream {
        private long bytes;

        Counted(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            int one = super.read();
            if (one >= 0) count(1);
            return one;
        }

        @Override
        public int read(byte[] into, int from, int most) throws IOException {
            int n = super.read(into, from, most);
            if (n > 0) count(n);
            return n;
        }

        @Override
        public long skip(long most) throws IOException {
            return readNBytes((int) Math.min(most, PIECE_BYTES)).length;
        }

        private void count(int n) {
            bytes += n;
            if (bytes > max) throw tooLarge(bytes);
        }

        void skipRest() throws IOException {
            var piece = new byte[PIECE_BYTES];
            while (read(piece, 0, piece.length) >= 0) {
                // read() counts the bytes.
            }
        }
    }
}
