package dev.coppice.runner.directory;

import dev.coppice.runner.raw.PreservationFailed;
import dev.coppice.runner.raw.Scratch;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * A temporary git directory in front of a user's repository. Configuration and hooks are Coppice's;
 * refs, logs and objects are the repository's, reached through links; the index, attributes and
 * excludes are copies. So any git command works, and nothing written in the repository can make git
 * run a program.
 */
final class GitView {
    private static final List<String> OWN_REFS = List.of("bisect", "worktree", "rewritten");
    private static final String RAW = "* !filter -text -ident !eol !working-tree-encoding\n";
    private final Repository repository;
    private final Path directory;

    private GitView(Repository repository, Path directory) {
        this.repository = repository;
        this.directory = directory;
    }

    /** The conversion that git applies to contents: as attributes say, or none. */
    enum Contents {
        AS_ATTRIBUTES_SAY,
        RAW
    }

    /** Creates a view; returns the environment with which git uses it. */
    static Map<String, String> of(Repository repository, Contents contents) {
        var view = new GitView(repository, Scratch.directory("git"));
        try {
            view.make(contents);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read '" + repository.top() + "'", e);
        }
        var environment = new HashMap<String, String>();
        environment.put("GIT_DIR", view.directory.toString());
        environment.put("GIT_WORK_TREE", repository.top().toString());
        environment.put("GIT_OBJECT_DIRECTORY", view.directory.resolve("objects").toString());
        environment.put("GIT_ALTERNATE_OBJECT_DIRECTORIES", quoted(view.objects().toString()));
        return Map.copyOf(environment);
    }

    private static String quoted(String path) {
        return '"' + path.replace("\\", "\\\\").replace("\"", "\\\"").replace("\n", "\\n") + '"';
    }

    private Path objects() {
        return repository.common().resolve("objects");
    }

    private void make(Contents contents) throws IOException {
        Files.createDirectories(directory.resolve("objects/info"));
        Files.createDirectories(directory.resolve("info"));
        Files.writeString(directory.resolve("config"), repository.config().ours());
        Files.writeString(directory.resolve("HEAD"), head());
        for (var name : List.of("exclude", "attributes"))
            copy(common("info", name), "info/" + name);
        copy(own("info", "sparse-checkout"), "info/sparse-checkout");
        if (contents == Contents.RAW) Files.writeString(directory.resolve("info/attributes"), RAW);
        copy(repository.common().resolve("shallow"), "shallow");
        copy(own("index"), "index");
        for (var part : List.of("packed-refs", "refs", "logs")) {
            readable(common(part));
            if (repository.isLinked()) readable(own(part));
        }
        link(directory.resolve("packed-refs"), repository.common().resolve("packed-refs"));
        link(directory.resolve("reftable"), repository.common().resolve("reftable"));
        shared();
        if (repository.isLinked()) parts();
        else whole();
    }

    private Path common(String... names) {
        return repository.common().resolve(String.join("/", names));
    }

    private Path own(String... names) {
        return repository.gitDirectory().resolve(String.join("/", names));
    }

    private String head() throws IOException {
        var head = own("HEAD");
        return Files.isSymbolicLink(head)
                ? "ref: " + Files.readSymbolicLink(head) + "\n"
                : Repository.line(head) + "\n";
    }

    /** Copies a regular file with its times, by which git skips unchanged files. */
    private void copy(Path from, String name) throws IOException {
        if (!Files.isRegularFile(from, LinkOption.NOFOLLOW_LINKS)) return;
        try {
            Files.copy(
                    from,
                    directory.resolve(name),
                    StandardCopyOption.COPY_ATTRIBUTES,
                    StandardCopyOption.REPLACE_EXISTING);
        } catch (NoSuchFileException _) {
            // Deleted meanwhile.
        }
    }

    /** Throws if there is a pipe or another special file: git would block on it. */
    private static void readable(Path top) throws IOException {
        if (!Files.exists(top, LinkOption.NOFOLLOW_LINKS)) return;
        Files.walkFileTree(
                top,
                new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                        // Both checks follow links: a link may lead to a pipe.
                        boolean isOther = Files.exists(file) && !Files.isRegularFile(file);
                        if (isOther && !Files.isDirectory(file)) {
                            throw new GitFailed(file + " is neither a file nor a directory");
                        }
                        return FileVisitResult.CONTINUE;
                    }
                });
    }

    private static void link(Path from, Path to) throws IOException {
        if (Files.exists(to, LinkOption.NOFOLLOW_LINKS)) Files.createSymbolicLink(from, to);
    }

    /** Copies the shared part of a split index. */
    private void shared() throws IOException {
        try (var all = Files.newDirectoryStream(repository.gitDirectory(), "sharedindex.*")) {
            for (var one : all) copy(one, String.valueOf(one.getFileName()));
        }
    }

    private void whole() throws IOException {
        Files.createSymbolicLink(directory.resolve("refs"), common("refs"));
        link(directory.resolve("logs"), common("logs"));
    }

    /** Links refs and logs of a linked work tree: some are its own, the others are shared. */
    private void parts() throws IOException {
        var refs = Files.createDirectories(directory.resolve("refs"));
        try (var all = Files.newDirectoryStream(common("refs"))) {
            for (var one : all) {
                var name = String.valueOf(one.getFileName());
                if (!OWN_REFS.contains(name)) link(refs.resolve(name), one);
            }
        }
        for (var name : OWN_REFS) link(refs.resolve(name), own("refs", name));
        var logs = Files.createDirectories(directory.resolve("logs"));
        link(logs.resolve("HEAD"), own("logs", "HEAD"));
        link(logs.resolve("refs"), common("logs", "refs"));
    }

    /** Copies objects one by one; one that exists already has the same contents. */
    static void publish(Path stored, Path objects) {
        try (var parts = Files.newDirectoryStream(stored, "[0-9a-f][0-9a-f]")) {
            for (var part : parts) {
                var to = objects.resolve(part.getFileName());
                if (Files.isSymbolicLink(to))
                    throw new PreservationFailed("will not follow link " + to);
                Files.createDirectories(to);
                try (var all = Files.newDirectoryStream(part)) {
                    for (var one : all) publishOne(one, to);
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot store objects in '" + objects + "'", e);
        }
    }

    private static void publishOne(Path object, Path to) throws IOException {
        var there = to.resolve(object.getFileName());
        if (Files.exists(there, LinkOption.NOFOLLOW_LINKS)) return;
        var begun = Files.createTempFile(to, "tmp_coppice", "");
        try {
            Files.copy(
                    object,
                    begun,
                    StandardCopyOption.REPLACE_EXISTING,
                    StandardCopyOption.COPY_ATTRIBUTES);
            Files.move(begun, there, StandardCopyOption.ATOMIC_MOVE);
        } finally {
            Files.deleteIfExists(begun);
        }
    }

    /**
     * Returns the environment for writing. Objects go to the repository itself, because Coppice's
     * refs there need them. Throws rather than write through a link.
     */
    static Map<String, String> writing(Map<String, String> view, Repository repository) {
        var ours = repository.common().resolve("refs/coppice");
        for (var part : List.of(ours, ours.resolve("preserved"))) {
            if (Files.isSymbolicLink(part)) throw new GitFailed("will not follow link " + part);
        }
        var seen = Path.of(String.valueOf(view.get("GIT_DIR"))).resolve("refs/coppice");
        try {
            Files.createDirectories(ours);
            if (!Files.exists(seen)) Files.createSymbolicLink(seen, ours);
            var logs = Files.createDirectories(repository.common().resolve("logs"));
            var seenLogs = Path.of(String.valueOf(view.get("GIT_DIR"))).resolve("logs");
            if (!Files.exists(seenLogs)) Files.createSymbolicLink(seenLogs, logs);
        } catch (IOException e) {
            throw new UncheckedIOException("cannot write to '" + ours + "'", e);
        }
        var environment = new HashMap<>(view);
        environment.put("GIT_OBJECT_DIRECTORY", repository.common().resolve("objects").toString());
        environment.remove("GIT_ALTERNATE_OBJECT_DIRECTORIES");
        return Map.copyOf(environment);
    }
}
