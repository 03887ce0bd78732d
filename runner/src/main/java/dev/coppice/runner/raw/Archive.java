package dev.coppice.runner.raw;

import dev.coppice.tar.Tar;

import org.jspecify.annotations.Nullable;

import java.io.BufferedInputStream;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.ByteBuffer;
import java.nio.channels.SeekableByteChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Writes a directory to one tar file: every byte, mode, link, time and hole, {@code .git} included.
 * It does not interpret the files, so it cannot miss a kind of work. Each archive is read back and
 * compared with the directory, entry by entry.
 */
public final class Archive {
    private static final int BUFFER_BYTES = 128 * 1024;

    /** Granularity of holes: a block of this size is either stored or skipped. */
    private static final int HOLE_BYTES_MIN = 64 * 1024;

    /** Smaller files, and holes that save less in all, are stored in full. */
    private static final long SPARSE_BYTES_MIN = 1024 * 1024;

    /** Owner bits, ignored in comparisons: {@link Handles} may have set them to read a file. */
    private static final int OWNER = 0700;

    private final Path root;
    private final Selection selection;
    private final Map<Object, String> links = new HashMap<>();
    private final Inodes inodes = new Inodes();

    private Archive(Path root, Selection selection) {
        this.root = root;
        this.selection = selection;
    }

    /** Selects the entries to archive. Nothing below an excluded directory is archived. */
    public interface Selection {
        boolean takes(String raw);

        /** A directory with replacement files, archived at the same relative paths; or null. */
        default @Nullable Path standIns() {
            return null;
        }
    }

    /** Called for each selected entry, in archive order. */
    private interface Step {
        void on(Tar.Header header, Handles.Entry entry) throws IOException;
    }

    /** True if the file is an archive. An empty archive starts with a zero block. */
    public static boolean is(Path file) throws IOException {
        try (var in = Files.newInputStream(file)) {
            var begin = in.readNBytes(Tar.BLOCK_BYTES);
            return begin.length == Tar.BLOCK_BYTES && (begin[0] == 0 || Tar.isHeader(begin));
        }
    }

    /** Writes the archive. Throws if it does not match the directory when read back. */
    public static void write(Path root, Selection selection, Path file) throws IOException {
        try (var out = new BufferedOutputStream(Files.newOutputStream(file), BUFFER_BYTES)) {
            new Archive(root, selection)
                    .each((header, entry) -> {
                        Tar.write(header, out);
                        if (header.type() == Tar.Header.FILE) copy(header, entry, out);
                    });
            out.write(new byte[2 * Tar.BLOCK_BYTES]);
        }
        compare(root, selection, file);
    }

    /** Throws if the archive does not match the present contents of the directory. */
    public static void compare(Path root, Selection selection, Path file) throws IOException {
        try (var in = new BufferedInputStream(Files.newInputStream(file), BUFFER_BYTES)) {
            var reader = new Tar.Reader(in);
            new Archive(root, selection)
                    .each((header, entry) -> {
                        var preserved = reader.next();
                        if (preserved == null || !isSame(preserved, header))
                            throw changed(entry.path());
                        if (header.type() == Tar.Header.FILE
                                && !holdsSame(reader, preserved, entry)) {
                            throw changed(entry.path());
                        }
                    });
            if (reader.next() != null) throw changed(root);
        }
    }

    private static PreservationFailed changed(Path path) {
        return new PreservationFailed("'" + path + "' changed while being preserved");
    }

    private static boolean isSame(Tar.Header preserved, Tar.Header now) {
        return preserved.name().equals(now.name())
                && preserved.type() == now.type()
                && (preserved.mode() | OWNER) == (now.mode() | OWNER)
                && preserved.size() == now.size()
                && preserved.time().equals(now.time())
                && preserved.link().equals(now.link())
                && preserved.owner().equals(now.owner())
                && preserved.omitted().equals(now.omitted());
    }

    private void each(Step step) throws IOException {
        each(root, selection::takes, step);
        var standIns = selection.standIns();
        if (standIns == null) return;
        // The directories of the stand-ins are already in the archive.
        each(
                standIns,
                _ -> true,
                (header, entry) -> {
                    if (header.type() == Tar.Header.DIRECTORY) return;
                    check(entry.raw());
                    step.on(header, entry);
                });
    }

    /** Throws if the directory of a stand-in is not in the archive, or its name is taken. */
    private void check(String raw) {
        var file = RawName.below(root, raw);
        boolean isTaken = Files.exists(file, LinkOption.NOFOLLOW_LINKS) && selection.takes(raw);
        boolean isAside = false;
        for (int slash = raw.indexOf('/'); slash > 0; slash = raw.indexOf('/', slash + 1)) {
            var above = raw.substring(0, slash);
            var directory = RawName.below(root, above);
            isAside |= !Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS);
            isAside |= !selection.takes(above);
        }
        if (isTaken || isAside)
            throw new PreservationFailed("cannot put a replacement at '" + file + "'");
    }

    private void each(Path top, Predicate<String> which, Step step) throws IOException {
        Handles.walk(
                top,
                new Handles.Visitor() {
                    @Override
                    public boolean directory(Handles.Entry directory) throws IOException {
                        if (!which.test(directory.raw())) return false;
                        var inode = inodes.of(directory);
                        step.on(header(directory, inode, Tar.Header.DIRECTORY, ""), directory);
                        return true;
                    }

                    @Override
                    public void file(Handles.Entry file) throws IOException {
                        if (!which.test(file.raw())) return;
                        try {
                            var header = header(file);
                            if (header != null) step.on(header, file);
                        } catch (NoSuchFileException _) {
                            throw changed(file.path());
                        }
                    }
                });
    }

    /** Returns null for sockets and devices, which have no contents to archive. */
    private Tar.@Nullable Header header(Handles.Entry file) throws IOException {
        var attributes = file.attributes();
        var inode = inodes.of(file);
        if (attributes.isSymbolicLink()) {
            return header(file, inode, Tar.Header.LINK, RawName.ofLink(file.near()));
        }
        if (attributes.isOther()) {
            return inode.isPipe() ? header(file, inode, Tar.Header.PIPE, "") : null;
        }
        var key = inode.links() > 1 ? attributes.fileKey() : null;
        var first = key == null ? null : links.putIfAbsent(key, file.raw());
        return first == null
                ? header(file, inode, Tar.Header.FILE, "")
                : header(file, inode, Tar.Header.HARD_LINK, first);
    }

    private static Tar.Header header(
            Handles.Entry entry, Inodes.Inode inode, char type, String link) throws IOException {
        var time = entry.attributes().lastModifiedTime().toInstant();
        boolean isFile = type == Tar.Header.FILE;
        long size = isFile ? entry.attributes().size() : 0;
        return new Tar.Header(
                entry.raw(),
                type,
                inode.permissions(),
                size,
                timed(type, time),
                link,
                isFile ? pieces(entry, size) : List.of(),
                inode.owner(),
                inode.extended());
    }

    /** Returns the time to record; a fixed one for links, whose time is not restored. */
    private static Instant timed(char type, Instant time) {
        return type == Tar.Header.LINK ? Instant.EPOCH : time;
    }

    /** Returns the pieces of a large file that are not zero; empty if holes save too little. */
    private static List<Tar.Piece> pieces(Handles.Entry file, long size) throws IOException {
        if (size < SPARSE_BYTES_MIN) return List.of();
        var found = new ArrayList<Tar.Piece>();
        var buffer = ByteBuffer.allocate(HOLE_BYTES_MIN);
        try (var channel = file.open()) {
            long at = 0;
            while (at < size && fill(channel, buffer, Math.min(HOLE_BYTES_MIN, size - at))) {
                int length = buffer.limit();
                if (!isZero(buffer)) add(found, at, length);
                at += length;
            }
            if (at < size) throw changed(file.path());
        }
        long there = found.stream().mapToLong(Tar.Piece::length).sum();
        if (size - there < SPARSE_BYTES_MIN) return List.of();
        // Tar programs take the file's end from an empty last piece.
        var last = found.isEmpty() ? new Tar.Piece(0, 0) : found.getLast();
        if (last.from() + last.length() < size) found.add(new Tar.Piece(size, 0));
        return found;
    }

    private static void add(List<Tar.Piece> pieces, long from, long length) {
        if (!pieces.isEmpty()) {
            var last = pieces.getLast();
            if (last.from() + last.length() == from) {
                pieces.set(pieces.size() - 1, new Tar.Piece(last.from(), last.length() + length));
                return;
            }
        }
        pieces.add(new Tar.Piece(from, length));
    }

    private static boolean isZero(ByteBuffer buffer) {
        for (int i = 0; i < buffer.limit(); i++) if (buffer.get(i) != 0) return false;
        return true;
    }

    /** Reads exactly {@code length} bytes; false if the file ends before. */
    private static boolean fill(SeekableByteChannel channel, ByteBuffer buffer, long length)
            throws IOException {
        buffer.clear().limit((int) length);
        while (buffer.hasRemaining()) if (channel.read(buffer) < 0) return false;
        buffer.flip();
        return true;
    }

    private static List<Tar.Piece> whole(Tar.Header header) {
        return header.isSparse() ? header.pieces() : List.of(new Tar.Piece(0, header.size()));
    }

    private static void copy(Tar.Header header, Handles.Entry entry, OutputStream out)
            throws IOException {
        if (header.isSparse()) out.write(header.map());
        var buffer = ByteBuffer.allocate(BUFFER_BYTES);
        try (var channel = entry.open()) {
            for (var piece : whole(header)) {
                channel.position(piece.from());
                for (long left = piece.length(); left > 0; left -= buffer.limit()) {
                    long length = Math.min(BUFFER_BYTES, left);
                    if (!fill(channel, buffer, length)) throw changed(entry.path());
                    out.write(buffer.array(), 0, buffer.limit());
                }
            }
        }
        long stored = header.stored();
        out.write(new byte[(int) (Tar.padded(stored) - stored)]);
    }

    /** True if the archived file, holes included, has the same bytes as the file on disk. */
    private static boolean holdsSame(Tar.Reader reader, Tar.Header preserved, Handles.Entry entry)
            throws IOException {
        var ours = new byte[BUFFER_BYTES];
        var theirs = ByteBuffer.allocate(BUFFER_BYTES);
        try (var channel = entry.open()) {
            long at = 0;
            for (var piece : whole(preserved)) {
                if (!isZero(channel, theirs, piece.from() - at)) return false;
                for (long left = piece.length(); left > 0; ) {
                    int read = reader.read(ours);
                    if (read < 0 || !fill(channel, theirs, read)) return false;
                    if (!Arrays.equals(ours, 0, read, theirs.array(), 0, read)) return false;
                    left -= read;
                }
                at = piece.from() + piece.length();
            }
            return isZero(channel, theirs, preserved.size() - at)
                    && channel.read(theirs.clear()) < 0;
        }
    }

    private static boolean isZero(SeekableByteChannel channel, ByteBuffer buffer, long length)
            throws IOException {
        for (long left = length; left > 0; left -= buffer.limit()) {
            if (!fill(channel, buffer, Math.min(buffer.capacity(), left))) return false;
            if (!isZero(buffer)) return false;
        }
        return true;
    }
}
