package dev.coppice.runner.directory;

import dev.coppice.runner.raw.Handles;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * Creates a linked work tree, file by file as in gitrepository-layout(5), because git itself would
 * read the repository's configuration.
 */
final class LinkedTree {
    private static final int NAMES_MAX = 10_000;
    private final Repository repository;
    private final Path place;
    private @Nullable Path listed;

    LinkedTree(Repository repository, Path place) {
        this.repository = repository;
        this.place = place;
    }

    /** Returns its git directory; the caller moves {@code directory} to its place. */
    Path make(String branch, Path directory) throws IOException {
        var all = repository.common().resolve("worktrees");
        if (Files.isSymbolicLink(all)) throw new GitFailed("will not follow link " + all);
        Files.createDirectories(all);
        var own = free(all);
        listed = own;
        Files.writeString(own.resolve("commondir"), "../..\n");
        Files.writeString(own.resolve("gitdir"), place.resolve(".git") + "\n");
        Files.writeString(own.resolve("HEAD"), "ref: refs/heads/" + branch + "\n");
        Files.writeString(directory.resolve(".git"), "gitdir: " + own + "\n");
        return own;
    }

    private Path free(Path all) throws IOException {
        var name = String.valueOf(place.getFileName()).replaceAll("[^A-Za-z0-9_-]", "-");
        for (int i = 0; i < NAMES_MAX; i++) {
            var own = all.resolve(i == 0 ? name : name + i);
            if (Files.exists(own)) continue;
            return Files.createDirectory(own);
        }
        throw new GitFailed("there are %d work trees called '%s'".formatted(NAMES_MAX, name));
    }

    void unmake() throws IOException {
        if (listed != null) Handles.delete(listed);
    }
}
