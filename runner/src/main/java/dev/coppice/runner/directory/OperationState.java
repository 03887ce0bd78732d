package dev.coppice.runner.directory;

import dev.coppice.runner.raw.Handles;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Finds the files in which git records an operation in progress. Patches of {@code git am} that are
 * still to be applied are nowhere else.
 */
final class OperationState {
    private static final List<String> DIRECTORIES =
            List.of("rebase-merge", "rebase-apply", "sequencer");
    private static final List<String> FILES =
            List.of(
                    "MERGE_HEAD",
                    "MERGE_MODE",
                    "MERGE_MSG",
                    "SQUASH_MSG",
                    "CHERRY_PICK_HEAD",
                    "REVERT_HEAD",
                    "BISECT_LOG",
                    "BISECT_START");
    private static final int FILES_MAX = 10_000;

    private OperationState() {}

    /** Returns their raw paths below the git directory. */
    static List<String> files(Path gitDirectory) {
        var found = new ArrayList<String>();
        for (var name : FILES) {
            if (!Contents.mode(gitDirectory.resolve(name)).equals(Contents.NOTHING))
                found.add(name);
        }
        // Messages remain after their operation is over.
        if (found.stream().allMatch(name -> name.endsWith("_MSG"))) found.clear();
        for (var name : DIRECTORIES) below(gitDirectory, name, found);
        return List.copyOf(found);
    }

    private static void below(Path gitDirectory, String name, List<String> found) {
        try {
            Handles.walk(
                    gitDirectory.resolve(name),
                    new Handles.Visitor() {
                        @Override
                        public boolean directory(Handles.Entry directory) {
                            return true;
                        }

                        @Override
                        public void file(Handles.Entry file) {
                            if (!file.attributes().isRegularFile()) return;
                            if (found.size() == FILES_MAX) {
                                throw new GitFailed("too many files in '" + gitDirectory + "'");
                            }
                            found.add(name + "/" + file.raw());
                        }
                    });
        } catch (IOException e) {
            throw new UncheckedIOException("cannot walk '" + gitDirectory + "'", e);
        }
    }
}
