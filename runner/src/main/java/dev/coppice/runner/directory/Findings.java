package dev.coppice.runner.directory;

import dev.coppice.runner.raw.RawName;
import dev.coppice.wire.fleet.DirectoryTaskOrder;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds each work tree and directory of an order once, even if sessions share it. */
final class Findings {
    private final Map<Path, Finding> raw = new LinkedHashMap<>();
    private final Map<Path, Finding> found = new LinkedHashMap<>();
    private final boolean everything;

    private Findings(boolean everything) {
        this.everything = everything;
    }

    static List<Finding> of(DirectoryTaskOrder order) {
        var findings = new Findings(order.directories().equals("all"));
        // Created directories first: each belongs to the session it was created for.
        var places = order.places().stream().sorted(Comparator.comparing(p -> !p.made())).toList();
        for (var place : places) {
            var directory = Path.of(place.directory());
            if (!Files.isDirectory(directory)) continue;
            // A link in its place is not what was created; the path above it may have moved.
            if (place.made() && Files.isSymbolicLink(directory)) continue;
            var real = real(directory);
            if (place.made()) findings.made(real, place);
            else findings.own(real, place);
        }
        // Reported in the order of the request.
        var asked = order.places().stream().map(DirectoryTaskOrder.Place::sessionId).toList();
        return java.util.stream.Stream.concat(
                        findings.raw.values().stream(), findings.found.values().stream())
                .sorted(Comparator.comparingInt(f -> asked.indexOf(f.owners().session)))
                .toList();
    }

    private static Path real(Path directory) {
        try {
            return directory.toRealPath();
        } catch (IOException e) {
            throw new UncheckedIOException("cannot resolve '" + directory + "'", e);
        }
    }

    /**
     * Adds a directory that will be deleted, and therefore archived whole. Work trees in it with a
     * repository elsewhere are added as well: their commits are not in the directory.
     */
    private void made(Path directory, DirectoryTaskOrder.Place place) {
        var before = raw.get(directory);
        if (before != null) {
            before.owners().add(place);
            return;
        }
        var whole = DirectoryContents.at(directory);
        var told = new ArrayList<>(whole.repositories.stream().map(RepositoryReport::of).toList());
        var elsewhere =
                whole.repositories.stream()
                        .flatMap(top -> Repository.at(top).stream())
                        .filter(r -> !r.common().startsWith(directory))
                        .toList();
        var trees = new ArrayList<WorkTree>();
        for (var repository : elsewhere) {
            try {
                trees.add(WorkTree.of(repository));
            } catch (GitFailed e) {
                var why = String.valueOf(e.getMessage());
                told.add(RepositoryReport.broken(repository.top(), why));
            }
        }
        raw.put(directory, new Finding.Raw(new Finding.Owners(place), whole, told));
        trees.forEach(tree -> git(tree, place));
        elsewhere.stream().filter(Repository::isLinked).forEach(r -> own(r, place));
    }

    /** Adds a work tree's own part of its repository, which is deleted with it. */
    private void own(Repository repository, DirectoryTaskOrder.Place place) {
        var own = repository.gitDirectory();
        raw.put(
                own,
                new Finding.Raw(new Finding.Owners(place), DirectoryContents.at(own), List.of()));
    }

    private void own(Path directory, DirectoryTaskOrder.Place place) {
        var before = raw.containsKey(directory) ? raw.get(directory) : found.get(directory);
        if (before != null) {
            before.owners().add(place);
            return;
        }
        // A directory that will be deleted is archived with everything below it.
        if (raw.keySet().stream().anyMatch(directory::startsWith)) return;
        @Nullable WorkTree tree;
        try {
            tree = WorkTree.around(directory);
        } catch (GitFailed e) {
            unreadable(directory, String.valueOf(e.getMessage()), place);
            return;
        }
        if (tree != null) {
            git(tree, place);
        } else if (everything) {
            var whole = DirectoryContents.at(directory);
            found.put(directory, new Finding.Raw(new Finding.Owners(place), whole, List.of()));
            for (var top : whole.repositories) {
                if (!top.equals(directory)) own(top, place);
            }
        } else {
            found.put(directory, new Finding.Left(new Finding.Owners(place), directory));
        }
    }

    /**
     * Adds a repository that git cannot read. It is reported as a critical operation, with git's
     * reason; if that is overridden, it is archived as plain files.
     */
    private void unreadable(Path directory, String why, DirectoryTaskOrder.Place place) {
        var top = Repository.around(directory).map(Repository::top).orElse(directory);
        var before = found.get(top);
        if (before != null) {
            before.owners().add(place);
            return;
        }
        var told = List.of(RepositoryReport.broken(top, why));
        found.put(top, new Finding.Raw(new Finding.Owners(place), DirectoryContents.at(top), told));
    }

    private void git(WorkTree tree, DirectoryTaskOrder.Place place) {
        var before = found.get(tree.top);
        if (before != null) {
            before.owners().add(place);
            return;
        }
        found.put(tree.top, new Finding.InGit(new Finding.Owners(place), tree, tree.fingerprint()));
        for (var inside : tree.changes.repositories()) {
            var path = RawName.below(tree.top, inside);
            if (Files.exists(path.resolve(".git"), LinkOption.NOFOLLOW_LINKS)) own(path, place);
        }
    }
}
