package dev.coppice.runner.raw;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Raw file names: the bytes on disk, one character a byte. A Linux name need not be UTF-8. The JDK
 * replaces other bytes in its text form, but its URI form has every byte.
 */
public final class RawName {
    private static final char UNREADABLE = '\uFFFD';

    private RawName() {}

    static String of(Path name) {
        var text = name.toString();
        var bytes =
                text.indexOf(UNREADABLE) < 0
                        ? text.getBytes(StandardCharsets.UTF_8)
                        : last(name.toUri().getRawPath());
        return new String(bytes, StandardCharsets.ISO_8859_1);
    }

    /** Returns the bytes of an absolute path. */
    static byte[] bytes(Path path) {
        var raw = new StringBuilder();
        for (var name : path) raw.append('/').append(of(name));
        return raw.toString().getBytes(StandardCharsets.ISO_8859_1);
    }

    private static byte[] last(String uri) {
        var plain = uri.endsWith("/") ? uri.substring(0, uri.length() - 1) : uri;
        var name = plain.substring(plain.lastIndexOf('/') + 1);
        var bytes = new ByteArrayOutputStream();
        for (int i = 0; i < name.length(); i++) {
            char c = name.charAt(i);
            if (c == '%') {
                bytes.write(Integer.parseInt(name.substring(i + 1, i + 3), 16));
                i += 2;
            } else {
                bytes.write(c);
            }
        }
        return bytes.toByteArray();
    }

    /** Returns the target of a link as raw bytes. */
    static String ofLink(Path link) throws IOException {
        var to = Files.readSymbolicLink(link).toString();
        if (to.indexOf(UNREADABLE) < 0) {
            return new String(to.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        }
        throw new PreservationFailed("the target of link '" + link + "' is not UTF-8");
    }

    /** Converts the raw target of a link back to a path. */
    static Path link(String raw, Path link) {
        var text = new String(raw.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
        return link.getFileSystem().getPath(text);
    }

    /** Resolves a raw path below a directory. */
    public static Path below(Path directory, String raw) {
        var uri = new StringBuilder(directory.toUri().toString());
        if (uri.charAt(uri.length() - 1) != '/') uri.append('/');
        for (byte b : raw.getBytes(StandardCharsets.ISO_8859_1)) {
            boolean plain = b == '/' || b == '.' || b == '-' || b == '_' || isLetter(b);
            if (plain) uri.append((char) b);
            else uri.append("%%%02X".formatted(b));
        }
        return Path.of(URI.create(uri.toString()));
    }

    private static boolean isLetter(byte b) {
        return (b >= '0' && b <= '9') || (b >= 'A' && b <= 'Z') || (b >= 'a' && b <= 'z');
    }

    /** Returns a raw name as text for display, with control characters as question marks. */
    public static String shown(String raw) {
        return new String(raw.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8)
                .replaceAll("\\p{Cntrl}", "?");
    }
}
