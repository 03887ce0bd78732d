package dev.coppice.backup;

import dev.coppice.removal.TreeRows;
import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;

import java.io.BufferedInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.function.Consumer;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;

/**
 * A backup on disk: a ZIP file of JSON lines and files of preserved work, with a manifest of the
 * size and hash of each entry. Reading it needs no coordinator.
 */
public final class BackupFile implements AutoCloseable {
    static final String WORK = "work.jsonl";
    static final String BLUEPRINTS = "blueprints.jsonl";

    /** The format keeps this name, so that older files can be read. */
    static final String PRESERVED = "kept/";

    static final int HASH_CHARS = 64;
    static final String NO_HASH = "0".repeat(HASH_CHARS);
    private static final int BUFFER_BYTES = 64 * 1024;

    /** Fits a row with two results of the largest size, each character escaped to six. */
    private static final int LINE_BYTES_MAX = 128 * 1024 * 1024;

    /** Fits a directory in which a million sessions worked. A row has a few dozen. */
    private static final long LINE_TOKENS_MAX = 1_000_000;

    private static final int MANIFEST_BYTES_MAX = 64 * 1024 * 1024;

    /** Fits the entries of the largest manifest: ten tokens in more than 128 bytes. */
    private static final long MANIFEST_TOKENS_MAX = MANIFEST_BYTES_MAX / 128 * 10L;

    private final ZipFile zip;
    private final Manifest manifest;

    /** A summary of the contents. */
    public record Report(
            Manifest.Top top,
            String madeAt,
            long sessions,
            long events,
            int entries,
            String auditHead,
            List<Manifest.Earlier> earlier) {
        public Report {
            earlier = List.copyOf(earlier);
        }
    }

    /** The file is not what was written, or is of a newer version. */
    public static class Damaged extends Exception {
        private static final long serialVersionUID = 1;

        Damaged(String message) {
            super(message);
        }

        /** A predicate that follows the name of the file in a message. */
        public String said() {
            return "is damaged: " + getMessage();
        }
    }

    private static final class Newer extends Damaged {
        private static final long serialVersionUID = 1;

        Newer(String message) {
            super(message);
        }

        @Override
        public String said() {
            return "cannot be read here: " + getMessage();
        }
    }

    private BackupFile(ZipFile zip, Manifest manifest) {
        this.zip = zip;
        this.manifest = manifest;
    }

    static String entry(TreeRows.Table table) {
        return table.name() + ".jsonl";
    }

    /** Reads the whole file, and checks it and every entry against their hashes. */
    public static Report verify(Path path) throws Damaged {
        try (var file = open(path)) {
            file.sealed(path);
            return file.checked();
        }
    }

    /** Checks every byte of the file, also those outside of all entries. */
    private void sealed(Path path) throws Damaged {
        var comment = String.valueOf(zip.getComment());
        if (comment.length() != 2 * HASH_CHARS) {
            throw new Damaged("it has no hash of all its bytes");
        }
        try {
            long covered = Files.size(path) - HASH_CHARS;
            if (!hash(path, covered).equals(comment.substring(HASH_CHARS))) {
                throw new Damaged("its bytes do not match its hash");
            }
        } catch (IOException e) {
            throw new Damaged("it cannot be read: " + e.getMessage());
        }
    }

    /** Returns the hash of the first {@code bytes} bytes. */
    static String hash(Path path, long bytes) throws IOException {
        var digest = UploadStore.digest();
        try (var in = Files.newInputStream(path)) {
            var buffer = new byte[BUFFER_BYTES];
            for (long left = bytes; left > 0; ) {
                int read = in.read(buffer, 0, (int) Math.min(buffer.length, left));
                if (read < 0) break;
                digest.update(buffer, 0, read);
                left -= read;
            }
        }
        return HexFormat.of().formatHex(digest.digest());
    }

    /** Returns the hash of the whole file, for an upload. */
    public static String sha256(Path path) throws IOException {
        return UploadStore.sha256(path);
    }

    /** Opens the file; reads only the manifest, and checks it against its hash. */
    public static BackupFile open(Path path) throws Damaged {
        try {
            var zip = new ZipFile(path.toFile());
            try {
                return new BackupFile(zip, manifest(zip));
            } catch (Damaged | IOException | RuntimeException e) {
                zip.close();
                throw e;
            }
        } catch (ZipException | IllegalArgumentException | Json.Unreadable e) {
            throw new Damaged("it is not a backup, or is incomplete: " + e.getMessage());
        } catch (IOException e) {
            throw new Damaged("it cannot be read: " + e.getMessage());
        }
    }

    private static Manifest manifest(ZipFile zip) throws IOException, Damaged {
        var entry = zip.getEntry(Manifest.NAME);
        if (entry == null) throw new Damaged("it has no " + Manifest.NAME);
        byte[] bytes;
        try (var in = zip.getInputStream(entry)) {
            bytes = in.readNBytes(MANIFEST_BYTES_MAX);
        }
        var hash = HexFormat.of().formatHex(UploadStore.digest().digest(bytes));
        var comment = String.valueOf(zip.getComment());
        if (!comment.startsWith(hash))
            throw new Damaged(Manifest.NAME + " does not match its hash");
        var read = bounded(bytes, MANIFEST_TOKENS_MAX, "it");
        if (!read.isObject()) throw new Damaged(Manifest.NAME + " is not an object");
        // The version first: a newer manifest may have another shape.
        if (!Manifest.FORMAT.equals(Json.text(read, "format"))) {
            throw new Damaged("its format is " + Json.text(read, "format"));
        }
        int version = read.path("version").asInt(0);
        if (version > Manifest.VERSION) {
            throw new Newer(
                    "it was written by a newer version: format %d, and this one reads up to %d"
                            .formatted(version, Manifest.VERSION));
        }
        var manifest = Json.as(read, Manifest.class);
        if (!manifest.isComplete()) throw new Damaged("its manifest is incomplete");
        return manifest;
    }

    private Report checked() throws Damaged {
        var named = new HashSet<>(Set.of(Manifest.NAME));
        for (var entry : manifest.entries()) {
            named.add(entry.name());
            check(entry.name(), entry);
        }
        zip.stream()
                .filter(e -> !named.contains(e.getName()))
                .findFirst()
                .ifPresent(e -> named.add("+" + e.getName()));
        for (var name : named) {
            if (name.startsWith("+"))
                throw new Damaged(name.substring(1) + " is not in its manifest");
        }
        return report();
    }

    private void check(String name, Manifest.Entry entry) throws Damaged {
        var found = zip.getEntry(name);
        if (found == null) throw new Damaged(name + " is missing");
        try (var in = zip.getInputStream(found);
                var out =
                        new DigestOutputStream(
                                OutputStream.nullOutputStream(), UploadStore.digest())) {
            long size = in.transferTo(out);
            var hash = HexFormat.of().formatHex(out.getMessageDigest().digest());
            if (!hash.equals(entry.sha256()) || !Objects.equals(size, entry.size()))
                throw new Damaged(name + " does not match its hash");
        } catch (IOException e) {
            throw new Damaged(name + " cannot be read: " + e.getMessage());
        }
    }

    public Report report() {
        return new Report(
                top(),
                String.valueOf(manifest.madeAt()),
                lines(TreeRows.Table.SESSIONS),
                lines(TreeRows.Table.EVENTS),
                manifest.entries().size(),
                String.valueOf(manifest.auditHead()),
                manifest.earlier());
    }

    List<Manifest.Earlier> earlier() {
        return manifest.earlier();
    }

    private long lines(TreeRows.Table table) {
        return manifest.entries().stream()
                .filter(e -> entry(table).equals(e.name()))
                .mapToLong(Manifest.Entry::lines)
                .findFirst()
                .orElse(0);
    }

    public Manifest.Top top() {
        return manifest.top();
    }

    /** Reads the rows of a table one by one. */
    void rows(TreeRows.Table table, Consumer<JsonNode> each) {
        lines(entry(table), each);
    }

    void lines(String entry, Consumer<JsonNode> each) {
        var found = zip.getEntry(entry);
        if (found == null) return;
        try (var in = new BufferedInputStream(zip.getInputStream(found), BUFFER_BYTES)) {
            var line = line(in);
            while (line.length > 0) {
                each.accept(bounded(line, LINE_TOKENS_MAX, "a line"));
                line = line(in);
            }
        } catch (IOException e) {
            throw unreadable(entry, e);
        } catch (Json.Unreadable e) {
            throw unreadable(entry, new IOException(e.getMessage(), e));
        }
    }

    /** Reads a bounded line: a small file may unpack to one that does not fit in memory. */
    private static byte[] line(InputStream in) throws IOException {
        var line = new ByteArrayOutputStream();
        for (int b = in.read(); b >= 0 && b != '\n'; b = in.read()) {
            if (line.size() == LINE_BYTES_MAX) {
                throw new IOException("a line is longer than %d bytes".formatted(LINE_BYTES_MAX));
            }
            line.write(b);
        }
        return line.toByteArray();
    }

    private static UncheckedIOException unreadable(String entry, IOException e) {
        return new UncheckedIOException("reading %s: %s".formatted(entry, e.getMessage()), e);
    }

    /** Counts tokens before it parses: an empty object takes 30 times the memory of its text. */
    private static JsonNode bounded(byte[] json, long max, String what) throws IOException {
        if (Json.hasMoreTokens(json, max)) {
            throw new IOException("%s has more than %d tokens of JSON".formatted(what, max));
        }
        return Json.read(json);
    }

    InputStream read(String entry) throws IOException {
        var found = zip.getEntry(entry);
        if (found == null) throw new IOException(entry + " is missing");
        return zip.getInputStream(found);
    }

    @Override
    public void close() {
        try {
            zip.close();
        } catch (IOException e) {
            throw new UncheckedIOException("closing a backup", e);
        }
    }
}
