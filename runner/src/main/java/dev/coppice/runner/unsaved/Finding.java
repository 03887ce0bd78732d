package dev.coppice.runner.unsaved;

import dev.coppice.wire.ErrandAnswer;
import dev.coppice.wire.ErrandOrder;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** A directory with work in it, whose it is, and whether it will be taken away. */
sealed interface Finding {
    Owners owners();

    Path directory();

    String fingerprint();

    ErrandAnswer.Item item(ErrandAnswer.@Nullable Kept kept);

    /** Sessions that share it, and whether Coppice has made it. */
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

        /** Whether it was kept before, for others. */
        boolean isKept() {
            return isKept;
        }

        List<String> names() {
            return List.copyOf(names);
        }
    }

    /** A work tree of git. */
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

    /** A directory without git. It is kept where it will be taken away, or someone has asked. */
    record Plain(Owners owners, Directory files, boolean kept) implements Finding {
        @Override
        public Path directory() {
            return files.root;
        }

        @Override
        public String fingerprint() {
            return files.fingerprint();
        }

        @Override
        public ErrandAnswer.Item item(ErrandAnswer.@Nullable Kept where) {
            var notes = new java.util.ArrayList<String>();
            files.tooLarge.forEach(f -> notes.add("too large to be kept, and stays: " + f));
            files.unkept.forEach(f -> notes.add("a pipe, socket or device, and not kept: " + f));
            if (!kept) {
                notes.add("stays as it is: Coppice has not made it");
            }
            return new ErrandAnswer.Item(
                    files.root.toString(),
                    "plain",
                    owners.names(),
                    0,
                    kept ? files.files.size() : 0,
                    0,
                    0,
                    0,
                    files.bytes,
                    0,
                    fingerprint(),
                    null,
                    null,
                    where,
                    List.of(),
                    notes);
        }
    }
}
