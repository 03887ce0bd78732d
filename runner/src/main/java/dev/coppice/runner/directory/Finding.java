package dev.coppice.runner.directory;

import dev.coppice.wire.fleet.DirectoryTaskOrder;
import dev.coppice.wire.fleet.DirectoryTaskResult;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A directory with work in it, and its owners. */
sealed interface Finding {
    Owners owners();

    Path directory();

    String fingerprint();

    DirectoryTaskResult.Item item(DirectoryTaskResult.@Nullable Preserved preserved);

    /** The sessions that share a directory, and whether Coppice created it. */
    final class Owners {
        private final Set<String> names = new TreeSet<>();
        final String session;
        final boolean made;
        private boolean isPreserved;

        Owners(DirectoryTaskOrder.Place place) {
            this.session = place.sessionId();
            this.made = place.made();
            this.isPreserved = place.again();
            names.add(place.sessionName());
        }

        void add(DirectoryTaskOrder.Place place) {
            isPreserved &= place.again();
            names.add(place.sessionName());
        }

        /** True if it was already preserved for other sessions. */
        boolean isPreserved() {
            return isPreserved;
        }

        List<String> names() {
            return List.copyOf(names);
        }
    }

    /** A work tree whose repository stays: unsaved work is preserved in it, as refs. */
    record InGit(Owners owners, WorkTree tree, String fingerprint) implements Finding {
        @Override
        public Path directory() {
            return tree.top;
        }

        @Override
        public DirectoryTaskResult.Item item(DirectoryTaskResult.@Nullable Preserved preserved) {
            var changes = tree.changes;
            return new DirectoryTaskResult.Item(
                    tree.top.toString(),
                    "git",
                    owners.names(),
                    changes.count(),
                    changes.untracked().size(),
                    tree.stashes.size(),
                    tree.unpushed,
                    changes.ignored().size(),
                    tree.bytes(),
                    0,
                    fingerprint,
                    changes.isUnborn() ? null : changes.commit(),
                    changes.branch().equals(WorkTreeStatus.DETACHED) ? null : changes.branch(),
                    preserved,
                    tree.busy(),
                    tree.notes());
        }
    }

    /**
     * A directory that is archived whole: one that Coppice created and will delete, or a user's own
     * one on request. Information from git is only shown; the archive does not depend on it.
     */
    record Raw(Owners owners, DirectoryContents whole, List<RepositoryReport> told)
            implements Finding {
        public Raw {
            told = List.copyOf(told);
        }

        @Override
        public Path directory() {
            return whole.root;
        }

        @Override
        public String fingerprint() {
            return whole.fingerprint();
        }

        @Override
        public DirectoryTaskResult.Item item(DirectoryTaskResult.@Nullable Preserved preserved) {
            var notes = new ArrayList<String>();
            var busy = new ArrayList<String>();
            told.forEach(t -> notes.addAll(t.notes()));
            told.forEach(t -> busy.addAll(t.busy()));
            whole.unpreserved.forEach(f -> notes.add("socket or device, not preserved: " + f));
            notes.addAll(whole.losses.notes());
            var first = told.isEmpty() ? RepositoryReport.NOTHING : told.getFirst();
            boolean isTree = first.directory() != null && first.directory().equals(whole.root);
            return new DirectoryTaskResult.Item(
                    whole.root.toString(),
                    isTree ? "git" : "plain",
                    owners.names(),
                    told.stream().mapToLong(RepositoryReport::uncommitted).sum(),
                    isTree ? sum(RepositoryReport::untracked) : whole.files(),
                    sum(RepositoryReport::stashed),
                    sum(RepositoryReport::unpushed),
                    sum(RepositoryReport::ignored),
                    whole.bytes(),
                    0,
                    fingerprint(),
                    isTree ? first.commit() : null,
                    isTree ? first.branch() : null,
                    preserved,
                    busy,
                    notes);
        }

        private long sum(java.util.function.ToLongFunction<RepositoryReport> what) {
            return told.stream().mapToLong(what).sum();
        }
    }

    /** A user's own directory without git. It is neither preserved nor deleted. */
    record Left(Owners owners, Path directory) implements Finding {
        @Override
        public String fingerprint() {
            return "";
        }

        @Override
        public DirectoryTaskResult.Item item(DirectoryTaskResult.@Nullable Preserved preserved) {
            return new DirectoryTaskResult.Item(
                    directory.toString(),
                    "plain",
                    owners.names(),
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    0,
                    "",
                    null,
                    null,
                    preserved,
                    List.of(),
                    List.of("left in place: Coppice did not create it"));
        }
    }
}
