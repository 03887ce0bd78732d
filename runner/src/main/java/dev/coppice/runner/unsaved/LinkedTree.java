package dev.coppice.runner.unsaved;

import dev.coppice.runner.raw.Handles;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/**
 * A work tree that is linked to a repository, made file by file as gitrepository-layout(5) says:
 * git would read the repository's configuration to do it.
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

    /** Where git keeps what belongs to it; {@code directory} will be moved to its place. */
    Path make(String branch, Path directory) throws IOException {
        var all = repository.common().resolve("worktrees");
        if (Files.isSymbolicLink(all)) throw new Git.Failed(all + " is a link, and stays");
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
        throw new Git.Failed("there are %d work trees called %s".formatted(NAMES_MAX, name));
    }

    void unmake() throws IOException {
        if (listed != null) Handles.delete(listed);
    }
}
