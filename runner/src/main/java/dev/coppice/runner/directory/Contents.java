package dev.coppice.runner.directory;

import dev.coppice.runner.raw.RawName;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.DigestInputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Reads kinds, sizes and contents of files on disk. */
final class Contents {
    static final String FILE = "100644";
    static final String EXECUTABLE = "100755";
    static final String LINK = "120000";
    static final String NOTHING = "000000";
    private static final String ABSENT = "nothing";
    private static final int BUFFER_BYTES = 64 * 1024;

    private Contents() {}

    /** Returns the mode as git writes it; NOTHING for pipes, sockets and directories. */
    static String mode(Path file) {
        if (Files.isSymbolicLink(file)) return LINK;
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) return NOTHING;
        try {
            return isExecutable(file) ? EXECUTABLE : FILE;
        } catch (NoSuchFileException _) {
            return NOTHING;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot stat '" + file + "'", e);
        }
    }

    /** Returns the mode of a file by its raw path; NOTHING behind a link, as in git. */
    static String mode(Path root, String path) {
        return isBehindLink(root, path) ? NOTHING : mode(RawName.below(root, path));
    }

    static String sha256(Path root, String path) {
        return isBehindLink(root, path) ? ABSENT : sha256(RawName.below(root, path));
    }

    private static boolean isBehindLink(Path root, String path) {
        int slash = path.indexOf('/');
        while (slash > 0) {
            if (Files.isSymbolicLink(RawName.below(root, path.substring(0, slash)))) return true;
            slash = path.indexOf('/', slash + 1);
        }
        return false;
    }

    private static boolean isExecutable(Path file) throws IOException {
        try {
            return Files.getPosixFilePermissions(file, LinkOption.NOFOLLOW_LINKS)
                    .contains(java.nio.file.attribute.PosixFilePermission.OWNER_EXECUTE);
        } catch (UnsupportedOperationException _) {
            return Files.isExecutable(file);
        }
    }

    static long size(Path file) {
        try {
            return mode(file).equals(NOTHING) || Files.isSymbolicLink(file) ? 0 : Files.size(file);
        } catch (NoSuchFileException _) {
            return 0;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot stat '" + file + "'", e);
        }
    }

    /** Returns the target of a link as bytes. */
    static byte[] link(Path file) {
        try {
            return RawName.ofLink(file).getBytes(StandardCharsets.ISO_8859_1);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read '" + file + "'", e);
        }
    }

    static String sha256(Path file) {
        var digest = digest();
        switch (mode(file)) {
            case NOTHING -> {
                return ABSENT;
            }
            case LINK -> digest.update(link(file));
            default -> {
                try (InputStream in = new DigestInputStream(Files.newInputStream(file), digest)) {
                    drain(in);
                } catch (NoSuchFileException _) {
                    return ABSENT;
                } catch (IOException e) {
                    throw new UncheckedIOException("cannot read '" + file + "'", e);
                }
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    private static void drain(InputStream in) throws IOException {
        var buffer = new byte[BUFFER_BYTES];
        int read = in.read(buffer);
        while (read >= 0) read = in.read(buffer);
    }

    static String sha256(String text) {
        var digest = digest();
        digest.update(text.getBytes(StandardCharsets.UTF_8));
        return HexFormat.of().formatHex(digest.digest());
    }

    static MessageDigest digest() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
