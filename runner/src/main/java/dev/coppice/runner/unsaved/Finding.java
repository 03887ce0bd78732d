package dev.coppice.runner.unsaved;

import dev.coppice.wire.fleet.ErrandAnswer;
import dev.coppice.wire.fleet.ErrandOrder;

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

    ErrandAnswer.Item item(ErrandAnswer.@Nullable Kept kept);

    /** The sessions that share a directory, and whether Coppice created it. */
    final class Owners {
        private final Set<String> names = new TreeSet<>();
        final String session;
        final boolean made;
        private boolean isKept;

        Owners(ErrandOrder.Place place) {
            this.session = place.sessionId();
            this.made = place.made();
            this.isKept = place.again();
            names.add(place.sessionName());
        }

        void add(ErrandOrder.Place place) {
            isKept &= place.again();
            names.add(place.sessionName());
        }

        /** True if it was already preserved for other sessions. */
        boolean isKept() {
            return isKept;
        }

        List<String> names() {
            return List.copyOf(names);
        }
    }

    /** A work tree whose repository stays: unsaved work is preserved in it, as refs. */
    record InGit(Owners owners, Tree tree, String fingerprint) implements Finding {
        @Override
        public Path directory() {
            return tree.top;
        }

        @Override
        public ErrandAnswer.Item item(ErrandAnswer.@Nullable Kept kept) {
            var changes = tree.changes;
            return new ErrandAnswer.Item(
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
                    changes.branch().equals(Changes.DETACHED) ? null : changes.branch(),
                    kept,
                    tree.busy(),
                    tree.notes());
        }
    }

    /**
     * A directory that is archived whole: one that Coppice created and will delete, or a user's own
     * one on request. Information from git is only shown; the archive does not depend on it.
     */
    record Raw(Owners owners, Whole whole, List<Told> told) implements Finding {
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
        public ErrandAnswer.Item item(ErrandAnswer.@Nullable Kept kept) {
            var notes = new ArrayList<String>();
            var busy = new ArrayList<String>();
            told.forEach(t -> notes.addAll(t.notes()));
            told.forEach(t -> busy.addAll(t.busy()));
            whole.unkept.forEach(f -> notes.add("socket or device, not preserved: " + f));
            var first = told.isEmpty() ? Told.NOTHING : told.getFirst();
            boolean isTree = first.directory() != null && first.directory().equals(whole.root);
            return new ErrandAnswer.Item(
                    whole.root.toString(),
                    isTree ? "git" : "plain",
                    owners.names(),
                    told.stream().mapToLong(Told::uncommitted).sum(),
                    isTree ? sum(Told::untracked) : whole.files(),
                    sum(Told::stashed),
                    sum(Told::unpushed),
                    sum(Told::ignored),
                    whole.bytes(),
                    0,
                    fingerprint(),
                    isTree ? first.commit() : null,
                    isTree ? first.branch() : null,
                    kept,
                    busy,
                    notes);
        }

        private long sum(java.util.function.ToLongFunction<Told> what) {
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
        public ErrandAnswer.Item item(ErrandAnswer.@Nullable Kept kept) {
            return new ErrandAnswer.Item(
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
                    kept,
                    List.of(),
                    List.of("left in place: Coppice did not create it"));
        }
    }
}
