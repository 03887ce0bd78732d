package dev.coppice.runner.unsaved;

import static java.nio.charset.StandardCharsets.UTF_8;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Submodules that are not checked out any more: all there is of them is what git keeps. */
final class Modules {
    private static final String SAID =
            "a submodule that is not checked out has commits that no remote has: ";

    /** How a log begins that has not been cut off since. */
    private static final String FROM_NOTHING = "0".repeat(40);

    private Modules() {}

    /** Those of this work tree, and of others of its repository that are gone. */
    static List<Path> of(Path gitDirectory) {
        var found = new ArrayList<>(below(gitDirectory));
        var trees = gitDirectory.resolve("worktrees");
        if (Files.isDirectory(trees)) {
            try (var each = Files.newDirectoryStream(trees)) {
                for (var tree : each) if (!isThere(tree)) found.addAll(below(tree));
            } catch (IOException e) {
                throw new UncheckedIOException("looking through " + trees, e);
            }
        }
        found.removeIf(Modules::isCheckedOut);
        return found.stream().sorted().toList();
    }

    /** Who is there speaks for itself. */
    private static boolean isThere(Path tree) {
        var back = Logs.text(tree.resolve("gitdir")).strip();
        if (back.isEmpty() || !Files.exists(tree.resolve(back))) return false;
        var its =
                Git.in(tree.resolve(back).resolveSibling(""))
                        .tryText("rev-parse", "--absolute-git-dir");
        return tree.toString().equals(its);
    }

    private static List<Path> below(Path gitDirectory) {
        var modules = gitDirectory.resolve("modules");
        return Files.isDirectory(modules) ? Findings.bareRepositories(modules) : List.of();
    }

    private static boolean isCheckedOut(Path module) {
        var said = git(module).tryText("config", "core.worktree");
        if (said == null || said.isEmpty()) return false;
        var tree = module.resolve(said).normalize();
        if (!Files.exists(tree.resolve(".git"))) return false;
        return module.toString().equals(Git.in(tree).tryText("rev-parse", "--absolute-git-dir"));
    }

    /** Git itself would look for the work tree that is gone. */
    static Git git(Path module) {
        return Git.in(module)
                .with("GIT_DIR", module.toString())
                .with("GIT_WORK_TREE", module.toString());
    }

    /** What is to be said of those that have what no remote has. */
    static List<String> unsaved(Path gitDirectory) {
        return of(gitDirectory).stream()
                .filter(module -> isUnsaved(only(module)))
                .map(module -> SAID + module)
                .toList();
    }

    /** The same as long as nothing changes that only they have. */
    static String traces(Path gitDirectory) {
        var said = new StringBuilder();
        for (var module : of(gitDirectory)) {
            var only = only(module);
            if (isUnsaved(only)) said.append(module).append(' ').append(only).append('\n');
        }
        return said.toString();
    }

    /** What git cannot read is nobody's to throw away. */
    private static boolean isUnsaved(@Nullable Set<String> only) {
        return only == null || !only.isEmpty();
    }

    /** Commits that no remote has, also those that only a log still knows. */
    private static @Nullable Set<String> only(Path module) {
        var git = git(module);
        // Tags come from remotes too; what was committed here is in the log as well.
        boolean isLogged = Logs.text(module.resolve("logs/HEAD")).startsWith(FROM_NOTHING);
        var named =
                git.tryText(
                        "rev-list",
                        "--exclude=refs/remotes/*",
                        "--exclude=refs/coppice/*",
                        "--exclude=" + (isLogged ? "refs/tags/*" : ""),
                        "--all",
                        "--not",
                        "--remotes");
        var logged = (String.join("\n", Logs.ofAll(module)) + "\n").getBytes(UTF_8);
        var known =
                git.tryText(
                        logged, "rev-list", "--ignore-missing", "--stdin", "--not", "--remotes");
        if (named == null || known == null) return null;
        var only = new TreeSet<>(named.lines().toList());
        only.addAll(known.lines().toList());
        only.remove("");
        // What was cut off here came from a remote, whatever that calls it now.
        Logs.text(module.resolve("shallow")).lines().forEach(only::remove);
        return only;
    }
}
