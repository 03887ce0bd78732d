package dev.coppice.runner.directory;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import dev.coppice.runner.raw.RawName;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The blobs recorded in the index by raw path, and the files whose bytes differ from them. */
final class IndexEntries {
    private static final String SUBMODULE = "160000";

    /** Attributes that make git store other bytes than the file has. */
    private static final List<String> CONVERTING =
            List.of("filter", "text", "eol", "crlf", "ident", "working-tree-encoding");

    private static final Set<String> NONE = Set.of("unspecified", "unset");
    private static final int BUFFER_BYTES = 64 * 1024;
    private final Map<String, String> blobs = new LinkedHashMap<>();
    private final Set<String> submodules = new LinkedHashSet<>();

    private IndexEntries() {}

    static IndexEntries of(Git git) {
        var found = new IndexEntries();
        for (var entry : git.fields("ls-files", "--stage", "-z")) {
            int tab = entry.indexOf('\t');
            var parts = entry.substring(0, tab).split(" ", 3);
            var path = entry.substring(tab + 1);
            if (parts[0].equals(SUBMODULE)) found.submodules.add(path);
            // Conflicts have several entries; git status reports them.
            else if (parts[2].equals("0") && !parts[0].equals(Contents.LINK)) {
                found.blobs.put(path, parts[1]);
            }
        }
        return found;
    }

    /** Returns the paths that the index records as submodules. */
    List<String> submodules() {
        return List.copyOf(submodules);
    }

    /**
     * Returns converted files whose bytes differ from the blob. Git calls them unchanged but cannot
     * reproduce them: a filter may lose bytes, and line endings are normalised.
     */
    List<String> unlikeTheirBytes(Git git) {
        if (blobs.isEmpty()) return List.of();
        var converted = new LinkedHashSet<String>();
        var paths = String.join("\0", blobs.keySet()) + "\0";
        var command = new java.util.ArrayList<>(List.of("check-attr", "-z", "--stdin"));
        command.addAll(CONVERTING);
        var fields = git.fields(paths.getBytes(ISO_8859_1), command.toArray(String[]::new));
        for (int i = 0; i + 2 < fields.size(); i += 3) {
            if (!NONE.contains(fields.get(i + 2))) converted.add(fields.get(i));
        }
        return converted.stream().filter(path -> isUnlike(git, path)).toList();
    }

    private boolean isUnlike(Git git, String path) {
        var mode = Contents.mode(git.directory(), path);
        boolean plain = mode.equals(Contents.FILE) || mode.equals(Contents.EXECUTABLE);
        var blob = blobs.get(path);
        return plain && blob != null && !blob.equals(hash(git, path, blob.length()));
    }

    /** Hashes a file as git does, with type and size before the contents. */
    private static String hash(Git git, String path, int digits) {
        var file = RawName.below(git.directory(), path);
        try (InputStream in = Files.newInputStream(file)) {
            var digest = MessageDigest.getInstance(digits > 40 ? "SHA-256" : "SHA-1");
            digest.update(("blob " + Files.size(file) + "\0").getBytes(StandardCharsets.US_ASCII));
            var buffer = new byte[BUFFER_BYTES];
            for (int read = in.read(buffer); read >= 0; read = in.read(buffer)) {
                digest.update(buffer, 0, read);
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchFileException _) {
            return "";
        } catch (IOException e) {
            throw new UncheckedIOException("cannot read '" + file + "'", e);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-1 and SHA-256", e);
        }
    }
}
