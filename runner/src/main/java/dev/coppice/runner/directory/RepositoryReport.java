package dev.coppice.runner.directory;

import dev.coppice.runner.raw.PreservationFailed;
import dev.coppice.wire.Reason;

import org.jspecify.annotations.Nullable;

import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;

/**
 * Information from git about a repository in an archived directory, shown to the user. If git
 * cannot read it, a note says so; the archive is the same.
 */
record RepositoryReport(
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
    static final RepositoryReport NOTHING =
            new RepositoryReport(null, 0, 0, 0, 0, 0, null, null, List.of(), List.of());

    static RepositoryReport of(Path directory) {
        try {
            var repository = Repository.at(directory);
            if (repository.isEmpty()) return bare(directory);
            var tree = WorkTree.of(repository.get());
            var changes = tree.changes;
            return new RepositoryReport(
                    directory,
                    changes.count(),
                    changes.untracked().size(),
                    tree.stashes.size(),
                    unpushed(tree.git),
                    changes.ignored().size(),
                    changes.isUnborn() ? null : changes.commit(),
                    changes.branch().equals(WorkTreeStatus.DETACHED) ? null : changes.branch(),
                    tree.busy(),
                    tree.notes());
        } catch (PreservationFailed | UncheckedIOException e) {
            return unreadable(directory, Reason.of(e));
        }
    }

    private static RepositoryReport bare(Path directory) {
        return Repository.bare(directory)
                .map(r ->
                        new RepositoryReport(
                                directory,
                                0,
                                0,
                                0,
                                unpushed(Git.of(r)),
                                0,
                                null,
                                null,
                                List.of(),
                                List.of("bare repository: " + directory)))
                .orElseGet(() -> unreadable(directory, "its .git is invalid or belongs elsewhere"));
    }

    /** Reports the failure as a critical operation: only git can identify the work. */
    static RepositoryReport broken(Path directory, String why) {
        var busy = "git cannot read '%s': %s".formatted(directory, why);
        return new RepositoryReport(
                directory, 0, 0, 0, 0, 0, null, null, List.of(busy), List.of(busy));
    }

    private static RepositoryReport unreadable(Path directory, String why) {
        var note = "git cannot read '%s', which is archived as it is: %s".formatted(directory, why);
        return new RepositoryReport(directory, 0, 0, 0, 0, 0, null, null, List.of(), List.of(note));
    }

    /** Counts commits of branches, tags and HEAD that no remote-tracking branch has. */
    private static long unpushed(Git git) {
        var count =
                git.tryText(
                        "rev-list",
                        "--count",
                        "--exclude=refs/coppice/*",
                        "--all",
                        "--not",
                        "--remotes");
        return count == null ? 0 : Long.parseLong(count);
    }
}
