package dev.coppice.backup;

import dev.coppice.wire.Json;

import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

import java.io.BufferedOutputStream;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.DigestOutputStream;
import java.time.Instant;
import java.util.HexFormat;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;

/** Writes a backup: the entries one by one, then the manifest with their sizes and hashes. */
final class BackupWriter implements AutoCloseable {
    private static final int BUFFER_BYTES = 64 * 1024;
    private static final byte[] NEW_LINE = {'\n'};

    /** A constant, so that the same rows always give the same bytes. */
    private static final long ENTRY_TIME = 315_532_800_000L;

    private final Path path;
    private final FileOutputStream file;
    private final ZipOutputStream zip;
    private final DigestOutputStream hashed;

    /** Buffers the short lines: to hash and deflate each by itself costs more than the line. */
    private final OutputStream gathered;

    private final ArrayNode entries = Json.object().putArray("entries");
    private String name = "";
    private long size;
    private long lines;

    BackupWriter(Path path) throws IOException {
        this.path = path;
        this.file = new FileOutputStream(path.toFile());
        this.zip = new ZipOutputStream(new BufferedOutputStream(file, BUFFER_BYTES));
        this.hashed = new DigestOutputStream(zip, UploadStore.digest());
        this.gathered = new BufferedOutputStream(hashed, BUFFER_BYTES);
    }

    void begin(String entry) throws IOException {
        name = entry;
        hashed.setMessageDigest(UploadStore.digest());
        size = 0;
        lines = 0;
        var header = new ZipEntry(entry);
        header.setTime(ENTRY_TIME);
        zip.putNextEntry(header);
    }

    void line(Object value) throws IOException {
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

    void end() throws IOException {
        gathered.flush();
        zip.closeEntry();
        entries.add(
                Json.object()
                        .put("name", name)
                        .put("sha256", HexFormat.of().formatHex(hashed.getMessageDigest().digest()))
                        .put("size", size)
                        .put("lines", lines));
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

    ObjectNode manifest(BackupFile.Top top, Instant at) {
        var manifest =
                Json.object()
                        .put("format", BackupFile.FORMAT)
                        .put("version", BackupFile.VERSION)
                        .put("made_at", at.toString());
        manifest.putObject("top")
                .put("session_id", top.id())
                .put("session_name", top.name())
                .put("parent_session_id", top.parent());
        manifest.set("entries", entries);
        return manifest;
    }

    /**
     * Writes the manifest and the comment of the ZIP file: the hash of the manifest, then the hash
     * of all bytes before it. So a changed header and bytes after the end are detected, too.
     */
    void finish(ObjectNode manifest) throws IOException {
        var bytes = Json.write(manifest).getBytes(StandardCharsets.UTF_8);
        var hash = HexFormat.of().formatHex(UploadStore.digest().digest(bytes));
        var header = new ZipEntry(BackupFile.MANIFEST);
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
