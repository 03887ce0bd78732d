package dev.coppice.runner.unsaved;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Objects;

/** Submodules that are not checked out any more: all there is of them is what git keeps. */
final class Modules {
    private static final String SAID =
            "a submodule that is not checked out has commits that no remote has: ";

    private Modules() {}

    /** What is to be said of those below a directory that have what no remote has. */
    static List<String> unsaved(Path top) {
        var directories =
                Findings.repositories(top).stream()
                        .map(r -> Git.in(r).tryText("rev-parse", "--absolute-git-dir"))
                        .filter(Objects::nonNull)
                        .toList();
        return directories.stream()
                .map(directory -> Path.of(directory, "modules"))
                .filter(Files::isDirectory)
                .flatMap(modules -> Findings.bareRepositories(modules).stream())
                .filter(module -> !directories.contains(module.toString()))
                .filter(Modules::isUnsaved)
                .map(module -> SAID + module)
                .toList();
    }

    /** What was cut off here came from a remote, whatever that calls it now. */
    private static boolean isUnsaved(Path module) {
        var git =
                Git.in(module)
                        .with("GIT_DIR", module.toString())
                        .with("GIT_WORK_TREE", module.toString());
        boolean isBorn = git.tryText("rev-parse", "--verify", "--quiet", "HEAD") != null;
        var tips = isBorn ? "HEAD" : "--branches";
        var found =
                git.tryText(
                        "rev-list", "--branches", "--glob=refs/stash", tips, "--not", "--remotes");
        // What git cannot read is nobody's to throw away.
        if (found == null) return true;
        var unpushed = new HashSet<>(found.lines().filter(l -> !l.isBlank()).toList());
        Logs.text(module.resolve("shallow")).lines().forEach(unpushed::remove);
        return !unpushed.isEmpty();
    }
}
