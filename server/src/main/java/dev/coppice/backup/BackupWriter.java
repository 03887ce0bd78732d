package dev.coppice.backup;

import dev.coppice.client.OwnerOnly;
import dev.coppice.wire.Json;

import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Writes a backup: the entries one by one, then the manifest with their sizes and hashes. */
public final class BackupWriter implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final byte[] NEW_LINE = {'\n'};

    /**
     * 1980-01-01, the earliest time of a ZIP entry: entries do not depend on when they are written.
     */
    private static final long ENTRY_TIME = 315_532_800_000L;

    private final Path path;
    private final FileOutputStream file;
    private final ZipOutputStream zip;
    private final DigestOutputStream hashed;

    /** Buffers lines, because hashing and compressing each short line by itself is slow. */
    private final OutputStream gathered;

    private final List<Manifest.Entry> entries = new ArrayList<>();
    private String name = "";
    private long size;
    private long lines;

    public BackupWriter(Path path) throws IOException {
        this.path = path;
        OwnerOnly.create(path);
        this.file = new FileOutputStream(path.toFile());
        this.zip = new ZipOutputStream(new BufferedOutputStream(file, BUFFER_BYTES));
        this.hashed = new DigestOutputStream(zip, UploadStore.digest());
        this.gathered = new BufferedOutputStream(hashed, BUFFER_BYTES);
    }

    public void begin(String entry) throws IOException {
        name = entry;
        hashed.setMessageDigest(UploadStore.digest());
        size = 0;
        lines = 0;
        var header = new ZipEntry(entry);
        header.setTime(ENTRY_TIME);
        zip.putNextEntry(header);
    }

    public void line(Object value) throws IOException {
        write(Json.bytes(value));
        write(NEW_LINE);
        lines++;
    }

    private void write(byte[] bytes) throws IOException {
        write(bytes, bytes.length);
    }

    private void write(byte[] bytes, int length) throws IOException {
        gathered.write(bytes, 0, length);
        size += length;
    }

    public void end() throws IOException {
        gathered.flush();
        zip.closeEntry();
        var hash = HexFormat.of().formatHex(hashed.getMessageDigest().digest());
        entries.add(new Manifest.Entry(name, hash, size, lines));
    }

    void copy(String entry, Path from) throws IOException {
        begin(entry);
        try (var in = Files.newInputStream(from)) {
            var buffer = new byte[BUFFER_BYTES];
            int read = in.read(buffer);
            while (read >= 0) {
                write(buffer, read);
                read = in.read(buffer);
            }
        }
        end();
    }

    /** The entries written so far. */
    public List<Manifest.Entry> entries() {
        return List.copyOf(entries);
    }

    /**
     * Writes the manifest and the comment of the ZIP file: the hash of the manifest, then the hash
     * of all bytes before this second hash. It detects changed headers and appended bytes.
     */
    public void finish(Manifest manifest) throws IOException {
        var bytes = Json.write(manifest).getBytes(StandardCharsets.UTF_8);
        var hash = HexFormat.of().formatHex(UploadStore.digest().digest(bytes));
        var header = new ZipEntry(Manifest.NAME);
        header.setTime(ENTRY_TIME);
        zip.putNextEntry(header);
        zip.write(bytes);
        zip.closeEntry();
        zip.setComment(hash + BackupFile.NO_HASH);
        zip.finish();
        zip.flush();
        seal();
        file.getFD().sync();
    }

    private void seal() throws IOException {
        long covered = Files.size(path) - BackupFile.HASH_CHARS;
        var hash = BackupFile.hash(path, covered).getBytes(StandardCharsets.US_ASCII);
        file.getChannel().write(ByteBuffer.wrap(hash), covered);
    }

    @Override
    public void close() throws IOException {
        zip.close();
    }
}
