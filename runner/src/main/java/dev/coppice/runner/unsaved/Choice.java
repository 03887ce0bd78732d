package dev.coppice.runner.unsaved;

import dev.coppice.runner.raw.NotKept;
import dev.coppice.runner.raw.RawName;

import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;

/**
 * What of a directory goes into its archive: everything but what the policy for ignored files
 * leaves out, and what does not fit. What does not fit holds the directory; what the policy leaves
 * out does not.
 */
final class Choice {
    private static final long IGNORED_FILE_BYTES_MAX = 1024 * 1024;
    private static final long IGNORED_BYTES_MAX = 64L * 1024 * 1024;
    private static final int TOLD_MAX = 50;

    private final Set<String> leftOut = new HashSet<>();
    private final List<String> ignored = new ArrayList<>();
    private final List<String> tooLarge = new ArrayList<>();
    private final String policy;

    private Choice(String policy) {
        this.policy = policy;
    }

    static Choice of(Finding.Raw finding, String policy, long bytesMax) {
        var choice = new Choice(policy);
        for (var told : finding.told()) {
            if (told.directory() != null && told.ignored() > 0) {
                choice.ignore(finding.whole(), told.directory());
            }
        }
        choice.fit(finding.whole(), bytesMax);
        return choice;
    }

    private void ignore(Whole whole, Path top) {
        var repository = Repository.at(top);
        if (repository.isEmpty()) return;
        var prefix = prefix(whole.root, top);
        try {
            var all = ignored(Git.of(repository.get()), top, policy);
            for (var path : all.leftOut()) {
                // A repository of its own; what git ignores in there is asked for in there.
                if (path.endsWith("/")) continue;
                leftOut.add(prefix + raw(path));
                ignored.add(path);
            }
        } catch (NotKept | UncheckedIOException _) {
            // What git cannot tell apart is kept.
        }
    }

    private static String prefix(Path root, Path top) {
        return root.equals(top) ? "" : raw(root.relativize(top).toString()) + "/";
    }

    private static String raw(String path) {
        return new String(path.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
    }

    /** Without the largest, as many as it takes. */
    private void fit(Whole whole, long bytesMax) {
        var taken = whole.sizes.entrySet().stream().filter(e -> takes(e.getKey())).toList();
        long bytes = taken.stream().mapToLong(Map.Entry::getValue).reduce(0, Whole::plus);
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

    /** Whether it is kept; of a directory that is not, nothing below is. */
    boolean takes(String raw) {
        if (leftOut.isEmpty()) return true;
        for (int slash = raw.length(); slash > 0; slash = raw.lastIndexOf('/', slash - 1)) {
            if (leftOut.contains(raw.substring(0, slash))) return false;
        }
        return true;
    }

    List<String> tooLarge() {
        return List.copyOf(tooLarge);
    }

    /** What is not kept, by name, as far as there is room for names. */
    List<String> notes() {
        var silent = policy.equals("skip");
        var policed = silent ? Stream.<String>of() : told(ignored, "ignored and left out: ");
        return Stream.concat(policed, told(tooLarge, "too large to be kept, and stays: ")).toList();
    }

    private static Stream<String> told(List<String> names, String what) {
        var some = names.stream().limit(TOLD_MAX).map(what::concat);
        int more = names.size() - TOLD_MAX;
        return more > 0 ? Stream.concat(some, Stream.of(what + more + " more")) : some;
    }

    /** Files that git ignores: those that are kept, and those that are left out. */
    record Ignored(List<String> kept, List<String> leftOut) {
        static final Ignored NONE = new Ignored(List.of(), List.of());
    }

    /** Small ones are kept, unless nobody wants any. */
    static Ignored ignored(Git git, Path top, String policy) {
        var kept = new ArrayList<String>();
        var leftOut = new ArrayList<String>();
        long bytes = 0;
        var all = git.fields("ls-files", "-z", "--others", "--ignored", "--exclude-standard");
        for (var path : all) {
            long size = Contents.size(top.resolve(path));
            boolean fits =
                    !policy.equals("skip")
                            && !path.endsWith("/")
                            && size <= IGNORED_FILE_BYTES_MAX
                            && bytes + size <= IGNORED_BYTES_MAX;
            if (fits) bytes += size;
            (fits ? kept : leftOut).add(path);
        }
        return new Ignored(kept, leftOut);
    }
}
