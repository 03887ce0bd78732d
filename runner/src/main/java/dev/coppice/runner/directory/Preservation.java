package dev.coppice.runner.directory;

import dev.coppice.runner.raw.Archive;
import dev.coppice.runner.raw.PreservationFailed;
import dev.coppice.runner.raw.RawName;
import dev.coppice.runner.raw.Scratch;
import dev.coppice.wire.fleet.DirectoryTaskOrder;
import dev.coppice.wire.fleet.DirectoryTaskResult;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** Preserves findings, and verifies that each can be restored byte by byte. */
final class Preservation {
    private static final long BYTES_MAX = 2L * 1024 * 1024 * 1024;
    private static final int TRIES_MAX = 3;

    private final DirectoryTaskOrder order;
    private final long archiveMax;
    private final Handover handover;
    private Finding.@Nullable Raw chosenFor;
    private @Nullable ArchiveSelection chosen;

    /** Receives each finished file. */
    interface Handover {
        void hand(String name, Path file);
    }

    Preservation(DirectoryTaskOrder order, long archiveMax, Handover handover) {
        this.order = order;
        this.archiveMax = archiveMax;
        this.handover = handover;
    }

    /** Returns the choice for a finding, which is made once because it may write new packs. */
    private ArchiveSelection choice(Finding.Raw raw) {
        var choice = raw.equals(chosenFor) ? chosen : null;
        if (choice == null) choice = ArchiveSelection.of(raw, order.ignored(), archiveMax);
        chosenFor = raw;
        chosen = choice;
        return choice;
    }

    DirectoryTaskResult.@Nullable Preserved preserve(Finding finding) {
        return switch (finding) {
            case Finding.InGit(var owners, var tree, var fingerprint) ->
                    tree.isClean() && ignored(tree).isEmpty() && tree.dropped().isEmpty()
                            ? null
                            : git(owners, tree, fingerprint);
            case Finding.Raw raw ->
                    raw.whole().isEmpty()
                            ? null
                            : handed(name(raw.whole().root) + Restore.ARCHIVE, archived(raw));
            case Finding.Left _ -> null;
        };
    }

    /** Archives some files of a directory: input and output of runs. */
    DirectoryTaskResult.@Nullable Preserved preserve(Path root, List<String> files) {
        if (files.isEmpty()) return null;
        var wanted = new HashSet<String>();
        for (var file : files) {
            wanted.add(file);
            for (int at = file.indexOf('/'); at > 0; at = file.indexOf('/', at + 1)) {
                wanted.add(file.substring(0, at));
            }
        }
        return handed("output-" + name(root) + Restore.ARCHIVE, archive(root, wanted::contains));
    }

    private Path archived(Finding.Raw raw) {
        var choice = choice(raw);
        for (int tries = 1; ; tries++) {
            try {
                return archive(raw.whole().root, choice);
            } catch (PreservationFailed e) {
                // Something was still writing: try again.
                if (tries == TRIES_MAX) throw e;
            }
        }
    }

    private static Path archive(Path root, Archive.Selection selection) {
        try {
            var file = Scratch.directory("archive").resolve("tar");
            Archive.write(root, selection, file);
            return file;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot preserve '" + root + "'", e);
        }
    }

    private DirectoryTaskResult.Preserved git(
            Finding.Owners owners, WorkTree tree, String fingerprint) {
        var bundled = bundled(owners, tree, fingerprint);
        var file = bundled.file();
        if (file == null) {
            return new DirectoryTaskResult.Preserved(
                    bundled.refs(), bundled.repository(), null, null, 0);
        }
        var inside = handed(name(tree.top) + ".bundle", file);
        return new DirectoryTaskResult.Preserved(
                bundled.refs(),
                bundled.repository(),
                inside.file(),
                inside.sha256(),
                inside.size());
    }

    /** The prefix of the refs, and a bundle of them; null if remotes have all that they need. */
    private record Bundled(String refs, String repository, @Nullable Path file) {}

    /** Retries until the tree stays the same. In a user's own tree, the last try counts. */
    private Bundled bundled(Finding.Owners owners, WorkTree seen, String fingerprint) {
        var tree = seen;
        var before = fingerprint;
        for (int tries = 1; ; tries++) {
            boolean last = tries == TRIES_MAX;
            try {
                var bundled = bundle(owners, tree, Scratch.directory("keep"));
                tree = again(tree.top);
                var after = tree.fingerprint();
                if (after.equals(before) || (last && !owners.made)) return bundled;
                before = after;
            } catch (PreservationFailed e) {
                if (last) throw e;
                tree = again(tree.top);
                before = tree.fingerprint();
                continue;
            } catch (IOException e) {
                throw new UncheckedIOException("cannot preserve '" + tree.top + "'", e);
            }
            if (last) throw new GitFailed("'" + tree.top + "' changed while being preserved");
        }
    }

    private static WorkTree again(Path top) {
        return Repository.at(top)
                .map(WorkTree::of)
                .orElseThrow(() -> new GitFailed("'" + top + "' was deleted meanwhile"));
    }

    private Bundled bundle(Finding.Owners owners, WorkTree tree, Path scratch) throws IOException {
        bounded(tree.top, tree.bytes());
        var git = tree.git;
        var extra = ignored(tree);
        var commits = new Snapshot(git, tree.top, order.at()).of(tree, extra, scratch);
        var prefix = prefix(owners.session, tree.top);
        var refs = new LinkedHashMap<String, String>();
        commits.forEach((what, commit) -> refs.put(prefix + "/" + what, commit));
        git.publish();
        Refs.write(tree.repository, git.writing(), refs);
        // A thin bundle leaves out what remotes have. The tree then lends objects to verify it.
        boolean thin = tree.hasRemotes();
        boolean cut = tree.isShallow() || tree.isPartial();
        var file = scratch.resolve("bundle");
        boolean written = Bundle.write(git, file, List.copyOf(refs.keySet()), thin);
        if (written) {
            Bundle.prove(file, known(file, refs), scratch, thin || cut ? tree : null);
            var preserved = commits.get(Snapshot.FILES);
            var paths = new ArrayList<>(tree.changes.unstored());
            paths.addAll(extra);
            if (preserved != null) Bundle.compare(scratch, preserved, tree.top, paths);
        }
        var repository = tree.repository.home().toString();
        return new Bundled(prefix, repository, written ? file : null);
    }

    /** Returns the refs in the bundle: a thin one lacks refs to commits that a remote has. */
    private static Map<String, String> known(Path file, Map<String, String> refs) {
        var inside = Bundle.refs(file).keySet();
        var known = new LinkedHashMap<>(refs);
        known.keySet().retainAll(inside);
        return known;
    }

    /** Hands a file over once: a refusal by the coordinator does not mean a changed file. */
    private DirectoryTaskResult.Preserved handed(String name, Path file) {
        handover.hand(name, file);
        var path = order.taskId() + "/" + name;
        try {
            var preserved =
                    new DirectoryTaskResult.Preserved(
                            null, null, path, Contents.sha256(file), Files.size(file));
            Files.delete(file);
            return preserved;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read '" + file + "'", e);
        }
    }

    private static void bounded(Path root, long bytes) {
        if (bytes <= BYTES_MAX) return;
        throw new GitFailed(
                "'%s' has %d bytes of unsaved work; the limit is %d bytes"
                        .formatted(root, bytes, BYTES_MAX));
    }

    /** Ignored files to preserve. A user's own tree stays, so they need an explicit request. */
    private List<String> ignored(WorkTree tree) {
        return order.ignored().equals("keep")
                ? ArchiveSelection.ignored(tree.git, tree.top, order.ignored()).preserved()
                : List.of();
    }

    /** Returns a note for each file that is not preserved. */
    List<String> leftOut(Finding finding) {
        return switch (finding) {
            case Finding.Raw raw -> choice(raw).notes();
            case Finding.InGit(_, var tree, _) ->
                    order.ignored().equals("keep")
                            ? ArchiveSelection.ignored(tree.git, tree.top, order.ignored())
                                    .leftOut()
                                    .stream()
                                    .map(path -> "ignored and left out: " + RawName.shown(path))
                                    .toList()
                            : List.of();
            case Finding.Left _ -> List.of();
        };
    }

    /** Returns files that do not fit the archive; they keep the directory from being deleted. */
    List<String> tooLarge(Finding finding) {
        return finding instanceof Finding.Raw raw ? choice(raw).tooLarge() : List.of();
    }

    /** Returns the same ref prefix for the same directory, so that a retry replaces the refs. */
    private String prefix(String session, Path top) {
        return "refs/coppice/preserved/%s/%s/%s"
                .formatted(AgentDirectories.safe(session), order.mark(), name(top));
    }

    static String name(Path top) {
        return Contents.sha256(top.toString()).substring(0, 12);
    }
}
