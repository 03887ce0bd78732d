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
import java.util.regex.Pattern;

/** Submodules that are not checked out any more: all there is of them is what git keeps. */
final class Modules {
    private static final String SAID =
            "a submodule that is not checked out has what no remote has: ";

    /** How a log begins that has not been cut off since, and when that was. */
    private static final Pattern FROM_NOTHING = Pattern.compile("0{40,64} [^\\n]*?> (\\d+) ");

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

    /** What no remote has: commits, also those that only a log still knows, and staged files. */
    private static @Nullable Set<String> only(Path module) {
        var git = git(module);
        var named =
                git.tryText(
                        "rev-list",
                        "--exclude=refs/remotes/*",
                        "--exclude=refs/coppice/*",
                        "--exclude=refs/tags/*",
                        "--all",
                        "--not",
                        "--remotes");
        // Tags come from remotes too; what was committed here is younger than the clone.
        var tagged =
                git.tryText(
                        "rev-list", "--max-age=" + born(module), "--tags", "--not", "--remotes");
        var logged = (String.join("\n", Logs.ofAll(module)) + "\n").getBytes(UTF_8);
        var known =
                git.tryText(
                        logged, "rev-list", "--ignore-missing", "--stdin", "--not", "--remotes");
        if (named == null || tagged == null || known == null) return null;
        var only = new TreeSet<String>();
        for (var said : List.of(named, tagged, known)) only.addAll(said.lines().toList());
        // What was cut off here came from a remote, whatever that calls it now.
        Logs.text(module.resolve("shallow")).lines().forEach(only::remove);
        var staged = git.staged();
        if (staged == null) return null;
        only.addAll(staged);
        only.remove("");
        return only;
    }

    /** When it was cloned, in seconds; nobody knows where its log was cut off. */
    private static String born(Path module) {
        var first = FROM_NOTHING.matcher(Logs.text(module.resolve("logs/HEAD")));
        return first.lookingAt() ? first.group(1) : "0";
    }
}
