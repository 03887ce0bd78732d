package dev.coppice.runner.directory;

import dev.coppice.runner.raw.Handles;
import dev.coppice.runner.raw.Mounts;
import dev.coppice.runner.raw.PreservationFailed;
import dev.coppice.wire.Reason;
import dev.coppice.wire.fleet.DirectoryTaskOrder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryNotEmptyException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * Deletes directories and output that Coppice created, each on its own: a failure does not stop the
 * others. Links are not followed. Marks on disk, not the order, decide what Coppice created.
 */
final class DirectoryDeletion {
    private static final String LINKED = "gitdir: ";
    private final DirectoryTaskOrder order;
    private final Map<Path, String> preserved;

    /**
     * {@code preserved}: fingerprints of directories whose work is preserved or may be discarded.
     */
    DirectoryDeletion(DirectoryTaskOrder order, Map<Path, String> preserved) {
        this.order = order;
        this.preserved = Map.copyOf(preserved);
    }

    /** The fingerprints of directories that are deleted whole. */
    static Map<Path, String> fingerprints(List<Finding> findings) {
        return findings.stream()
                .filter(Finding.Raw.class::isInstance)
                .collect(Collectors.toMap(Finding::directory, Finding::fingerprint));
    }

    void deleteAll() {
        var failures = new ArrayList<String>();
        for (var place : order.places()) {
            try {
                if (place.made()) deleteAll(place);
                if (place.outputs().isEmpty()) continue;
                for (var run : order.runs()) takeOutput(Path.of(place.outputs()), run);
            } catch (PreservationFailed | IOException | UncheckedIOException e) {
                failures.add(Reason.of(e));
            }
        }
        if (failures.isEmpty()) return;
        var more = failures.size() == 1 ? "" : ", and %d more".formatted(failures.size() - 1);
        throw new GitFailed(failures.getFirst() + more);
    }

    private void deleteAll(DirectoryTaskOrder.Place place) throws IOException {
        var path = Path.of(place.directory());
        boolean made = AgentDirectories.isMade(path, place.sessionId());
        if (made) takeRest(path);
        if (!Files.exists(path, LinkOption.NOFOLLOW_LINKS)) return;
        if (!made) throw new GitFailed("cannot delete '" + path + "': not created by Coppice");
        if (Files.isSymbolicLink(path)) {
            Files.delete(path);
            return;
        }
        if (!Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS)) {
            throw new PreservationFailed("cannot delete '" + path + "': no longer a directory");
        }
        var real = path.toRealPath();
        var whole = DirectoryContents.at(real);
        heldFromOutside(whole, real);
        var elsewhere = elsewhere(whole, real);
        for (var own : elsewhere) heldFromOutside(DirectoryContents.at(own), real);
        Mounts.none(path);
        Files.move(path, going(path), StandardCopyOption.ATOMIC_MOVE);
        // Agents cannot find it under its new name. Compare what they wrote before.
        boolean same = isPreserved(real, going(path));
        for (var own : elsewhere) same &= isPreserved(own, own);
        if (!same) {
            Files.move(going(path), path, StandardCopyOption.ATOMIC_MOVE);
            throw new PreservationFailed(
                    "cannot delete '" + path + "': changed after it was preserved");
        }
        takeRest(path);
    }

    /** The git directories of linked work trees whose repository is outside of the directory. */
    private static List<Path> elsewhere(DirectoryContents whole, Path directory) {
        return whole.repositories.stream()
                .flatMap(tree -> Repository.at(tree).stream())
                .filter(Repository::isLinked)
                .map(Repository::gitDirectory)
                .filter(own -> !own.startsWith(directory))
                .toList();
    }

    private boolean isPreserved(Path directory, Path now) {
        return DirectoryContents.at(now).fingerprint().equals(preserved.get(directory));
    }

    /** Throws if a repository in the directory has a linked work tree outside of it. */
    private static void heldFromOutside(DirectoryContents whole, Path directory)
            throws IOException {
        for (var list : whole.lists) {
            try (var each = Files.newDirectoryStream(list)) {
                for (var listed : each) {
                    var pointer = Repository.line(listed.resolve("gitdir"));
                    if (pointer.isEmpty()) continue;
                    var git = listed.resolve(pointer).normalize();
                    if (!Files.exists(git) || isIn(git, directory)) continue;
                    throw new GitFailed(
                            "cannot delete '%s': it is the repository of '%s'"
                                    .formatted(list.getParent(), git.getParent()));
                }
            }
        }
    }

    private static boolean isIn(Path path, Path directory) throws IOException {
        return path.toRealPath().startsWith(directory);
    }

    /** The name during deletion, so that a half-deleted directory is not taken for work. */
    private static Path going(Path path) {
        return path.resolveSibling(".going-" + path.getFileName());
    }

    private static void takeRest(Path path) throws IOException {
        var going = going(path);
        if (!Files.exists(going, LinkOption.NOFOLLOW_LINKS)) return;
        Mounts.none(going);
        var real = going.toRealPath().resolveSibling(path.getFileName());
        for (var tree : DirectoryContents.at(going).repositories) {
            var name = going.relativize(tree);
            unlist(tree, path.resolve(name));
            if (!real.equals(path)) unlist(tree, real.resolve(name));
        }
        Handles.delete(going);
    }

    /** Removes this work tree from its repository's list. Others there may only be unmounted. */
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
            // Other work trees are on the list.
        }
    }

    /** True if git created the directory. The pointer proves nothing: any program can write one. */
    private static boolean isGits(Path listed) {
        var common = listed.resolve(Repository.line(listed.resolve("commondir"))).normalize();
        var repository = listed.resolve("../..").normalize();
        return Files.exists(listed.resolve("HEAD"))
                && common.equals(repository)
                && Repository.bare(repository).isPresent();
    }

    private static void takeOutput(Path outputs, String run) throws IOException {
        if (!AgentDirectories.isOurs(outputs.getParent())) return;
        Handles.delete(outputs.resolve(AgentDirectories.safe(run)));
    }
}
