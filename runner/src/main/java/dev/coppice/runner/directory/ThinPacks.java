package dev.coppice.runner.directory;

import dev.coppice.runner.raw.Scratch;

import org.jspecify.annotations.Nullable;

import java.io.DataInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.BitSet;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Consumer;

/**
 * Replaces the packs of a repository with one pack without the objects that a remote says it has,
 * so that the archive of a large clone is small.
 */
final class ThinPacks {
    /** A repository with more objects is not examined. */
    private static final int OBJECTS_MAX = 2_000_000;

    /** With more objects that no remote has, leaving out the others saves too little. */
    private static final int PRESERVED_MAX = 500_000;

    private static final String PACKS = "objects/pack";
    private static final List<String> PARTS = List.of(".pack", ".idx", ".rev", ".bitmap", ".keep");

    /** The index over all packs, which git can create again. */
    private static final String OF_ALL_PACKS = "multi-pack-index*";

    /** Files to leave out: packs with their indexes. */
    final List<Path> leftOut = new ArrayList<>();

    /** Replacement files, with the names they get in the repository. */
    final List<Path> instead = new ArrayList<>();

    final Path directory;
    private final Repository repository;
    private final Git git;
    private final List<Names> packs = new ArrayList<>();
    private int objects;
    private int preserved;

    private ThinPacks(Repository repository, Git git) {
        this.directory = repository.common().resolve(PACKS);
        this.repository = repository;
        this.git = git;
    }

    /** Returns null if the packs lie elsewhere, or if no remote is known to have any of them. */
    static @Nullable ThinPacks of(Repository repository, Path root) {
        try {
            var place = repository.common().resolve(PACKS);
            // Packs behind a link are not in the archive anyway.
            if (!place.startsWith(root) || !place.toRealPath().equals(place)) return null;
            var thin = new ThinPacks(repository, Git.of(repository));
            return thin.look() ? thin : null;
        } catch (GitFailed | NoSuchFileException _) {
            return null;
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read packs of '" + repository.top() + "'", e);
        }
    }

    /** Returns how many bytes smaller the archive becomes. */
    long saved() {
        return bytes(leftOut) - bytes(instead);
    }

    private static long bytes(List<Path> files) {
        return files.stream().mapToLong(Contents::size).sum();
    }

    String said() {
        return "%d bytes in %d objects that a remote has; %d other objects are preserved"
                .formatted(saved(), objects - preserved, preserved);
    }

    private boolean look() throws IOException {
        int width = git.text("rev-parse", "--show-object-format").equals("sha256") ? 32 : 20;
        try (var indexes = Files.newDirectoryStream(directory, "*.idx")) {
            for (var index : indexes) {
                if (!take(index, width)) return false;
            }
        }
        try (var indexes = Files.newDirectoryStream(directory, OF_ALL_PACKS)) {
            for (var index : indexes) leftOut.add(index);
        }
        if (packs.isEmpty()) return false;
        git.lines(
                there().getBytes(StandardCharsets.US_ASCII),
                name -> packs.forEach(pack -> pack.mark(name)),
                "rev-list",
                "--objects",
                "--no-object-names",
                "--stdin");
        return packs.stream().anyMatch(Names::isAnyMarked) && pack();
    }

    /** Returns tips of remotes that exist here; the remotes have everything these reach. */
    private String there() {
        var asked = new StringBuilder();
        new Remotes(repository).tips().forEach(tip -> asked.append(tip).append('\n'));
        var there = new StringBuilder();
        var format = "--batch-check=%(objectname) %(objecttype)";
        git.lines(
                asked.toString().getBytes(StandardCharsets.US_ASCII),
                line -> {
                    var words = line.split(" ", -1);
                    if (words[1].equals("commit") || words[1].equals("tag"))
                        there.append(words[0]).append('\n');
                },
                "cat-file",
                format);
        return there.toString();
    }

    /** Adds a pack by its index. Packs without one, left by a killed git, are archived as is. */
    private boolean take(Path index, int width) throws IOException {
        var names = Names.of(index, width, OBJECTS_MAX - objects);
        if (names == null) return false;
        objects += names.count();
        packs.add(names);
        var file = String.valueOf(index.getFileName());
        for (var ending : PARTS) {
            var part = index.resolveSibling(file.replaceFirst("\\.idx$", ending));
            if (Files.isRegularFile(part, LinkOption.NOFOLLOW_LINKS)) leftOut.add(part);
        }
        return true;
    }

    /** Writes one pack with all other objects; false if it is too large or incomplete. */
    private boolean pack() throws IOException {
        var wanted = new StringBuilder();
        for (var pack : packs) {
            preserved += pack.unmarked();
            if (preserved > PRESERVED_MAX) return false;
            pack.eachUnmarked(name -> wanted.append(name).append('\n'));
        }
        if (preserved == 0) return true;
        var made = Scratch.directory("packs");
        var input = wanted.toString().getBytes(StandardCharsets.US_ASCII);
        git.bytes(
                input,
                "pack-objects",
                "--quiet",
                "--delta-base-offset",
                made.resolve("pack").toString());
        try (var all = Files.newDirectoryStream(made)) {
            for (var file : all) instead.add(file);
        }
        var index = instead.stream().filter(f -> f.toString().endsWith(".idx")).findFirst();
        if (index.isEmpty()) return false;
        git.text("verify-pack", index.get().toString());
        var there = Names.of(index.get(), packs.getFirst().width, PRESERVED_MAX);
        if (there == null) return false;
        var missing = new ArrayList<String>();
        for (var pack : packs) {
            pack.eachUnmarked(name -> {
                if (!there.has(name)) missing.add(name);
            });
        }
        return missing.isEmpty();
    }

    /** The object names of a pack, sorted as in its index. */
    private static final class Names {
        private static final byte[] VERSION_2 = {(byte) 0xff, 't', 'O', 'c', 0, 0, 0, 2};
        private static final int COUNTS_BYTES = 256 * Integer.BYTES;
        private final byte[] all;
        private final int width;
        private final BitSet marked = new BitSet();

        private Names(byte[] all, int width) {
            this.all = all;
            this.width = width;
        }

        /** Returns null for an index of another version, or one with too many objects. */
        static @Nullable Names of(Path index, int width, int max) throws IOException {
            try (var in = new DataInputStream(Files.newInputStream(index))) {
                var head = in.readNBytes(VERSION_2.length);
                var counts = in.readNBytes(COUNTS_BYTES);
                if (!Arrays.equals(head, VERSION_2) || counts.length < COUNTS_BYTES) return null;
                int count = ByteBuffer.wrap(counts).getInt(COUNTS_BYTES - Integer.BYTES);
                if (count < 0 || count > max) return null;
                var all = in.readNBytes(count * width);
                return all.length < count * width ? null : new Names(all, width);
            }
        }

        boolean isAnyMarked() {
            return !marked.isEmpty();
        }

        int count() {
            return all.length / width;
        }

        private int find(String name) {
            var wanted = HexFormat.of().parseHex(name);
            int low = 0;
            for (int high = count() - 1; low <= high; ) {
                int middle = (low + high) >>> 1;
                int at = middle * width;
                int order = Arrays.compareUnsigned(all, at, at + width, wanted, 0, wanted.length);
                if (order == 0) return middle;
                if (order < 0) low = middle + 1;
                else high = middle - 1;
            }
            return -1;
        }

        boolean has(String name) {
            return find(name) >= 0;
        }

        void mark(String name) {
            int at = find(name);
            if (at >= 0) marked.set(at);
        }

        int unmarked() {
            return count() - marked.cardinality();
        }

        void eachUnmarked(Consumer<String> each) {
            for (int i = marked.nextClearBit(0); i < count(); i = marked.nextClearBit(i + 1)) {
                each.accept(HexFormat.of().formatHex(all, i * width, (i + 1) * width));
            }
        }
    }
}
