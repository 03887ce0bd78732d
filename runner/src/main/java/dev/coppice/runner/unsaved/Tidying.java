package dev.coppice.runner.unsaved;

import dev.coppice.runner.Workplace;
import dev.coppice.wire.ErrandOrder;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Takes away directories and output that Coppice has made, each by itself: one that cannot go now
 * keeps no other. Nothing is reached through a link, and nobody's word is taken for whose it is.
 */
final class Tidying {
    private static final String LINKED = "gitdir: ";
    private static final int LINE_BYTES_MAX = 8 * 1024;
    private final ErrandOrder order;
    private final Set<Path> judged;

    /** Those who decided to throw work away have seen all there is in some directories. */
    Tidying(ErrandOrder order, Set<Path> judged) {
        this.order = order;
        this.judged = Set.copyOf(judged);
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

    private void takeAway(ErrandOrder.Place place) throws IOException {
        var path = Path.of(place.directory());
        boolean made = Workplace.isMade(path, place.sessionId());
        if (made) takeRest(path);
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) return;
        if (!made) throw new Git.Failed(path + " was not made by Coppice, and stays");
        if (Files.isSymbolicLink(path)) {
            Files.delete(path);
            return;
        }
        var real = path.toRealPath();
        var repositories = Findings.repositories(real);
        var going = going(real, repositories);
        for (var repository : repositories) {
            readable(repository);
            heldFromOutside(Git.in(repository), repository, going);
            var directory = gitDirectory(repository);
            if (directory != null) {
                Findings.withoutGit(Git.in(repository)).forEach(Tidying::keepLarge);
            }
            if (directory != null && isIn(directory, going)) {
                heldByUnkept(repository, directory, going);
            }
        }
        // Their files are kept one by one, with those of submodules.
        for (var bare : Findings.bareRepositories(real)) {
            if (Modules.git(bare).tryText("rev-parse", "--git-common-dir") == null) {
                throw new Git.Failed(bare + " is a repository that git cannot read, and stays");
            }
            heldFromOutside(Modules.git(bare), bare, going);
        }
        if (!Files.exists(path.resolve(".git"))) keepLarge(path);
        Mounts.none(path);
        Files.move(path, going(path), StandardCopyOption.ATOMIC_MOVE);
        takeRest(path);
    }

    /** What goes: the directory, and what others' repositories have of the work trees in it. */
    private static List<Path> going(Path path, List<Path> repositories) {
        var linked =
                repositories.stream()
                        .map(Tidying::gitDirectory)
                        .filter(Objects::nonNull)
                        .filter(directory -> directory.resolveSibling("").endsWith("worktrees"));
        return Stream.concat(Stream.of(path), linked).toList();
    }

    private static @Nullable Path gitDirectory(Path repository) {
        var git = Git.in(repository);
        return git.isTop() ? Path.of(git.text("rev-parse", "--absolute-git-dir")) : null;
    }

    /** What is half gone is nobody's work any more, and is not to be taken for it. */
    private static Path going(Path path) {
        return path.resolveSibling(".going-" + path.getFileName());
    }

    private static void takeRest(Path path) throws IOException {
        var going = going(path);
        if (!Files.exists(going, LinkOption.NOFOLLOW_LINKS)) return;
        Mounts.none(going);
        var real = going.toRealPath().resolveSibling(path.getFileName());
        for (var tree : Findings.repositories(going)) {
            var name = going.relativize(tree);
            unlist(tree, path.resolve(name));
            if (!real.equals(path)) unlist(tree, real.resolve(name));
        }
        Directory.delete(going);
    }

    /** A repository that stays loses this work tree from its list, and no other that is away. */
    private static void unlist(Path tree, Path was) throws IOException {
        var link = line(tree.resolve(".git"));
        if (!link.startsWith(LINKED)) return;
        var listed = was.resolve(link.substring(LINKED.length())).normalize();
        var all = listed.getParent();
        if (all == null || !all.endsWith("worktrees")) return;
        var back = listed.resolve(line(listed.resolve("gitdir"))).normalize();
        if (!back.equals(was.resolve(".git"))) return;
        Directory.delete(listed);
        try {
            Files.delete(all);
        } catch (DirectoryNotEmptyException _) {
            // Others are on it.
        }
    }

    private static String line(Path file) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) return "";
        try (var in = Files.newInputStream(file)) {
            return new String(in.readNBytes(LINE_BYTES_MAX), StandardCharsets.UTF_8).strip();
        }
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
        boolean isTop = Git.in(repository).isTop();
        if (isTop && Tree.at(repository, Tree.Scope.OWN_BRANCH) != null) return;
        var git = repository.resolve(".git");
        // An empty one marks where a project begins, for some.
        if (Files.isDirectory(git) && Directory.at(git).hasFiles()) {
            throw new Git.Failed(repository + " has a .git that git cannot read, and stays");
        }
        keepLarge(repository);
    }

    /** What goes with a repository, and is in no bundle of it. */
    private void heldByUnkept(Path repository, Path directory, List<Path> going)
            throws IOException {
        for (var module : Modules.of(directory)) {
            heldFromOutside(Modules.git(module), module, going);
        }
        if (judged.contains(repository)) return;
        var unkept = Tree.unkept(Git.in(repository), directory);
        if (!unkept.isEmpty()) throw new Git.Failed(unkept.getFirst() + ", and stays");
    }

    /** Others may work in a tree of this repository that lies elsewhere. */
    private static void heldFromOutside(Git git, Path repository, List<Path> going)
            throws IOException {
        var common = git.tryText("rev-parse", "--path-format=absolute", "--git-common-dir");
        if (common == null || !isIn(Path.of(common), going)) return;
        var trees = git.text("worktree", "list", "--porcelain");
        for (var line : trees.lines().toList()) {
            if (!line.startsWith("worktree ")) continue;
            var tree = Path.of(line.substring(9));
            if (Files.exists(tree) && !isIn(tree.toRealPath(), going)) {
                throw new Git.Failed(
                        "%s is the repository of %s, and stays".formatted(repository, tree));
            }
        }
    }

    private static boolean isIn(Path path, List<Path> some) {
        return some.stream().anyMatch(path::startsWith);
    }

    private static void takeOutput(Path outputs, String run) throws IOException {
        if (!Workplace.isOurs(outputs.getParent())) return;
        Directory.delete(outputs.resolve(Workplace.safe(run)));
    }
}
