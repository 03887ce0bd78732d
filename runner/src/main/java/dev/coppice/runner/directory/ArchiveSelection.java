package dev.coppice.runner.directory;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.coppice.runner.raw.Archive;
import dev.coppice.runner.raw.PreservationFailed;
import dev.coppice.runner.raw.RawName;
import dev.coppice.runner.raw.Scratch;
import dev.coppice.runner.raw.Unpacking;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * Selects the files of a directory's archive: all but ignored files that the policy leaves out, and
 * files that do not fit. A file that does not fit keeps the directory from being deleted; an
 * ignored file does not.
 */
final class ArchiveSelection implements Archive.Selection {
    private static final long IGNORED_FILE_BYTES_MAX = 1024 * 1024;
    private static final long IGNORED_BYTES_MAX = 64L * 1024 * 1024;
    private static final int TOLD_MAX = 50;
    private static final String EXPLAINED =
            """
            The packs of this repository were too large to be preserved. Objects that its
            remotes listed were left out; all other objects are here. To fetch the missing
            objects, restore the repository's own configuration and run:
              git fetch --refetch
            """;
    private static final String TOO_LARGE = "too large to preserve, left in place: ";

    private final Set<String> leftOut = new HashSet<>();
    private final List<String> ignored = new ArrayList<>();
    private final List<String> tooLarge = new ArrayList<>();
    private final List<String> withRemotes = new ArrayList<>();
    private @Nullable Path standIns;
    private final String policy;

    private ArchiveSelection(String policy) {
        this.policy = policy;
    }

    static ArchiveSelection of(Finding.Raw finding, String policy, long bytesMax) {
        var choice = new ArchiveSelection(policy);
        for (var told : finding.told()) {
            if (told.directory() != null && told.ignored() > 0) {
                choice.ignore(finding.whole(), told.directory());
            }
        }
        choice.fit(finding.whole(), bytesMax);
        return choice;
    }

    private void ignore(DirectoryContents whole, Path top) {
        var repository = Repository.at(top);
        if (repository.isEmpty()) return;
        var prefix = prefix(whole.root, top);
        try {
            var all = ignored(Git.of(repository.get()), top, policy);
            for (var path : all.leftOut()) {
                // A nested repository: its ignored files are listed with it.
                if (path.endsWith("/")) continue;
                leftOut.add(prefix + path);
                ignored.add(RawName.shown(path));
            }
        } catch (PreservationFailed | UncheckedIOException _) {
            // Without git's list of ignored files all are preserved.
        }
    }

    private static String prefix(Path root, Path top) {
        return root.equals(top) ? "" : RawName.from(root, top) + "/";
    }

    /** Leaves out objects that remotes have, then the largest files, until the rest fits. */
    private void fit(DirectoryContents whole, long bytesMax) {
        if (bytes(taken(whole)) <= bytesMax) return;
        long standIns = thin(whole);
        var taken = taken(whole);
        long bytes = DirectoryContents.plus(standIns, bytes(taken));
        if (bytes <= bytesMax) return;
        var largest =
                taken.stream()
                        .sorted(Map.Entry.<String, Long>comparingByValue(Comparator.reverseOrder()))
                        .toList();
        for (var file : largest) {
            if (bytes <= bytesMax) return;
            bytes -= file.getValue();
            leftOut.add(file.getKey());
            tooLarge.add(RawName.shown(file.getKey()));
        }
    }

    /** Replaces packs with smaller ones that lack the remotes' objects; returns their size. */
    private long thin(DirectoryContents whole) {
        long bytes = 0;
        var seen = new HashSet<Path>();
        for (var top : whole.repositories) {
            var repository = Repository.at(top).or(() -> Repository.bare(top));
            if (repository.isEmpty() || !seen.add(repository.get().common())) continue;
            var thin = ThinPacks.of(repository.get(), whole.root);
            if (thin == null || thin.saved() <= 0 || !hasRoom(thin)) continue;
            try {
                bytes = DirectoryContents.plus(bytes, standIn(thin, whole.root));
            } catch (IOException e) {
                throw new UncheckedIOException("cannot preserve '" + top + "'", e);
            }
            var git = whole.root.relativize(repository.get().common());
            withRemotes.add("left to the remotes of %s: %s".formatted(git, thin.said()));
        }
        return bytes;
    }

    /** True if no stand-in has the name of a file that is archived. */
    private static boolean hasRoom(ThinPacks thin) {
        return thin.instead.stream()
                .map(file -> thin.directory.resolve(file.getFileName()))
                .allMatch(file -> thin.leftOut.contains(file) || !Files.exists(file));
    }

    private long standIn(ThinPacks thin, Path root) throws IOException {
        if (standIns == null) standIns = Scratch.directory("instead");
        var prefix = prefix(root, thin.directory);
        for (var file : thin.leftOut) leftOut.add(prefix + RawName.of(file.getFileName()));
        var place = Files.createDirectories(RawName.below(standIns, prefix));
        long bytes = 0;
        for (var file : thin.instead) {
            bytes += Contents.size(file);
            Files.move(file, place.resolve(file.getFileName()));
        }
        var note = Unpacking.LEFT_TO_REMOTES + ".txt";
        for (int i = 2; Files.exists(thin.directory.resolve(note), NOFOLLOW_LINKS); i++) {
            note = Unpacking.LEFT_TO_REMOTES + "-" + i + ".txt";
        }
        Files.writeString(place.resolve(note), EXPLAINED);
        return bytes;
    }

    private List<Map.Entry<String, Long>> taken(DirectoryContents whole) {
        return whole.sizes.entrySet().stream().filter(e -> takes(e.getKey())).toList();
    }

    private static long bytes(List<Map.Entry<String, Long>> files) {
        return files.stream().mapToLong(Map.Entry::getValue).reduce(0, DirectoryContents::plus);
    }

    /** True if neither the path nor a directory above it is left out. */
    @Override
    public boolean takes(String raw) {
        if (leftOut.isEmpty()) return true;
        for (int slash = raw.length(); slash > 0; slash = raw.lastIndexOf('/', slash - 1)) {
            if (leftOut.contains(raw.substring(0, slash))) return false;
        }
        return true;
    }

    @Override
    public @Nullable Path standIns() {
        return standIns;
    }

    List<String> tooLarge() {
        return List.copyOf(tooLarge);
    }

    /** Returns a note for each file left out, up to {@code TOLD_MAX} of a kind. */
    List<String> notes() {
        var silent = policy.equals("skip");
        var policed = silent ? Stream.<String>of() : told(ignored, "ignored and left out: ");
        return Stream.of(policed, withRemotes.stream(), told(tooLarge, TOO_LARGE))
                .flatMap(all -> all)
                .toList();
    }

    private static Stream<String> told(List<String> names, String what) {
        var some = names.stream().limit(TOLD_MAX).map(what::concat);
        int more = names.size() - TOLD_MAX;
        return more > 0 ? Stream.concat(some, Stream.of(what + more + " more")) : some;
    }

    /** The raw paths of ignored files to preserve, and of those to leave out. */
    record Ignored(List<String> preserved, List<String> leftOut) {
        static final Ignored NONE = new Ignored(List.of(), List.of());
    }

    /** Lists ignored files; small ones are to be preserved, unless the policy is {@code skip}. */
    static Ignored ignored(Git git, Path top, String policy) {
        var preserved = new ArrayList<String>();
        var leftOut = new ArrayList<String>();
        long bytes = 0;
        var all = git.fields("ls-files", "-z", "--others", "--ignored", "--exclude-standard");
        for (var path : all) {
            long size = Contents.size(RawName.below(top, path));
            boolean fits =
                    !policy.equals("skip")
                            && !path.endsWith("/")
                            && size <= IGNORED_FILE_BYTES_MAX
                            && bytes + size <= IGNORED_BYTES_MAX;
            if (fits) bytes += size;
            (fits ? preserved : leftOut).add(path);
        }
        return new Ignored(preserved, leftOut);
    }
}
