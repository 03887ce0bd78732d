package dev.coppice.runner.unsaved;

import dev.coppice.runner.raw.NotKept;

import org.jspecify.annotations.Nullable;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/**
 * What git says of a repository in a directory that is archived whole, for people who decide. When
 * git cannot read it, that is said, and nothing else changes.
 */
record Told(
        @Nullable Path directory,
        long uncommitted,
        long untracked,
        long stashed,
        long unpushed,
        long ignored,
        @Nullable String commit,
        @Nullable String branch,
        List<String> busy,
        List<String> notes) {
    static final Told NOTHING = new Told(null, 0, 0, 0, 0, 0, null, null, List.of(), List.of());

    static Told of(Path directory) {
        try {
            var repository = Repository.at(directory);
            if (repository.isEmpty()) return bare(directory);
            var tree = Tree.of(repository.get());
            var changes = tree.changes;
            return new Told(
                    directory,
                    changes.count(),
                    changes.untracked().size(),
                    tree.stashes.size(),
                    unpushed(tree.git),
                    changes.ignored().size(),
                    changes.isUnborn() ? null : changes.commit(),
                    changes.branch().equals(Changes.DETACHED) ? null : changes.branch(),
                    tree.busy(),
                    tree.notes());
        } catch (NotKept | UncheckedIOException e) {
            return unreadable(directory, String.valueOf(e.getMessage()));
        }
    }

    private static Told bare(Path directory) {
        return Repository.bare(directory)
                .map(r ->
                        new Told(
                                directory,
                                0,
                                0,
                                0,
                                unpushed(Git.of(r)),
                                0,
                                null,
                                null,
                                List.of(),
                                List.of("a repository without a work tree: " + directory)))
                .orElseGet(() -> unreadable(directory, "its .git is none, or belongs elsewhere"));
    }

    /** The same of a directory whose work only git could have kept apart. */
    static Told broken(Path directory, String why) {
        var busy = "git cannot read %s: %s".formatted(directory, why);
        return new Told(directory, 0, 0, 0, 0, 0, null, null, List.of(busy), List.of(busy));
    }

    private static Told unreadable(Path directory, String why) {
        var note = "git cannot read %s, which is kept as it is: %s".formatted(directory, why);
        return new Told(directory, 0, 0, 0, 0, 0, null, null, List.of(), List.of(note));
    }

    /** On any branch or tag, or where HEAD is. */
    private static long unpushed(Git git) {
        var said =
                git.tryText(
                        "rev-list",
                        "--count",
                        "--exclude=refs/coppice/*",
                        "--all",
                        "--not",
                        "--remotes");
        return said == null ? 0 : Long.parseLong(said);
    }
}
