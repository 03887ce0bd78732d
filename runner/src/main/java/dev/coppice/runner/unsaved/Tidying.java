package dev.coppice.runner.unsaved;

import dev.coppice.runner.Workplace;
import dev.coppice.runner.raw.Handles;
import dev.coppice.runner.raw.Mounts;
import dev.coppice.runner.raw.NotKept;
import dev.coppice.wire.fleet.ErrandOrder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.Map;

/**
 * Takes away directories and output that Coppice has made, each by itself: one that cannot go now
 * keeps no other. Nothing is reached through a link, and nobody's word is taken for whose it is.
 */
final class Tidying {
    private static final String LINKED = "gitdir: ";
    private final ErrandOrder order;
    private final Map<Path, String> kept;

    /** The fingerprint of each directory whose work was kept, or confirmed to be thrown away. */
    Tidying(ErrandOrder order, Map<Path, String> kept) {
        this.order = order;
        this.kept = Map.copyOf(kept);
    }

    void takeAway() {
        var failures = new ArrayList<String>();
        for (var place : order.places()) {
            try {
                if (place.made()) takeAway(place);
                for (var run : order.runs()) takeOutput(Path.of(place.outputs()), run);
            } catch (NotKept | IOException | UncheckedIOException e) {
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
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new NotKept(path + " is no directory any more, and stays");
        }
        var real = path.toRealPath();
        var whole = Whole.at(real);
        heldFromOutside(whole, real);
        for (var tree : whole.repositories) {
            var repository = Repository.at(tree);
            if (repository.isEmpty() || !repository.get().isLinked()) continue;
            var own = repository.get().gitDirectory();
            if (!own.startsWith(real)) heldFromOutside(Whole.at(own), real);
        }
        Mounts.none(path);
        Files.move(path, going(path), StandardCopyOption.ATOMIC_MOVE);
        // Nobody finds it by its name any more; what was written until then counts.
        var known = kept.get(real);
        if (known != null && !known.equals(Whole.at(going(path)).fingerprint())) {
            Files.move(going(path), path, StandardCopyOption.ATOMIC_MOVE);
            throw new NotKept(path + " has changed since it was kept, and stays");
        }
        takeRest(path);
    }

    /** Others may work elsewhere in a work tree of a repository that lies in here. */
    private static void heldFromOutside(Whole whole, Path directory) throws IOException {
        for (var list : whole.lists) {
            try (var each = Files.newDirectoryStream(list)) {
                for (var listed : each) {
                    var said = Repository.line(listed.resolve("gitdir"));
                    if (said.isEmpty()) continue;
                    var git = listed.resolve(said).normalize();
                    if (!Files.exists(git) || isIn(git, directory)) continue;
                    throw new Git.Failed(
                            "%s is the repository of %s, and stays"
                                    .formatted(list.getParent(), git.getParent()));
                }
            }
        }
    }

    private static boolean isIn(Path path, Path directory) throws IOException {
        return path.toRealPath().startsWith(directory);
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
        for (var tree : Whole.at(going).repositories) {
            var name = going.relativize(tree);
            unlist(tree, path.resolve(name));
            if (!real.equals(path)) unlist(tree, real.resolve(name));
        }
        Handles.delete(going);
    }

    /** A repository that stays loses this work tree from its list, and no other that is away. */
    private static void unlist(Path tree, Path was) throws IOException {
        var link = Repository.line(tree.resolve(".git"));
        if (!link.startsWith(LINKED)) return;
        var listed = was.resolve(link.substring(LINKED.length())).normalize();
        var all = listed.getParent();
        if (all == null || !all.endsWith("worktrees")) return;
        var back = listed.resolve(Repository.line(listed.resolve("gitdir"))).normalize();
        if (!back.equals(was.resolve(".git")) || !isGits(listed)) return;
        Handles.delete(listed);
        try {
            Files.delete(all);
        } catch (DirectoryNotEmptyException | NoSuchFileException _) {
            // Others are on it.
        }
    }

    /** As git has made it, and as it was archived: anyone can write a file that points anywhere. */
    private static boolean isGits(Path listed) {
        var common = listed.resolve(Repository.line(listed.resolve("commondir"))).normalize();
        var repository = listed.resolve("../..").normalize();
        return Files.exists(listed.resolve("HEAD"))
                && common.equals(repository)
                && Repository.bare(repository).isPresent();
    }

    private static void takeOutput(Path outputs, String run) throws IOException {
        if (!Workplace.isOurs(outputs.getParent())) return;
        Handles.delete(outputs.resolve(Workplace.safe(run)));
    }
}
