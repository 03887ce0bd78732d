package dev.coppice.runner.raw;

import java.io.IOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.StringJoiner;

/**
 * Raw file names: the bytes on disk, one character a byte. A Linux name need not be UTF-8, and the
 * JDK reads and writes names in the encoding of the locale. Its text form of a path replaces other
 * bytes, but its URI form has every byte.
 */
public final class RawName {
    private RawName() {}

    /** Returns a name, the last of a path. */
    public static String of(Path name) {
        var text = name.toString();
        if (isAscii(text)) return text;
        var uri = name.toUri().getRawPath();
        // The URI of a directory ends with a slash.
        var plain = uri.endsWith("/") ? uri.substring(0, uri.length() - 1) : uri;
        return decoded(plain.substring(plain.lastIndexOf('/') + 1));
    }

    /** Returns an absolute path. */
    public static String whole(Path path) {
        var raw = new StringBuilder();
        for (var name : path) raw.append('/').append(of(name));
        return raw.toString();
    }

    /** Returns the path of a file below a directory; empty for the directory itself. */
    public static String from(Path directory, Path file) {
        var raw = new StringJoiner("/");
        for (var name : directory.relativize(file)) raw.add(of(name));
        return raw.toString();
    }

    /** Returns the bytes of an absolute path. */
    static byte[] bytes(Path path) {
        return whole(path).getBytes(StandardCharsets.ISO_8859_1);
    }

    /** Every encoding of a locale writes these characters as the same bytes. */
    private static boolean isAscii(String text) {
        for (int i = 0; i < text.length(); i++) if (text.charAt(i) >= 0x80) return false;
        return true;
    }

    /** Returns the bytes that a path in a URI stands for. */
    private static String decoded(String uri) {
        var raw = new StringBuilder();
        for (int i = 0; i < uri.length(); i++) {
            char c = uri.charAt(i);
            if (c == '%') {
                raw.append((char) Integer.parseInt(uri.substring(i + 1, i + 3), 16));
                i += 2;
            } else {
                raw.append(c);
            }
        }
        return raw.toString();
    }

    /** Returns the target of a link. */
    public static String ofLink(Path link) throws IOException {
        var to = Files.readSymbolicLink(link);
        var text = to.toString();
        if (isAscii(text)) return text;
        // Below the root, because the URI of a relative path begins with the working directory.
        var uri = to.getFileSystem().getPath("/").resolve(to).toUri().getRawPath();
        boolean isSlashAdded = uri.endsWith("/") && !text.endsWith("/");
        var raw = decoded(isSlashAdded ? uri.substring(0, uri.length() - 1) : uri);
        return to.isAbsolute() ? raw : raw.substring(1);
    }

    /** Converts the target of a link back to a path, which may be relative. */
    public static Path link(String raw) {
        if (isAscii(raw)) return Path.of(raw);
        var path = below(Path.of("/"), raw);
        return raw.startsWith("/") ? path : path.subpath(0, path.getNameCount());
    }

    /** Resolves a raw path below a directory. */
    public static Path below(Path directory, String raw) {
        if (isAscii(raw) && !raw.startsWith("/")) return directory.resolve(raw);
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
