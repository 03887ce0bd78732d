package dev.coppice.cli.removal;

import dev.coppice.boot.DatabaseSchema;
import dev.coppice.client.OwnerOnly;
import dev.coppice.runner.raw.Handles;
import dev.coppice.wire.Json;
import dev.coppice.wire.Release;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.BasicFileAttributes;
import java.security.DigestOutputStream;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.regex.Pattern;
import java.util.zip.ZipEntry;
import java.util.zip.ZipException;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;

/** A file with everything in a data directory that a coordinator cannot make again. */
final class WholeBackup {
    private static final String MANIFEST = "whole.json";
    private static final String DATABASE = "coppice.db";
    private static final String BACKUPS = "backups/";
    private static final String OUTPUTS = "runner/runs/";
    private static final int MANIFEST_BYTES_MAX = 256 * 1024 * 1024;

    /**
     * A backup leaves out files of a process, files that can be made again, and the directories of
     * agents.
     */
    private static final Pattern LEFT_OUT =
            Pattern.compile(
                    "(lock|url|listening|up\\.log(\\.1)?|coppice\\.db.*|.*\\.new|hosts/.*\\.state)"
                            + "|(native|rehearsal|runner)(/.*)?|backups/before_.*");

    /** A name stays below the directory that it is unpacked into. */
    private static final Pattern NAME =
            Pattern.compile("(?!(.*/)?\\.\\.?(/|$))[^/\\p{Cntrl}]+(/[^/\\p{Cntrl}]+)*");

    /** The manifest of a backup: the version that wrote it, and the hash of each file in it. */
    record Manifest(
            String version,
            String madeAt,
            int steps,
            boolean hasDatabase,
            boolean hasOutputs,
            Map<String, String> files) {}

    /** The file is damaged, or no such backup. */
    static final class Damaged extends IOException {
        private static final long serialVersionUID = 1;

        Damaged(String message) {
            super(message);
        }
    }

    private WholeBackup() {}

    /** True if a file is one of these, and not the backup of a tree. */
    static boolean is(Path file) {
        try (var zip = new ZipFile(file.toFile())) {
            return zip.getEntry(MANIFEST) != null;
        } catch (IOException _) {
            return false;
        }
    }

    /**
     * Writes the backup, and reads it back. Files of backups are written before the database and
     * after it: it names none that does not exist yet.
     */
    static Manifest write(
            Path data, Path backups, DatabaseSchema schema, boolean withOutputs, Path to)
            throws IOException {
        var copy = Files.createTempFile(data, DATABASE, ".new");
        var part = to.resolveSibling(to.getFileName() + ".part");
        try {
            OwnerOnly.create(part);
            var written = new TreeMap<String, String>();
            boolean hasDatabase;
            try (var zip = new ZipOutputStream(Files.newOutputStream(part))) {
                add(zip, written, backups, BACKUPS);
                Files.delete(copy);
                hasDatabase = schema.copyInto(copy);
                if (hasDatabase) add(zip, written, copy, DATABASE, null);
                add(zip, written, backups, BACKUPS);
                add(zip, written, data, "");
                if (withOutputs) add(zip, written, data.resolve(OUTPUTS), OUTPUTS);
                var manifest =
                        new Manifest(
                                Release.ours().version(),
                                InstantSource.system().instant().toString(),
                                DatabaseSchema.newest(),
                                hasDatabase,
                                withOutputs,
                                written);
                zip.putNextEntry(new ZipEntry(MANIFEST));
                zip.write(Json.bytes(manifest));
                zip.closeEntry();
            }
            var read = verify(part);
            Files.move(part, to, StandardCopyOption.ATOMIC_MOVE);
            return read;
        } finally {
            Files.deleteIfExists(copy);
            Files.deleteIfExists(part);
        }
    }

    /** Adds the regular files below a directory that are not there yet. */
    private static void add(
            ZipOutputStream zip, Map<String, String> written, Path directory, String below)
            throws IOException {
        if (!Files.isDirectory(directory)) return;
        var start = directory.toRealPath();
        for (var file : files(start, below)) {
            var name = below + start.relativize(file);
            if (!NAME.matcher(name).matches()) {
                throw new IOException("the name of %s has control characters".formatted(file));
            }
            if (!written.containsKey(name)) add(zip, written, file, name, start);
        }
    }

    /** The files below a directory that are not left out; some may vanish meanwhile. */
    private static List<Path> files(Path start, String below) throws IOException {
        var files = new ArrayList<Path>();
        Files.walkFileTree(
                start,
                new SimpleFileVisitor<>() {
                    private boolean isLeftOut(Path path) {
                        var name = below + start.relativize(path);
                        // The backups were added from their own directory.
                        if (below.isEmpty() && name.startsWith("backups")) return true;
                        return !below.equals(OUTPUTS) && LEFT_OUT.matcher(name).matches();
                    }

                    @Override
                    public FileVisitResult preVisitDirectory(Path path, BasicFileAttributes a) {
                        return !path.equals(start) && isLeftOut(path)
                                ? FileVisitResult.SKIP_SUBTREE
                                : FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFile(Path path, BasicFileAttributes a) {
                        boolean isFile = a.isRegularFile() || Files.isRegularFile(path);
                        if (isFile && !isLeftOut(path)) files.add(path);
                        return FileVisitResult.CONTINUE;
                    }

                    @Override
                    public FileVisitResult visitFileFailed(Path path, IOException e)
                            throws IOException {
                        if (e instanceof NoSuchFileException) return FileVisitResult.CONTINUE;
                        throw e;
                    }

                    @Override
                    public FileVisitResult postVisitDirectory(Path path, @Nullable IOException e)
                            throws IOException {
                        if (e == null || e instanceof NoSuchFileException) {
                            return FileVisitResult.CONTINUE;
                        }
                        throw e;
                    }
                });
        return files;
    }

    /** Adds a file; one of a directory may have been deleted meanwhile. */
    private static void add(
            ZipOutputStream zip,
            Map<String, String> written,
            Path file,
            String name,
            @Nullable Path directory)
            throws IOException {
        try (var in = Files.newInputStream(file)) {
            zip.putNextEntry(new ZipEntry(name));
            written.put(name, hash(in, zip));
            zip.closeEntry();
        } catch (NoSuchFileException e) {
            if (directory == null) throw e;
        }
    }

    /** Copies a stream, and returns its SHA-256. */
    private static String hash(InputStream in, OutputStream out) throws IOException {
        try {
            var digest = MessageDigest.getInstance("SHA-256");
            in.transferTo(new DigestOutputStream(out, digest));
            return HexFormat.of().formatHex(digest.digest());
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    /** Reads the whole file, and compares each hash. */
    static Manifest verify(Path file) throws IOException {
        try (var zip = new ZipFile(file.toFile())) {
            return verify(zip, null);
        } catch (ZipException e) {
            throw new Damaged(String.valueOf(e.getMessage()));
        }
    }

    private static Manifest verify(ZipFile zip, @Nullable Path into) throws IOException {
        var manifest = manifest(zip);
        long entries = zip.stream().filter(each -> !each.getName().equals(MANIFEST)).count();
        if (entries != manifest.files().size()) {
            throw new Damaged(
                    "it has %d files, and its manifest names %d"
                            .formatted(entries, manifest.files().size()));
        }
        for (var each : manifest.files().entrySet()) {
            var name = each.getKey();
            var entry = zip.getEntry(name);
            if (entry == null || !NAME.matcher(name).matches()) {
                throw new Damaged("'%s' is missing, or has no valid name".formatted(name));
            }
            try (var in = zip.getInputStream(entry);
                    var out = into == null ? OutputStream.nullOutputStream() : made(into, name)) {
                if (!hash(in, out).equals(each.getValue())) {
                    throw new Damaged(
                            "'%s' has another hash than its manifest says".formatted(name));
                }
            }
        }
        return manifest;
    }

    private static Manifest manifest(ZipFile zip) throws IOException {
        var entry = zip.getEntry(MANIFEST);
        if (entry == null) throw new Damaged("it has no manifest");
        try (var in = zip.getInputStream(entry)) {
            var bytes = in.readNBytes(MANIFEST_BYTES_MAX);
            return Json.as(Json.read(bytes), Manifest.class);
        } catch (RuntimeException e) {
            throw new Damaged("its manifest cannot be read: " + e.getMessage());
        }
    }

    private static OutputStream made(Path into, String name) throws IOException {
        var file = into.resolve(name);
        if (!file.normalize().equals(file) || !file.startsWith(into)) {
            throw new Damaged("'%s' has no valid name".formatted(name));
        }
        for (var place = file.getParent();
                place != null && place.startsWith(into);
                place = place.getParent()) {
            OwnerOnly.directory(place);
        }
        OwnerOnly.create(file);
        return Files.newOutputStream(file);
    }

    /** Unpacks the whole file beside the data directory, and moves it there if all is well. */
    static Manifest restore(Path file, Path data) throws IOException {
        verify(file);
        var parent = data.toAbsolutePath().normalize().getParent();
        if (parent == null) throw new IOException("the root is no data directory");
        Files.createDirectories(parent);
        var beside = Files.createTempDirectory(parent, ".coppice-restoring");
        try (var zip = new ZipFile(file.toFile())) {
            var manifest = verify(zip, beside);
            Files.deleteIfExists(data);
            Files.move(beside, data, StandardCopyOption.ATOMIC_MOVE);
            return manifest;
        } finally {
            if (Files.exists(beside)) Handles.delete(beside);
        }
    }
}
