package dev.coppice.runner.directory;

import dev.coppice.client.OwnerOnly;
import dev.coppice.wire.fleet.RunReport;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The directories of agents and of their output. An id is made safe before it becomes a path. */
public final class AgentDirectories {
    private static final String MARK = ".coppice-runner";
    private final Path directory;

    public AgentDirectories(Path directory) {
        this.directory = directory.toAbsolutePath().normalize();
    }

    /** Returns the project directory, or the session's own directory if there is none. */
    public Path of(String sessionId, @Nullable String projectDir) {
        if (projectDir == null) return made(own(sessionId));
        var path = Path.of(projectDir).toAbsolutePath().normalize();
        if (!Files.isDirectory(path)) {
            throw new IllegalArgumentException(
                    "the project directory \"%s\" does not exist on this runner".formatted(path));
        }
        return path;
    }

    /**
     * Returns the session's own work tree of the repository that its project is in, at the same
     * place below its top. The first run makes it, on a branch of the session.
     */
    public Path treeOf(String sessionId, String sessionName, String projectDir) {
        var project = of(sessionId, projectDir);
        var place = Restore.top(project).relativize(project);
        var own = own(sessionId);
        if (!Files.exists(own.resolve(".git"))) Restore.fresh(project, own, sessionName);
        return made(own.resolve(place));
    }

    /**
     * True if a runner created the directory for this session. Checks the path and the marker file
     * instead of trusting the caller.
     */
    public static boolean isMade(Path path, String sessionId) {
        var work = path.toAbsolutePath().normalize().getParent();
        return work != null
                && work.endsWith("work")
                && !Files.isSymbolicLink(work)
                && path.endsWith(safe(sessionId))
                && isOurs(work.getParent());
    }

    /** True if the directory is a runner's own, as its marker file shows. */
    public static boolean isOurs(@Nullable Path directory) {
        return directory != null && Files.isRegularFile(directory.resolve(MARK));
    }

    public void mark() {
        try {
            OwnerOnly.directory(directory);
            Files.writeString(directory.resolve(MARK), "");
        } catch (IOException e) {
            throw new UncheckedIOException("marking " + directory, e);
        }
    }

    /** Returns the directory of the session, which need not exist yet, and that of the output. */
    public RunReport.Workplace describe(String sessionId, @Nullable String projectDir) {
        var path = projectDir == null ? own(sessionId) : Path.of(projectDir);
        return new RunReport.Workplace(
                canonical(path).toString(), projectDir == null, canonical(runs()).toString());
    }

    private Path own(String sessionId) {
        return directory.resolve("work").resolve(safe(sessionId));
    }

    /**
     * Resolves symbolic links, so that a directory has the same path whichever way it is reached.
     */
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

    /** Returns the directory that holds the output of all runs. */
    public Path runs() {
        return directory.resolve("runs");
    }

    /** Returns the directory of the output of a run, which need not exist. */
    public Path outputOf(String runId) {
        return runs().resolve(safe(runId));
    }

    public Path output(String runId) {
        return made(outputOf(runId));
    }

    private static Path made(Path path) {
        try {
            return Files.createDirectories(path);
        } catch (IOException e) {
            throw new UncheckedIOException("creating the directory " + path, e);
        }
    }

    /** Returns a readable file name for any id; different ids have different names. */
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
