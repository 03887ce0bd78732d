package dev.coppice.runner.unsaved;

import dev.coppice.wire.ErrandOrder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Finds every work tree and directory of an order once, also where sessions share one. */
final class Findings {
    private final Map<Path, Finding> found = new LinkedHashMap<>();
    private final boolean everything;

    private Findings(boolean everything) {
        this.everything = everything;
    }

    static List<Finding> of(ErrandOrder order) {
        var findings = new Findings(order.directories().equals("all"));
        for (var place : order.places()) {
            var directory = Path.of(place.directory());
            if (Files.isDirectory(directory)) findings.at(real(directory), place);
        }
        return List.copyOf(findings.found.values());
    }

    private static Path real(Path directory) {
        try {
            return directory.toRealPath();
        } catch (IOException e) {
            throw new UncheckedIOException("looking at " + directory, e);
        }
    }

    private void at(Path directory, ErrandOrder.Place place) {
        var scope = place.made() ? Tree.Scope.ALL_BRANCHES : Tree.Scope.OWN_BRANCH;
        var before = found.get(directory);
        if (before != null) {
            before.owners().add(place);
            return;
        }
        var tree = Tree.at(directory, scope);
        if (tree != null) git(tree, place);
        else plain(directory, place);
    }

    private void git(Tree tree, ErrandOrder.Place place) {
        var before = found.get(tree.top);
        if (before != null) {
            before.owners().add(place);
            return;
        }
        var owners = new Finding.Owners(place);
        found.put(tree.top, new Finding.InGit(owners, tree, tree.fingerprint()));
        for (var inside : tree.changes.repositories()) {
            var path = tree.top.resolve(inside);
            if (Files.exists(path.resolve(".git"))) at(path, place);
        }
    }

    private void plain(Path directory, ErrandOrder.Place place) {
        var files = Directory.at(directory);
        if (files.isCutShort && place.made()) {
            throw new Git.Failed(
                    "%s has more than %d files; tidy it up first"
                            .formatted(directory, Directory.ENTRIES_MAX));
        }
        var owners = new Finding.Owners(place);
        found.put(directory, new Finding.Plain(owners, files, place.made() || everything));
        files.repositories.forEach(inside -> at(inside, place));
    }
}
