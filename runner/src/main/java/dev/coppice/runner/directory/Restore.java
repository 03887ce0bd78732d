package dev.coppice.runner.directory;

import dev.coppice.runner.raw.Archive;
import dev.coppice.runner.raw.BuiltBeside;
import dev.coppice.runner.raw.Disarm;
import dev.coppice.runner.raw.GitNames;
import dev.coppice.runner.raw.RawName;
import dev.coppice.runner.raw.Scratch;
import dev.coppice.runner.raw.Unpacking;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Stream;

/**
 * Restores preserved work to a new directory, which is built beside its place and moved there when
 * complete: every file with its bytes, the index as it was staged, the last commit on a new branch.
 * Existing files are not touched, and nothing restored makes git run a program.
 */
public final class Restore {
    /** Suffix of the archive of a directory; work in git is in a bundle. */
    static final String ARCHIVE = ".tar";

    private static final int BRANCHES_MAX = 1_000;
    private static final String IN_PROGRESS = "coppice-in-progress";
    private final Path into;
    private final Path file;

    public Restore(Path into, Path file) {
        this.into = into.toAbsolutePath().normalize();
        this.file = file;
    }

    /** Preserved work of a repository: prefix of its refs, last commit, name of the session. */
    public record Preserved(String ref, @Nullable String commit, String session) {}

    /** The outcome: directory, branch, number of files and stashes, notes for the user. */
    public record Restored(
            Path directory, @Nullable String branch, int files, int stashes, List<String> notes) {
        public Restored {
            notes = List.copyOf(notes);
        }
    }

    /** Restores an archived directory. */
    public Restored files() {
        return BuiltBeside.to(
                into,
                directory -> {
                    if (!Archive.is(file)) throw new GitFailed("the file is not an archive");
                    var done = new Unpacking(directory).from(file);
                    var notes = new ArrayList<String>();
                    for (var name : done.aside()) {
                        notes.add("disabled, because an agent wrote it: " + name);
                    }
                    for (var name : done.incomplete()) {
                        notes.add("lacks objects that remotes have; to fetch them, see: " + name);
                    }
                    notes.addAll(done.losses());
                    return new Restored(into, null, done.files(), 0, notes);
                });
    }

    /** Returns the first place with the work, or else the first with the history it needs. */
    public @Nullable Path among(Preserved preserved, List<String> places) {
        return Scratch.within(() -> {
            var repositories = places.stream().flatMap(Restore::there).toList();
            return Stream.concat(
                            repositories.stream().filter(r -> has(git(r), preserved.ref())),
                            repositories.stream().filter(r -> canTake(git(r), preserved)))
                    .findFirst()
                    .orElse(null);
        });
    }

    /** True if the directory is in a work tree, or is a repository. */
    public static boolean isRepository(Path directory) {
        return Repository.around(directory).or(() -> Repository.bare(directory)).isPresent();
    }

    /** Returns the repository itself, even if the directory is in a linked work tree. */
    private static Repository repository(Path directory) {
        return Repository.around(directory)
                .or(() -> Repository.bare(directory))
                .flatMap(r -> Repository.bare(r.common()))
                .orElseThrow(() -> new GitFailed(directory + " is not a git repository"));
    }

    private static Git git(Path directory) {
        return Git.of(repository(directory), GitView.Contents.RAW);
    }

    private static Stream<Path> there(String place) {
        try {
            var path = Path.of(place);
            boolean is = path.isAbsolute() && isRepository(path);
            return is ? Stream.of(path) : Stream.empty();
        } catch (InvalidPathException _) {
            // The path was recorded on another system.
            return Stream.empty();
        }
    }

    private static boolean has(Git git, String prefix) {
        var first = git.tryText("for-each-ref", "--count=1", prefix);
        return first != null && !first.isEmpty();
    }

    private boolean canTake(Git git, Preserved preserved) {
        if (!hasFile()) return false;
        var builtOn = Bundle.prerequisites(file);
        if (!builtOn.isEmpty()) return builtOn.stream().allMatch(c -> isThere(git, c));
        return preserved.commit() != null && isThere(git, preserved.commit());
    }

    private static boolean isThere(Git git, String commit) {
        return git.tryText("cat-file", "-e", commit + "^{commit}") != null;
    }

    private boolean hasFile() {
        try {
            return Files.size(file) > 0;
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
    }

    /** Restores a work tree of the given repository, or else of a new one. */
    public Restored worktree(Preserved preserved, @Nullable Path repository) {
        if (repository == null || (preserved.commit() == null && hasFile())) {
            return BuiltBeside.to(into, directory -> alone(preserved, directory));
        }
        Path place = repository;
        return BuiltBeside.to(into, directory -> beside(preserved, place, directory));
    }

    /** Makes a work tree of a repository at its present commit, on a branch of the session. */
    public static Restored fresh(Path repository, Path into, String session) {
        var tree =
                Repository.around(repository)
                        .orElseThrow(() -> new GitFailed(repository + " is in no git work tree"));
        return Scratch.within(() -> {
            var git = Git.of(tree, GitView.Contents.RAW);
            var commit = git.tryText("rev-parse", "--verify", "--quiet", "HEAD");
            if (commit == null) throw new GitFailed(repository + " has no commit to start from");
            var at = new Preserved("", commit.strip(), session);
            return new Restore(into, into).worktree(at, repository);
        });
    }

    /** Returns the top of the work tree that contains the directory. */
    public static Path top(Path directory) {
        return Repository.around(directory)
                .map(Repository::top)
                .orElseThrow(() -> new GitFailed(directory + " is in no git work tree"));
    }

    private Restored alone(Preserved preserved, Path directory) throws IOException {
        Git.ours(directory).text("init", "--quiet", "--object-format=" + Bundle.format(file), ".");
        var git = Git.ours(directory).with("GIT_DIR", directory.resolve(".git").toString());
        var refs = refs(git, preserved);
        var branch = freeBranch(git, preserved.session());
        git.text("symbolic-ref", "HEAD", "refs/heads/" + branch);
        if (preserved.commit() != null)
            git.text("update-ref", "refs/heads/" + branch, preserved.commit());
        int files = checkedOut(git, preserved.commit(), refs.get(Snapshot.FILES), directory);
        stage(git, refs, preserved.commit());
        var notes = inProgress(git, refs, directory.resolve(".git"), into.resolve(".git"));
        return new Restored(into, branch, files, stashes(git, refs), notes);
    }

    private Restored beside(Preserved preserved, Path place, Path directory) throws IOException {
        var repository = repository(place);
        var git = Git.of(repository, GitView.Contents.RAW).writing();
        var refs = preserved.ref().isEmpty() ? Map.<String, String>of() : refs(git, preserved);
        int files = checkedOut(git, preserved.commit(), refs.get(Snapshot.FILES), directory);
        var branch = freeBranch(git, preserved.session());
        for (var ref : List.of("refs/heads/" + branch, "refs/stash")) Refs.noLinks(repository, ref);
        var linked = new LinkedTree(repository, into);
        try {
            if (preserved.commit() != null)
                git.text("update-ref", "refs/heads/" + branch, preserved.commit());
            var listed = linked.make(branch, directory);
            stage(
                    git.with("GIT_INDEX_FILE", listed.resolve("index").toString()),
                    refs,
                    preserved.commit());
            var notes = inProgress(git, refs, listed, listed);
            return new Restored(into, branch, files, stashes(git, refs), notes);
        } catch (IOException | RuntimeException e) {
            linked.unmake();
            git.tryText("update-ref", "-d", "refs/heads/" + branch);
            throw e;
        }
    }

    private static void stage(Git git, Map<String, String> refs, @Nullable String head) {
        var staged = refs.getOrDefault(Snapshot.INDEX, head);
        if (staged != null) git.text("read-tree", staged);
    }

    /** Writes the state of an interrupted operation where git does not act on it. */
    private List<String> inProgress(Git git, Map<String, String> refs, Path below, Path shown)
            throws IOException {
        var state = refs.get(Snapshot.STATE);
        if (state == null) return List.of();
        var directory = Files.createDirectories(below.resolve(IN_PROGRESS));
        write(git, entries(git, state), directory);
        return List.of("state of the interrupted operation: " + shown.resolve(IN_PROGRESS));
    }

    /** Stores missing stashes, the oldest first, so that they get their numbers again. */
    private static int stashes(Git git, Map<String, String> refs) {
        var list = git.tryText("stash", "list", "--format=%H");
        var there = list == null ? List.<String>of() : list.lines().toList();
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
            // A commit that is no stash remains available under its ref.
            if (storing.tryText("stash", "store", "-m", "preserved by Coppice", commit) != null) {
                stored++;
            }
        }
        return stored;
    }

    private static int number(String what) {
        return Integer.parseInt(what.substring(Snapshot.STASH.length()));
    }

    /** Returns the refs. Fetches them from the file if the repository has none of them. */
    private Map<String, String> refs(Git git, Preserved preserved) {
        var found = listed(git, preserved.ref());
        if (found.isEmpty()) {
            try {
                git.text(
                        "fetch",
                        "--quiet",
                        "--no-tags",
                        "--no-auto-maintenance",
                        "--no-write-fetch-head",
                        "--recurse-submodules=no",
                        file.toString(),
                        "refs/coppice/*:refs/coppice/*");
            } catch (GitFailed e) {
                throw new GitFailed(
                        "the repository lacks the history that the work builds on; pass one that"
                                + " has it with --repository ("
                                + e.getMessage()
                                + ")");
            }
            found = listed(git, preserved.ref());
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

    private static boolean isBranch(Git git, String name) {
        return git.tryText("rev-parse", "--verify", "--quiet", "refs/heads/" + name) != null;
    }

    private static String freeBranch(Git git, String session) {
        boolean isTaken = isBranch(git, "coppice");
        var name = "coppice" + (isTaken ? "-" : "/") + session.replaceAll("[^A-Za-z0-9_-]", "-");
        for (int i = 1; i < BRANCHES_MAX; i++) {
            var tried = i == 1 ? name : name + "-" + i;
            if (!isBranch(git, tried)) return tried;
        }
        throw new GitFailed("there are %d branches called '%s'".formatted(BRANCHES_MAX, name));
    }

    /** Writes the preserved files, or else the last commit, unfiltered. Counts changed files. */
    private static int checkedOut(
            Git git, @Nullable String head, @Nullable String files, Path directory)
            throws IOException {
        var tree = files == null ? head : files;
        if (tree == null) return 0;
        var all = entries(git, tree);
        write(git, all, directory);
        Disarm.in(directory, directory.resolve(".git"));
        if (files == null || head == null) return files == null ? 0 : all.size();
        var before = entries(git, head);
        return (int)
                all.entrySet().stream()
                        .filter(e -> !e.getValue().equals(before.get(e.getKey())))
                        .count();
    }

    private record Entry(String mode, String hash) {}

    /** Returns the files of a commit by raw path. */
    private static Map<String, Entry> entries(Git git, String commit) {
        var found = new TreeMap<String, Entry>();
        for (var line : git.fields("ls-tree", "-r", "-z", "--full-tree", commit)) {
            int tab = line.indexOf('\t');
            var parts = line.substring(0, tab).split(" ", 3);
            var path = line.substring(tab + 1);
            if (GitNames.isIn(path)) {
                throw new GitFailed(
                        "'%s' is a name that git reserves; not restored"
                                .formatted(RawName.shown(path)));
            }
            if (parts[1].equals("blob")) found.put(path, new Entry(parts[0], parts[2]));
        }
        return found;
    }

    /** Writes links last, so that no file is written through one. */
    private static void write(Git git, Map<String, Entry> entries, Path directory)
            throws IOException {
        try (var blobs = new Blobs(git)) {
            for (var e : entries.entrySet()) {
                if (e.getValue().mode().equals(Contents.LINK)) continue;
                var path = safe(directory, e.getKey());
                try (var out = Files.newOutputStream(path)) {
                    blobs.copy(e.getValue().hash(), out);
                }
                if (e.getValue().mode().equals(Contents.EXECUTABLE)) {
                    Files.setPosixFilePermissions(
                            path, PosixFilePermissions.fromString("rwxr-xr-x"));
                }
            }
            for (var e : entries.entrySet()) {
                if (e.getValue().mode().equals(Contents.LINK)) link(blobs, e, directory);
            }
        }
    }

    private static void link(Blobs blobs, Map.Entry<String, Entry> link, Path directory)
            throws IOException {
        var to = new java.io.ByteArrayOutputStream();
        blobs.copy(link.getValue().hash(), to);
        var path = safe(directory, link.getKey());
        Files.createSymbolicLink(path, RawName.link(to.toString(StandardCharsets.ISO_8859_1)));
    }

    private static Path safe(Path directory, String path) throws IOException {
        var file = RawName.below(directory, path).normalize();
        if (!file.startsWith(directory) || file.equals(directory)) {
            throw new GitFailed("'%s' points outside the directory".formatted(RawName.shown(path)));
        }
        var parent = file.getParent();
        if (parent != null) Files.createDirectories(parent);
        return file;
    }

    public static String sha256(Path file) {
        return Contents.sha256(file);
    }
}
