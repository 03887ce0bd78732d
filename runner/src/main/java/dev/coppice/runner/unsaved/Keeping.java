package dev.coppice.runner.unsaved;

import dev.coppice.runner.Workplace;
import dev.coppice.wire.ErrandAnswer;
import dev.coppice.wire.ErrandOrder;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Keeps what was found, and proves of each that it can be had again, byte by byte. */
final class Keeping {
    private static final long IGNORED_FILE_BYTES_MAX = 1024 * 1024;
    private static final long IGNORED_BYTES_MAX = 64L * 1024 * 1024;
    private static final long BYTES_MAX = 2L * 1024 * 1024 * 1024;
    private static final int TRIES_MAX = 3;
    private static final int LEFT_OUT_TOLD_MAX = 50;
    private static final String PLAIN_REF = "refs/coppice/files";

    private final ErrandOrder order;
    private final Path scratches;
    private final Handover handover;

    /** Where finished files go. */
    interface Handover {
        void hand(String name, Path file);
    }

    Keeping(ErrandOrder order, Path scratches, Handover handover) {
        this.order = order;
        this.scratches = scratches;
        this.handover = handover;
    }

    ErrandAnswer.@Nullable Kept keep(Finding finding) {
        return switch (finding) {
            case Finding.InGit(var owners, var tree, var fingerprint) ->
                    tree.isClean() && ignored(owners, tree).kept().isEmpty()
                            ? null
                            : git(owners, tree, fingerprint);
            case Finding.Plain(_, var files, var kept) ->
                    !kept || files.files.isEmpty()
                            ? null
                            : inScratch(s -> files(files.root, files.files, name(files.root), s));
        };
    }

    ErrandAnswer.@Nullable Kept keep(Path root, List<String> files) {
        return files.isEmpty()
                ? null
                : inScratch(s -> files(root, files, "output-" + name(root), s));
    }

    private interface InScratch {
        ErrandAnswer.Kept keep(Path scratch) throws IOException;
    }

    private ErrandAnswer.Kept inScratch(InScratch work) {
        try {
            Files.createDirectories(scratches);
            var scratch = Files.createTempDirectory(scratches, "keep");
            try {
                return work.keep(scratch);
            } finally {
                Directory.delete(scratch);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("keeping unsaved work", e);
        }
    }

    /** Others may work in it too, if it is theirs; then what was kept last is what counts. */
    private ErrandAnswer.Kept git(Finding.Owners owners, Tree seen, String fingerprint) {
        var scope = owners.made ? Tree.Scope.ALL_BRANCHES : Tree.Scope.OWN_BRANCH;
        var tree = seen;
        var before = fingerprint;
        for (int tries = 1; ; tries++) {
            var look = tree;
            boolean last = tries == TRIES_MAX;
            try {
                var kept = inScratch(s -> git(owners, look, s));
                tree = again(look.top, scope);
                var after = tree.fingerprint();
                if (after.equals(before) || (last && !owners.made)) return kept;
                before = after;
            } catch (Git.Failed e) {
                if (last) throw e;
                tree = again(look.top, scope);
                before = tree.fingerprint();
                continue;
            }
            if (last) throw new Git.Failed(look.top + " changed while it was being kept");
        }
    }

    private static Tree again(Path top, Tree.Scope scope) {
        var now = Tree.at(top, scope);
        if (now == null) throw new Git.Failed(top + " went away while it was being kept");
        return now;
    }

    private ErrandAnswer.Kept git(Finding.Owners owners, Tree tree, Path scratch)
            throws IOException {
        bounded(tree.top, tree.bytes());
        var extra = ignored(owners, tree).kept();
        var commits = new Snapshot(tree.git, tree.top, order.at()).of(tree, extra, scratch);
        var prefix = prefix(owners.session, tree.top);
        var refs = new LinkedHashMap<String, String>();
        commits.forEach((what, commit) -> refs.put(prefix + "/" + what, commit));
        var updates =
                refs.entrySet().stream()
                        .map(e -> "update %s %s\n".formatted(e.getKey(), e.getValue()))
                        .collect(Collectors.joining());
        tree.git.text(updates.getBytes(StandardCharsets.UTF_8), "update-ref", "--stdin");
        // Of a history that is not all here only what no remote has can be written.
        boolean cut = tree.isShallow() || tree.isPartial();
        boolean whole = owners.made && !cut;
        boolean thin = tree.hasRemotes() && !whole;
        var file = scratch.resolve("bundle");
        boolean written = Bundle.write(tree.git, file, List.copyOf(refs.keySet()), thin);
        if (written) {
            Bundle.prove(file, known(file, refs), scratch, thin || cut ? tree.git : null);
            var kept = commits.get(Snapshot.FILES);
            var paths = new ArrayList<>(tree.changes.unstored());
            paths.addAll(extra);
            if (kept != null) Bundle.compare(scratch, kept, tree.top, paths);
        }
        var repository = tree.repository().toString();
        if (!written) return new ErrandAnswer.Kept(prefix, repository, null, null, 0);
        var inside = handed(name(tree.top), file);
        return new ErrandAnswer.Kept(
                prefix, repository, inside.file(), inside.sha256(), inside.size());
    }

    /** A ref to what every remote has is not in a thin bundle; it is where it was. */
    private static Map<String, String> known(Path file, Map<String, String> refs) {
        var inside = Bundle.refs(file).keySet();
        var known = new LinkedHashMap<>(refs);
        known.keySet().retainAll(inside);
        return known;
    }

    private ErrandAnswer.Kept files(Path root, List<String> paths, String name, Path scratch)
            throws IOException {
        bounded(root, paths.stream().mapToLong(p -> Contents.size(root.resolve(p))).sum());
        var repository = scratch.resolve("plain.git");
        Git.in(scratch)
                .text("init", "--quiet", "--bare", "--object-format=sha1", repository.toString());
        var git = Git.in(repository);
        var commit = new Snapshot(git, root, order.at()).ofFiles(scratch, paths);
        git.text("update-ref", PLAIN_REF, commit);
        var file = scratch.resolve("bundle");
        Bundle.write(git, file, List.of(PLAIN_REF), false);
        Bundle.prove(file, Map.of(PLAIN_REF, commit), scratch, null);
        Bundle.compare(scratch, commit, root, paths);
        return handed(name, file);
    }

    private ErrandAnswer.Kept handed(String name, Path file) throws IOException {
        handover.hand(name + ".bundle", file);
        return new ErrandAnswer.Kept(
                null,
                null,
                order.errandId() + "/" + name + ".bundle",
                Contents.sha256(file),
                Files.size(file));
    }

    private static void bounded(Path root, long bytes) {
        if (bytes <= BYTES_MAX) return;
        throw new Git.Failed(
                "%s has %d bytes of unsaved work, and at most %d are kept"
                        .formatted(root, bytes, BYTES_MAX));
    }

    /** Files that git ignores: those that are kept, and those that are left out. */
    record Ignored(List<String> kept, List<String> leftOut) {
        static final Ignored NONE = new Ignored(List.of(), List.of());
    }

    /**
     * Small ones are kept where someone wants that, and where the directory will be taken away:
     * nobody could have saved them elsewhere.
     */
    Ignored ignored(Finding.Owners owners, Tree tree) {
        boolean keeps = order.ignored().equals("keep");
        if (!keeps && !(order.ignored().equals("list") && owners.made)) return Ignored.NONE;
        var kept = new ArrayList<String>();
        var leftOut = new ArrayList<String>();
        long bytes = 0;
        var all = tree.git.fields("ls-files", "-z", "--others", "--ignored", "--exclude-standard");
        for (var path : all) {
            long size = Contents.size(tree.top.resolve(path));
            boolean fits =
                    !path.endsWith("/")
                            && size <= IGNORED_FILE_BYTES_MAX
                            && bytes + size <= IGNORED_BYTES_MAX;
            if (fits) bytes += size;
            (fits ? kept : leftOut).add(path);
        }
        return new Ignored(kept, leftOut);
    }

    /** What is not kept is named, as far as there is room for names. */
    List<String> leftOut(Finding finding) {
        if (!(finding instanceof Finding.InGit(var owners, var tree, _))) return List.of();
        var all = ignored(owners, tree).leftOut();
        var some = all.stream().limit(LEFT_OUT_TOLD_MAX).map(p -> "ignored and left out: " + p);
        var more = all.size() - LEFT_OUT_TOLD_MAX;
        var rest =
                more > 0
                        ? Stream.of("ignored and left out: %d more".formatted(more))
                        : Stream.<String>of();
        return Stream.concat(some, rest).toList();
    }

    /** One name for one place, so that keeping twice keeps once. */
    private String prefix(String session, Path top) {
        return "refs/coppice/preserved/%s/%s/%s"
                .formatted(Workplace.safe(session), order.mark(), name(top));
    }

    static String name(Path top) {
        return Contents.sha256(top.toString()).substring(0, 12);
    }
}
