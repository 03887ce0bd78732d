package dev.coppice.runner.unsaved;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Gives back what was kept, in a directory of its own: the last commit on a new branch, what was
 * staged in the index, and every file as it was. Nothing that is there already is touched.
 */
public final class Restore {
    private static final int BRANCHES_MAX = 1_000;
    private static final String BRANCHES = Snapshot.BRANCH + "heads/";
    private final Path into;
    private final Path bundle;

    public Restore(Path into, Path bundle) {
        this.into = into.toAbsolutePath().normalize();
        this.bundle = bundle;
    }

    /** What was kept of a repository: its refs, its last commit, and whose work it was. */
    public record Kept(String ref, @Nullable String commit, String session) {}

    /** Where it is now, on which branch, and what else the repository has again. */
    public record Restored(
            Path directory,
            @Nullable String branch,
            int files,
            List<String> branches,
            int stashes) {
        public Restored {
            branches = List.copyOf(branches);
        }
    }

    /** A directory without git comes back as its files. */
    public Restored files() {
        return inScratch(scratch -> {
            var git = fetched(scratch, "refs/*:refs/*");
            var commit = git.text("for-each-ref", "--count=1", "--format=%(objectname)");
            make();
            var tree = entries(git, commit);
            tree.forEach((path, entry) -> write(git, path, entry));
            return new Restored(into, null, tree.size(), List.of(), 0);
        });
    }

    /** The first of these that has the work, or else one that has what it builds on. */
    public @Nullable Path among(Kept kept, List<String> places) {
        var repositories = places.stream().flatMap(Restore::repository).toList();
        return Stream.concat(
                        repositories.stream().filter(r -> has(Git.in(r), kept.ref())),
                        repositories.stream().filter(r -> canTake(Git.in(r), kept)))
                .findFirst()
                .orElse(null);
    }

    private static Stream<Path> repository(String place) {
        try {
            var path = Path.of(place);
            boolean is = path.isAbsolute() && Git.isRepository(path);
            return is ? Stream.of(path) : Stream.empty();
        } catch (InvalidPathException _) {
            // It was written down on another machine.
            return Stream.empty();
        }
    }

    private static boolean has(Git git, String prefix) {
        var first = git.tryText("for-each-ref", "--count=1", prefix);
        return first != null && !first.isEmpty();
    }

    private boolean canTake(Git git, Kept kept) {
        if (!hasFile()) return false;
        var builtOn = Bundle.prerequisites(bundle);
        if (!builtOn.isEmpty()) return builtOn.stream().allMatch(c -> isThere(git, c));
        return kept.commit() != null && isThere(git, kept.commit());
    }

    private static boolean isThere(Git git, String commit) {
        return git.tryText("cat-file", "-e", commit + "^{commit}") != null;
    }

    /** Into the repository it came from, or another that has its history, or a new one. */
    public Restored worktree(Kept kept, @Nullable Path repository) {
        if (Files.exists(into) && !Directory.isEmpty(into)) {
            throw new Git.Failed(into + " is not empty; choose a directory that is not there yet");
        }
        if (repository == null || (kept.commit() == null && hasFile())) {
            return inScratch(_ -> {
                make();
                Git.in(into).text("init", "--quiet");
                return restored(Git.in(into), kept, Place.HERE);
            });
        }
        return restored(Git.in(repository), kept, Place.BESIDE);
    }

    private boolean hasFile() {
        try {
            return Files.size(bundle) > 0;
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + bundle, e);
        }
    }

    /** Whether the repository is the new directory itself. */
    private enum Place {
        HERE,
        BESIDE
    }

    private Restored restored(Git git, Kept kept, Place place) {
        var refs = refs(git, kept);
        var head = kept.commit();
        String branch = null;
        if (head == null) {
            if (place == Place.BESIDE) {
                make();
                Git.in(into).text("init", "--quiet");
            }
        } else {
            branch = freeBranch(git, kept.session());
            if (place == Place.HERE) git.text("checkout", "--quiet", "-b", branch, head);
            else git.text("worktree", "add", "--quiet", "-b", branch, into.toString(), head);
        }
        int files = overlay(git, head, refs.get(Snapshot.FILES));
        var index = refs.get(Snapshot.INDEX);
        if (index != null) Git.in(into).text("read-tree", index);
        // Git wants to be in a work tree for these; beside a bare repository this is the one.
        var inTree = head == null ? git : Git.in(into);
        return new Restored(into, branch, files, branches(git, refs), stashes(inTree, refs));
    }

    /** Those that are not there any more, and beside one that has moved on what it was. */
    private static List<String> branches(Git git, Map<String, String> refs) {
        var made = new ArrayList<String>();
        refs.forEach((what, commit) -> {
            if (!what.startsWith(BRANCHES)) return;
            var name = what.substring(BRANCHES.length());
            var there = git.tryText("rev-parse", "--verify", "--quiet", "refs/heads/" + name);
            if (commit.equals(there)) return;
            // A name may be free, and yet not be possible beside another: 'a/b' beside 'a'.
            boolean isBack = there == null && isBranched(git, name, commit);
            var beside = isBack ? name : freeBranch(git, name);
            if (isBack || isBranched(git, beside, commit)) made.add(beside);
        });
        return made;
    }

    private static boolean isBranch(Git git, String name) {
        return git.tryText("rev-parse", "--verify", "--quiet", "refs/heads/" + name) != null;
    }

    private static boolean isBranched(Git git, String name, String commit) {
        return git.tryText("branch", "--no-track", name, commit) != null;
    }

    /** The oldest first, so that they have their numbers again. */
    private static int stashes(Git git, Map<String, String> refs) {
        var said = git.tryText("stash", "list", "--format=%H");
        var there = said == null ? List.<String>of() : said.lines().toList();
        var missing =
                refs.keySet().stream()
                        .filter(what -> what.startsWith(Snapshot.STASH))
                        .sorted(Comparator.comparingInt(Restore::number).reversed())
                        .map(refs::get)
                        .filter(commit -> !there.contains(commit))
                        .toList();
        var storing =
                git.with("GIT_COMMITTER_NAME", Snapshot.WHO)
                        .with("GIT_COMMITTER_EMAIL", Snapshot.MAIL);
        int stored = 0;
        for (var commit : missing) {
            // What is no stash, whoever put it there, still stands below its ref.
            if (storing.tryText("stash", "store", "-m", "kept by Coppice", commit) != null) {
                stored++;
            }
        }
        return stored;
    }

    private static int number(String what) {
        return Integer.parseInt(what.substring(Snapshot.STASH.length()));
    }

    /** Refs that are gone from the repository come out of the file again. */
    private Map<String, String> refs(Git git, Kept kept) {
        var found = listed(git, kept.ref());
        if (found.isEmpty()) {
            try {
                git.text(
                        "fetch",
                        "--quiet",
                        "--no-tags",
                        bundle.toString(),
                        "refs/coppice/*:refs/coppice/*");
            } catch (Git.Failed e) {
                throw new Git.Failed(
                        "the repository lacks the history that the kept work builds on; name one"
                                + " that has it with --repository ("
                                + e.getMessage()
                                + ")");
            }
            found = listed(git, kept.ref());
        }
        return found;
    }

    private static Map<String, String> listed(Git git, String prefix) {
        var found = new TreeMap<String, String>();
        git.text("for-each-ref", "--format=%(objectname) %(refname)", prefix)
                .lines()
                .filter(line -> !line.isBlank())
                .forEach(line -> {
                    int space = line.indexOf(' ');
                    var what = line.substring(space + 1 + prefix.length() + 1);
                    found.put(what, line.substring(0, space));
                });
        return found;
    }

    private static String freeBranch(Git git, String session) {
        boolean isTaken = isBranch(git, "coppice");
        var name = "coppice" + (isTaken ? "-" : "/") + session.replaceAll("[^A-Za-z0-9_-]", "-");
        for (int i = 1; i < BRANCHES_MAX; i++) {
            var tried = i == 1 ? name : name + "-" + i;
            if (!isBranch(git, tried)) return tried;
        }
        throw new Git.Failed("there are %d branches called %s".formatted(BRANCHES_MAX, name));
    }

    /** What differs from the last commit is written as it was, past every filter. */
    private int overlay(Git git, @Nullable String head, @Nullable String files) {
        if (files == null) return 0;
        var before = head == null ? Map.<String, Entry>of() : entries(git, head);
        var after = entries(git, files);
        int written = 0;
        for (var path : before.keySet()) {
            if (!after.containsKey(path)) delete(path);
        }
        for (var e : after.entrySet()) {
            if (e.getValue().equals(before.get(e.getKey()))) continue;
            write(git, e.getKey(), e.getValue());
            written++;
        }
        return written;
    }

    private record Entry(String mode, String hash) {}

    private static Map<String, Entry> entries(Git git, String commit) {
        var found = new TreeMap<String, Entry>();
        for (var line : git.fields("ls-tree", "-r", "-z", "--full-tree", commit)) {
            int tab = line.indexOf('\t');
            var parts = line.substring(0, tab).split(" ", 3);
            if (parts[1].equals("blob")) {
                found.put(line.substring(tab + 1), new Entry(parts[0], parts[2]));
            }
        }
        return found;
    }

    /** Nothing is written through a link, and nothing outside of the directory. */
    private Path safe(String path) {
        var file = into.resolve(path).normalize();
        if (!file.startsWith(into) || file.equals(into)) {
            throw new Git.Failed("'%s' leads out of the directory".formatted(path));
        }
        for (var up = file.getParent(); up != null && !up.equals(into); up = up.getParent()) {
            if (Files.isSymbolicLink(up)) {
                throw new Git.Failed("'%s' leads through a link".formatted(path));
            }
        }
        return file;
    }

    private void write(Git git, String path, Entry entry) {
        var file = safe(path);
        try {
            var parent = file.getParent();
            if (parent != null) Files.createDirectories(parent);
            Files.deleteIfExists(file);
            if (entry.mode().equals(Contents.LINK)) {
                var to = new String(blob(git, entry), StandardCharsets.UTF_8);
                Files.createSymbolicLink(file, Path.of(to));
                return;
            }
            var process = git.open("cat-file", "blob", entry.hash());
            try (var in = process.getInputStream()) {
                Files.copy(in, file);
            }
            if (entry.mode().equals(Contents.EXECUTABLE)) {
                Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rwxr-xr-x"));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("writing " + file, e);
        }
    }

    private static byte[] blob(Git git, Entry entry) {
        return git.bytes(new byte[0], "cat-file", "blob", entry.hash());
    }

    private void delete(String path) {
        try {
            Files.deleteIfExists(safe(path));
        } catch (IOException e) {
            throw new UncheckedIOException("deleting " + path, e);
        }
    }

    private void make() {
        try {
            if (Files.exists(into, LinkOption.NOFOLLOW_LINKS) && !Directory.isEmpty(into)) {
                throw new Git.Failed(
                        into + " is not empty; choose a directory that is not there yet");
            }
            Files.createDirectories(into);
        } catch (IOException e) {
            throw new UncheckedIOException("making " + into, e);
        }
    }

    private Git fetched(Path scratch, String refs) {
        var repository = scratch.resolve("fetched.git");
        Git.in(scratch).text("init", "--quiet", "--bare", repository.toString());
        var git = Git.in(repository);
        git.text("fetch", "--quiet", "--no-tags", bundle.toString(), refs);
        return git;
    }

    private interface Work {
        Restored in(Path scratch);
    }

    private static Restored inScratch(Work work) {
        try {
            var scratch = Files.createTempDirectory("coppice-restore");
            try {
                return work.in(scratch);
            } finally {
                Directory.delete(scratch);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("restoring", e);
        }
    }

    /** The refs a file brings. */
    public static List<String> refsIn(Path bundle) {
        return List.copyOf(Bundle.refs(bundle).keySet());
    }
}
