package dev.coppice.runner.raw;

import dev.coppice.tar.Tar;

import java.io.BufferedInputStream;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/**
 * Restores a directory from its archive. The archive is untrusted: every name must be inside the
 * directory, and nothing is written through a link. Files that can make git run a program are
 * renamed: an agent wrote them, and the user runs the next command in that directory.
 */
public final class Unpacking {
    /** Name of the note among the packs of a repository whose objects were left to its remotes. */
    public static final String LEFT_TO_REMOTES = "coppice-left-to-remotes";

    private static final int BUFFER_BYTES = 128 * 1024;
    private final Path into;
    private final Reach reach;

    /** A second one, because a hard link needs two paths at once. */
    private final Reach targets;

    private final Set<String> made = new HashSet<>();
    private final List<String> aside = new ArrayList<>();
    private final List<Tar.Header> directories = new ArrayList<>();
    private final List<String> incomplete = new ArrayList<>();
    private final Losses losses = new Losses();
    private final Inodes inodes = new Inodes();
    private int files;

    public Unpacking(Path into) {
        this.into = into;
        this.reach = new Reach(into);
        this.targets = new Reach(into);
        made.add("");
    }

    /**
     * Files restored, names of renamed and skipped files, names of notes on missing objects, and
     * notes on what files lack.
     */
    public record Done(
            int files, List<String> aside, List<String> incomplete, List<String> losses) {}

    public Done from(Path archive) throws IOException {
        try (reach;
                targets;
                var in = new BufferedInputStream(Files.newInputStream(archive), BUFFER_BYTES)) {
            var reader = new Tar.Reader(in);
            for (var header = reader.next(); header != null; header = reader.next()) {
                unpack(header, reader);
            }
        }
        var renamed = Disarm.in(into, into.resolve("nothing is spared/"));
        renamed.keySet().stream()
                .sorted()
                .map(name -> RawName.shown(Disarm.placed(name, renamed)))
                .forEach(aside::add);
        // Last, and children first: the restored mode may forbid entering a directory.
        try (var placed = new Reach(into)) {
            for (var header : directories.reversed()) {
                finish(placed.at(Disarm.placed(header.name(), renamed)), header);
            }
        }
        return new Done(files, List.copyOf(aside), List.copyOf(incomplete), losses.notes());
    }

    private void unpack(Tar.Header header, Tar.Reader reader) throws IOException {
        var name = header.name();
        var path = path(name, reach);
        switch (header.type()) {
            case Tar.Header.DIRECTORY -> {
                Files.createDirectory(path);
                made.add(name);
                directories.add(header);
            }
            case Tar.Header.FILE -> {
                write(header, reader, path);
                finish(path, header);
                files++;
                if (name.contains("/" + LEFT_TO_REMOTES)) incomplete.add(RawName.shown(name));
            }
            case Tar.Header.LINK -> {
                Files.createSymbolicLink(path, RawName.link(header.link()));
                noteLosses(header, inodes.of(path).owner());
                files++;
            }
            case Tar.Header.HARD_LINK -> {
                Files.createLink(path, path(header.link(), targets));
                files++;
            }
            case Tar.Header.PIPE -> aside.add(RawName.shown(name) + " is a pipe and not restored");
            default ->
                    throw new PreservationFailed(
                            "unsupported type of archive entry: '%s'".formatted(header.type()));
        }
    }

    /** Resolves a name. Its parent must be a directory from the same archive. */
    private Path path(String name, Reach reach) throws IOException {
        var parts = List.of(name.split("/", -1));
        boolean leadsOut =
                parts.stream().anyMatch(p -> p.isEmpty() || p.equals(".") || p.equals(".."));
        var parent = name.contains("/") ? name.substring(0, name.lastIndexOf('/')) : "";
        if (leadsOut || name.indexOf('\0') >= 0 || !made.contains(parent)) {
            throw new PreservationFailed(
                    "archive entry '%s' points outside".formatted(RawName.shown(name)));
        }
        return reach.at(name);
    }

    private static void write(Tar.Header header, Tar.Reader reader, Path path) throws IOException {
        var buffer = new byte[BUFFER_BYTES];
        try (var channel =
                FileChannel.open(path, StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE)) {
            for (var piece :
                    header.isSparse()
                            ? header.pieces()
                            : List.of(new Tar.Piece(0, header.size()))) {
                channel.position(piece.from());
                for (long left = piece.length(); left > 0; ) {
                    int read = reader.read(buffer);
                    if (read < 0) throw new IOException("the archive is truncated");
                    var bytes = ByteBuffer.wrap(buffer, 0, read);
                    while (bytes.hasRemaining()) channel.write(bytes);
                    left -= read;
                }
            }
            // Writing the last byte creates the hole before it.
            if (channel.size() < header.size()) {
                channel.write(ByteBuffer.allocate(1), header.size() - 1);
            }
        }
    }

    /**
     * Sets mode and time. The bits for setuid, setgid and sticky are left out unless the same user
     * restores the file: an archive must not choose the user of a program. Group rights are left
     * out if the file had an access control list.
     */
    private void finish(Path path, Tar.Header header) throws IOException {
        var now = inodes.of(path).owner();
        int bits = Losses.withoutList(header.mode(), header.omitted());
        int mode = Losses.restorable(bits, header.owner(), now);
        if (mode > 0777) Files.setAttribute(path, "unix:mode", mode);
        else Files.setPosixFilePermissions(path, permissions(mode));
        Files.setLastModifiedTime(path, FileTime.from(header.time()));
        noteLosses(header, now);
    }

    private void noteLosses(Tar.Header header, Tar.Owner now) {
        // The mode of a link means nothing.
        int mode = header.type() == Tar.Header.LINK ? 0 : header.mode();
        losses.add(header.name(), mode, header.owner(), now);
        losses.addExtended(header.name(), header.omitted());
    }

    private static Set<PosixFilePermission> permissions(int mode) {
        var found = new HashSet<PosixFilePermission>();
        var all = PosixFilePermission.values();
        for (int i = 0; i < all.length; i++) if ((mode & (0400 >> i)) != 0) found.add(all[i]);
        return found;
    }
}
