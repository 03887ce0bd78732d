package dev.coppice.runner.unsaved;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.LinkedHashSet;
import java.util.Set;

/**
 * What was checked out, and where branches stood: read from git's own files, since git tells of
 * those of remotes as well, and not of those of work trees that are gone.
 */
final class Logs {
    private static final String HASH = "[0-9a-f]{40,64}";

    private Logs() {}

    /** Every commit that this work tree has had checked out. */
    static Set<String> ofHead(Path gitDirectory) {
        var found = new LinkedHashSet<String>();
        read(gitDirectory.resolve("logs/HEAD"), found);
        return found;
    }

    /** The same of all work trees of a repository, and of all its branches. */
    static Set<String> ofAll(Path common) {
        var found = ofHead(common);
        var branches = common.resolve("logs/refs/heads");
        if (Files.isDirectory(branches)) readAll(branches, found);
        var trees = common.resolve("worktrees");
        if (Files.isDirectory(trees)) {
            try (var each = Files.newDirectoryStream(trees)) {
                for (var tree : each) {
                    found.addAll(ofHead(tree));
                    var head = text(tree.resolve("HEAD")).strip();
                    if (head.matches(HASH)) found.add(head);
                }
            } catch (IOException e) {
                throw new UncheckedIOException("looking through " + trees, e);
            }
        }
        return found;
    }

    /** It changes when something else is checked out, and not by what others do. */
    static String lastOfHead(Path gitDirectory) {
        var lines = text(gitDirectory.resolve("logs/HEAD")).lines().toList();
        return lines.isEmpty() ? "" : lines.getLast();
    }

    private static void readAll(Path directory, Set<String> into) {
        try {
            Files.walkFileTree(
                    directory,
                    new Walk() {
                        @Override
                        public FileVisitResult visitFile(
                                Path file, BasicFileAttributes attributes) {
                            read(file, into);
                            return FileVisitResult.CONTINUE;
                        }
                    });
        } catch (IOException e) {
            throw new UncheckedIOException("looking through " + directory, e);
        }
    }

    /** Each line begins with the commit before and the one after. */
    private static void read(Path log, Set<String> into) {
        for (var line : text(log).lines().toList()) {
            for (var word : line.split(" ", 3)) {
                if (word.matches(HASH) && !word.matches("0+")) into.add(word);
            }
        }
    }

    /** Nothing of what is not there, or not any more. */
    static String text(Path file) {
        try {
            return Files.readString(file, ISO_8859_1);
        } catch (NoSuchFileException _) {
            return "";
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
    }
}
