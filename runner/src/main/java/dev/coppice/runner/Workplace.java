package dev.coppice.runner;

import dev.coppice.client.OwnerOnly;
import dev.coppice.wire.fleet.ReportRequest;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** Where agents work and where their output is kept. An id never becomes a path as it is. */
public final class Workplace {
    private static final String MARK = ".coppice-runner";
    private final Path directory;

    Workplace(Path directory) {
        this.directory = directory.toAbsolutePath().normalize();
    }

    /** The session's own directory, when it was given none. */
    Path of(String sessionId, @Nullable String projectDir) {
        if (projectDir == null) return made(own(sessionId));
        var path = Path.of(projectDir).toAbsolutePath().normalize();
        if (!Files.isDirectory(path)) {
            throw new IllegalArgumentException(
                    "the project directory %s does not exist on this runner".formatted(path));
        }
        return path;
    }

    /** Whether a runner made it for this session; nobody's word is taken for that. */
    public static boolean isMade(Path path, String sessionId) {
        var work = path.toAbsolutePath().normalize().getParent();
        return work != null
                && work.endsWith("work")
                && !Files.isSymbolicLink(work)
                && path.endsWith(safe(sessionId))
                && isOurs(work.getParent());
    }

    /** Whether it is a directory that a runner uses for itself. */
    public static boolean isOurs(@Nullable Path directory) {
        return directory != null && Files.isRegularFile(directory.resolve(MARK));
    }

    void mark() {
        try {
            OwnerOnly.directory(directory);
            Files.writeString(directory.resolve(MARK), "");
        } catch (IOException e) {
            throw new UncheckedIOException("marking " + directory, e);
        }
    }

    /** Where the session works, made or not; and where the output of its runs lies. */
    ReportRequest.Workplace told(String sessionId, @Nullable String projectDir) {
        var path = projectDir == null ? own(sessionId) : Path.of(projectDir);
        return new ReportRequest.Workplace(
                canonical(path).toString(), projectDir == null, canonical(runs()).toString());
    }

    private Path own(String sessionId) {
        return directory.resolve("work").resolve(safe(sessionId));
    }

    /** The same for all who reach it, whatever links lead there. */
    private static Path canonical(Path path) {
        var plain = path.toAbsolutePath().normalize();
        try {
            if (Files.exists(plain)) return plain.toRealPath();
            var parent = plain.getParent();
            return parent == null ? plain : canonical(parent).resolve(plain.getFileName());
        } catch (IOException _) {
            return plain;
        }
    }

    /** Where the output of all runs is kept. */
    Path runs() {
        return directory.resolve("runs");
    }

    Path output(String runId) {
        return made(directory.resolve("runs").resolve(safe(runId)));
    }

    private static Path made(Path path) {
        try {
            return Files.createDirectories(path);
        } catch (IOException e) {
            throw new UncheckedIOException("making the directory " + path, e);
        }
    }

    /** Readable, and different for different ids, whatever they are made of. */
    public static String safe(String id) {
        var plain = id.replaceAll("[^A-Za-z0-9_-]", "_");
        if (plain.equals(id)) return id;
        try {
            var digest =
                    MessageDigest.getInstance("SHA-256")
                            .digest(id.getBytes(StandardCharsets.UTF_8));
            return plain + "." + HexFormat.of().formatHex(digest, 0, 6);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
