package dev.coppice.runner.unsaved;

import dev.coppice.wire.ErrandOrder;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** Finds every work tree and directory of an order once, also where sessions share one. */
final class Findings {
    private final Map<Path, Finding> found = new LinkedHashMap<>();
    private static final int DIRECTORIES_MAX = 500_000;
    private static final List<String> OBJECTS = List.of("objects", "lfs", "annex");
    private final boolean everything;

    private Findings(boolean everything) {
        this.everything = everything;
    }

    static List<Finding> of(ErrandOrder order) {
        var findings = new Findings(order.directories().equals("all"));
        // A directory goes with whoever it was made for, however it was come by.
        var places = order.places().stream().sorted(Comparator.comparing(p -> !p.made())).toList();
        for (var place : places) {
            var directory = Path.of(place.directory());
            if (!Files.isDirectory(directory)) continue;
            // What is a link now is not what was made; what leads to it may have moved.
            if (place.made() && Files.isSymbolicLink(directory)) continue;
            var real = real(directory);
            findings.at(real, place);
            if (place.made()) repositories(real).forEach(r -> findings.at(r, place));
        }
        // Told in the order in which they were asked for.
        var asked = order.places().stream().map(ErrandOrder.Place::sessionId).toList();
        return findings.found.values().stream()
                .sorted(Comparator.comparingInt(f -> asked.indexOf(f.owners().session)))
                .toList();
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
        if (place.made()) withoutGit(tree.git).forEach(path -> plain(path, place));
    }

    /** Where git takes whatever is there for that of a repository, and none is. */
    static List<Path> withoutGit(Git git) {
        return Changes.submodules(git).stream()
                .map(git.directory()::resolve)
                .filter(path -> Files.isDirectory(path, LinkOption.NOFOLLOW_LINKS))
                .filter(path -> !Files.exists(path.resolve(".git")))
                .filter(path -> !Directory.isEmpty(path))
                .toList();
    }

    /**
     * Every repository and work tree below, also those that git ignores or takes for clean, and
     * those that someone has put beside its own files.
     */
    static List<Path> repositories(Path top) {
        return directories(top, Findings::areObjects, dir -> Files.exists(dir.resolve(".git")));
    }

    /** Where git keeps contents, thousands of files and nobody's work trees. */
    private static boolean areObjects(Path directory) {
        return OBJECTS.stream().anyMatch(directory::endsWith)
                && Files.isRegularFile(directory.resolveSibling("HEAD"));
    }

    /** Those that git keeps beside the work trees they are for. */
    static List<Path> bareRepositories(Path top) {
        return directories(
                top,
                dir -> dir.endsWith(".git"),
                dir ->
                        Files.isRegularFile(dir.resolve("HEAD"))
                                && Files.isDirectory(dir.resolve("objects"))
                                && Files.isDirectory(dir.resolve("refs")));
    }

    private static List<Path> directories(
            Path top, Predicate<Path> skipped, Predicate<Path> wanted) {
        var found = new ArrayList<Path>();
        try {
            Files.walkFileTree(
                    top,
                    new Walk() {
                        private int seen;

                        @Override
                        public FileVisitResult preVisitDirectory(
                                Path dir, BasicFileAttributes attributes) {
                            if (++seen > DIRECTORIES_MAX) {
                                throw new Git.Failed(top + " has too many directories");
                            }
                            if (skipped.test(dir)) return FileVisitResult.SKIP_SUBTREE;
                            if (wanted.test(dir)) found.add(dir);
                            return FileVisitResult.CONTINUE;
                        }
                    });
        } catch (IOException e) {
            throw new UncheckedIOException("looking through " + top, e);
        }
        return found;
    }

    private void plain(Path directory, ErrandOrder.Place place) {
        if (!place.made() && !everything) {
            // It stays as it is, however large it may be.
            found.put(
                    directory,
                    new Finding.Plain(
                            new Finding.Owners(place), Directory.unseen(directory), false));
            return;
        }
        var files = Directory.at(directory);
        if (files.isCutShort) {
            throw new Git.Failed(
                    "%s has more than %d files; tidy it up first"
                            .formatted(directory, Directory.ENTRIES_MAX));
        }
        var owners = new Finding.Owners(place);
        found.put(directory, new Finding.Plain(owners, files, place.made() || everything));
        files.repositories.forEach(inside -> at(inside, place));
    }
}
