package dev.coppice.runner.unsaved;

import dev.coppice.runner.Workplace;
import dev.coppice.wire.ErrandOrder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Takes away directories and output that Coppice has made, each by itself: one that cannot go now
 * keeps no other. Nothing is reached through a link, and nobody's word is taken for whose it is.
 */
final class Tidying {
    private final ErrandOrder order;

    Tidying(ErrandOrder order) {
        this.order = order;
    }

    void takeAway() {
        var failures = new ArrayList<String>();
        for (var place : order.places()) {
            try {
                if (place.made()) takeAway(place);
                for (var run : order.runs()) takeOutput(Path.of(place.outputs()), run);
            } catch (Git.Failed | IOException | UncheckedIOException e) {
                failures.add(String.valueOf(e.getMessage()));
            }
        }
        if (failures.isEmpty()) return;
        var more = failures.size() == 1 ? "" : ", and %d more".formatted(failures.size() - 1);
        throw new Git.Failed(failures.getFirst() + more);
    }

    private static void takeAway(ErrandOrder.Place place) throws IOException {
        var path = Path.of(place.directory());
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) return;
        if (!Workplace.isMade(path, place.sessionId())) {
            throw new Git.Failed(path + " was not made by Coppice, and stays");
        }
        if (Files.isSymbolicLink(path)) {
            Files.delete(path);
            return;
        }
        var repositories = Findings.repositories(path);
        for (var repository : repositories) {
            readable(repository);
            heldFromOutside(repository, path);
        }
        var linkedTo = new ArrayList<Path>();
        for (var repository : repositories) linkedTo.addAll(common(repository, path));
        if (!Files.exists(path.resolve(".git"))) keepLarge(path);
        Directory.delete(path);
        // A work tree of a repository that stays is taken off its list.
        for (var repository : linkedTo) Git.in(repository).tryText("worktree", "prune");
    }

    /** What was too large to be kept is not taken away either. */
    private static void keepLarge(Path path) {
        var large = Directory.at(path).tooLarge.stream().filter(f -> !f.equals(".git")).toList();
        if (!large.isEmpty()) {
            throw new Git.Failed(
                    "%s has what could not be kept: %s".formatted(path, large.getFirst()));
        }
    }

    /** What git makes nothing of was kept as files, and what it holds was not. */
    private static void readable(Path repository) {
        if (Tree.at(repository, Tree.Scope.OWN_BRANCH) != null) return;
        if (Files.isDirectory(repository.resolve(".git"))) {
            throw new Git.Failed(repository + " has a .git that git cannot read, and stays");
        }
        keepLarge(repository);
    }

    /** Others may work in a tree of this repository that lies elsewhere. */
    private static void heldFromOutside(Path repository, Path path) {
        if (!Files.isDirectory(repository.resolve(".git"))) return;
        var trees = Git.in(repository).tryText("worktree", "list", "--porcelain");
        if (trees == null) return;
        for (var line : trees.lines().toList()) {
            if (!line.startsWith("worktree ")) continue;
            var tree = Path.of(line.substring(9));
            if (!tree.startsWith(path) && Files.exists(tree)) {
                throw new Git.Failed(
                        "%s is the repository of %s, and stays".formatted(repository, tree));
            }
        }
    }

    private static List<Path> common(Path repository, Path path) {
        if (!Files.isRegularFile(repository.resolve(".git"))) return List.of();
        var git = Git.in(repository);
        var common = git.tryText("rev-parse", "--path-format=absolute", "--git-common-dir");
        return common == null || Path.of(common).startsWith(path)
                ? List.of()
                : List.of(Path.of(common));
    }

    private static void takeOutput(Path outputs, String run) throws IOException {
        if (!Workplace.isOurs(outputs.getParent())) return;
        Directory.delete(outputs.resolve(Workplace.safe(run)));
    }
}
