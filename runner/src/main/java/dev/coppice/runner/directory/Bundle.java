package dev.coppice.runner.directory;

import dev.coppice.runner.raw.RawName;

import org.jspecify.annotations.Nullable;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * Writes refs and all objects they need to one file, and verifies it: the file is fetched into an
 * empty repository, and the result is compared with the files on disk, byte by byte.
 */
final class Bundle {
    private Bundle() {}

    /** Writes the bundle, with or without objects that remotes have; false if it would be empty. */
    static boolean write(Git git, Path file, List<String> refs, boolean withoutRemotes) {
        var needed = new ArrayList<>(List.of("rev-list", "--count"));
        needed.addAll(refs);
        if (withoutRemotes) needed.addAll(List.of("--not", "--remotes"));
        if (git.text(needed.toArray(String[]::new)).equals("0")) return false;
        var command = new ArrayList<>(List.of("bundle", "create", "--quiet", file.toString()));
        command.addAll(refs);
        if (withoutRemotes) command.addAll(List.of("--not", "--remotes"));
        git.text(command.toArray(String[]::new));
        return true;
    }

    /**
     * Throws if a ref does not come back from the file as it was. Objects that the file leaves out
     * because a remote has them are borrowed from {@code lender}.
     */
    static void prove(
            Path file, Map<String, String> refs, Path scratch, @Nullable WorkTree lender) {
        var restored = scratch.resolve("restored.git");
        Git.ours(scratch)
                .text(
                        "init",
                        "--quiet",
                        "--bare",
                        "--object-format=" + format(file),
                        restored.toString());
        var git = Git.ours(restored);
        if (lender == null) {
            git.text("fetch", "--quiet", "--no-tags", file.toString(), "refs/*:refs/*");
        } else {
            unpack(file, git, lender);
        }
        refs.forEach((ref, commit) -> {
            var found = git.tryText("rev-parse", "--verify", "--quiet", ref);
            if (!commit.equals(found)) {
                throw new GitFailed(
                        "'%s' came back as %s instead of %s".formatted(ref, found, commit));
            }
        });
    }

    /** Returns the object format, known by the length of the hashes. */
    static String format(Path file) {
        return refs(file).values().stream().anyMatch(hash -> hash.length() > 40)
                ? "sha256"
                : "sha1";
    }

    /**
     * Reads the whole file; throws if it lacks objects that no remote has. A fetch would find all
     * objects in the lender and never read the file.
     */
    private static void unpack(Path file, Git git, WorkTree tree) {
        var lender = tree.git;
        borrow(git.directory(), tree.repository.common());
        int number = 0;
        for (var commit : prerequisites(file)) {
            git.text("update-ref", "refs/lent/" + number++, commit);
        }
        git.text("bundle", "unbundle", file.toString());
        var refs = refs(file);
        refs.forEach((ref, commit) -> git.text("update-ref", ref, commit));
        var command = new ArrayList<>(List.of("rev-list", "--objects"));
        command.addAll(refs.values());
        command.addAll(List.of("--not", "--remotes"));
        var missing = objects(lender, command);
        missing.removeAll(packed(git));
        if (missing.isEmpty()) return;
        missing.removeAll(objects(lender, List.of("rev-list", "--objects", "--remotes")));
        if (!missing.isEmpty()) {
            throw new GitFailed(
                    "the file lacks %d objects, for example %s"
                            .formatted(missing.size(), missing.iterator().next()));
        }
    }

    /** Returns the hashes that the command lists: the first word of each line. */
    private static Set<String> objects(Git git, List<String> command) {
        var found = new HashSet<String>();
        git.text(command.toArray(String[]::new))
                .lines()
                .filter(line -> !line.isBlank())
                .forEach(line -> found.add(line.split(" ", 2)[0]));
        return found;
    }

    /** Returns the objects in packs of this repository, which all came from the file. */
    private static Set<String> packed(Git git) {
        var found = new HashSet<String>();
        try (var packs =
                Files.newDirectoryStream(git.directory().resolve("objects/pack"), "*.idx")) {
            for (var index : packs) {
                git.text(Files.readAllBytes(index), "show-index")
                        .lines()
                        .forEach(line -> found.add(line.split(" ", 3)[1]));
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot list the objects of a bundle", e);
        }
        return found;
    }

    private static void borrow(Path restored, Path common) {
        try {
            var lender = common.resolve("objects") + "\n";
            Files.writeString(restored.resolve("objects/info/alternates"), lender);
            var shallow = common.resolve("shallow");
            if (Files.exists(shallow)) Files.copy(shallow, restored.resolve("shallow"));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot borrow objects for '" + restored + "'", e);
        }
    }

    /** Compares the restored files with those on disk, by raw path: kind and every byte. */
    static void compare(Path scratch, String commit, Path root, List<String> paths) {
        var git = Git.ours(scratch.resolve("restored.git"));
        var entries = new java.util.HashMap<String, String[]>();
        for (var line : git.fields("ls-tree", "-r", "-z", "--full-tree", commit)) {
            int tab = line.indexOf('\t');
            entries.put(line.substring(tab + 1), line.substring(0, tab).split(" ", 3));
        }
        var process = git.open("cat-file", "--batch");
        try (var in = process.getInputStream();
                var out = process.getOutputStream()) {
            for (var path : paths) {
                var mode = Contents.mode(root, path);
                var entry = entries.get(path);
                if (mode.equals(Contents.NOTHING) && entry == null) continue;
                if (entry == null || !entry[0].equals(mode)) throw differs(path);
                out.write((entry[2] + "\n").getBytes(StandardCharsets.UTF_8));
                out.flush();
                long size = size(in);
                if (!same(in, size, RawName.below(root, path), mode)) throw differs(path);
                if (in.read() != '\n') throw differs(path);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read back the work of '" + root + "'", e);
        } finally {
            process.destroy();
        }
    }

    private static GitFailed differs(String path) {
        return new GitFailed(
                "'%s' in the bundle differs from the disk".formatted(RawName.shown(path)));
    }

    private static long size(InputStream in) throws IOException {
        var header = new StringBuilder();
        int c = in.read();
        while (c >= 0 && c != '\n') {
            header.append((char) c);
            c = in.read();
        }
        var parts = header.toString().split(" ", -1);
        if (parts.length != 3) throw new GitFailed("git has no such object: " + header);
        return Long.parseLong(parts[2]);
    }

    private static boolean same(InputStream in, long size, Path file, String mode)
            throws IOException {
        if (mode.equals(Contents.LINK)) {
            return java.util.Arrays.equals(in.readNBytes((int) size), Contents.link(file));
        }
        if (Files.size(file) != size) return false;
        try (var disk = Files.newInputStream(file)) {
            long left = size;
            while (left > 0) {
                int want = (int) Math.min(64 * 1024, left);
                if (!java.util.Arrays.equals(in.readNBytes(want), disk.readNBytes(want)))
                    return false;
                left -= want;
            }
            // The file may have grown since its size was read.
            return disk.read() < 0;
        }
    }

    /** Returns the refs in a bundle, with their commits. */
    static Map<String, String> refs(Path file) {
        var found = new LinkedHashMap<String, String>();
        for (var line : header(file)) {
            int space = line.indexOf(' ');
            if (space < 0 || line.startsWith("-")) continue;
            var name = line.substring(space + 1).getBytes(StandardCharsets.ISO_8859_1);
            found.put(new String(name, StandardCharsets.UTF_8), line.substring(0, space));
        }
        return found;
    }

    /** Returns the commits that a repository must have to take the bundle. */
    static List<String> prerequisites(Path file) {
        return header(file).stream()
                .filter(line -> line.startsWith("-"))
                .map(line -> line.substring(1).split(" ", 2)[0])
                .toList();
    }

    private static List<String> header(Path file) {
        var found = new ArrayList<String>();
        try (var reader =
                new BufferedReader(
                        new InputStreamReader(
                                Files.newInputStream(file), StandardCharsets.ISO_8859_1))) {
            var line = reader.readLine();
            while (line != null && !line.isEmpty()) {
                if (!line.startsWith("#") && !line.startsWith("@")) found.add(line);
                line = reader.readLine();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read '" + file + "'", e);
        }
        return found;
    }
}
