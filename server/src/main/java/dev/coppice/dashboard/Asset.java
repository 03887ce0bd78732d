package dev.coppice.dashboard;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.Map;
import java.util.zip.GZIPOutputStream;

/** A file of the dashboard, plain and compressed. */
final class Asset {
    private static final Map<String, String> MEDIA_TYPES =
            Map.of(
                    "html", "text/html;charset=utf-8",
                    "css", "text/css;charset=utf-8",
                    "js", "text/javascript;charset=utf-8",
                    "svg", "image/svg+xml");
    private static final int TAG_CHARS = 16;

    private final String mediaType;
    private final String tag;
    private final byte[] plain;
    private final byte[] compressed;

    private Asset(String mediaType, byte[] plain) {
        this.mediaType = mediaType;
        this.plain = plain;
        this.compressed = compressed(plain);
        this.tag = '"' + hash(plain).substring(0, TAG_CHARS) + '"';
    }

    /** Reads the file; null if there is none of this name. */
    static @Nullable Asset read(String name) {
        var mediaType = MEDIA_TYPES.get(name.substring(name.lastIndexOf('.') + 1));
        if (mediaType == null) return null;
        try (var in = Asset.class.getResourceAsStream(name)) {
            return in == null ? null : new Asset(mediaType, in.readAllBytes());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static byte[] compressed(byte[] plain) {
        var out = new ByteArrayOutputStream();
        try (var gzip = new GZIPOutputStream(out)) {
            gzip.write(plain);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }

    private static String hash(byte[] bytes) {
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(bytes);
            return HexFormat.of().formatHex(digest);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    String mediaType() {
        return mediaType;
    }

    /** Identifies the content. */
    String tag() {
        return tag;
    }

    void writePlain(OutputStream out) throws IOException {
        out.write(plain);
    }

    void writeCompressed(OutputStream out) throws IOException {
        out.write(compressed);
    }
}
