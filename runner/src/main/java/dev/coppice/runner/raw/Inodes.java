package dev.coppice.runner.raw;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import dev.coppice.runner.process.Native;
import dev.coppice.tar.Tar;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFileAttributes;
import java.security.Principal;
import java.util.HashMap;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Reads the Unix attributes of files. Caches names of users and groups, because a directory service
 * may be slow.
 */
public final class Inodes {
    /** The machine's policy labels each restored file anew. */
    private static final String LABEL = "security.selinux";

    private static final int KIND = 0170000;
    private static final int PIPE = 0010000;

    private final Map<Number, String> users = new HashMap<>();
    private final Map<Number, String> groups = new HashMap<>();

    /**
     * Mode with its kind, number of hard links, owner, and names of extended attributes, with
     * commas. All is zero or empty where the file system has none.
     */
    public record Inode(int mode, long links, Tar.Owner owner, String extended) {
        static final Inode NOTHING = new Inode(0, 1, Tar.Owner.UNKNOWN, "");

        public int permissions() {
            return mode & 07777;
        }

        boolean isPipe() {
            return (mode & KIND) == PIPE;
        }
    }

    public Inode of(Handles.Entry entry) {
        try {
            return of(entry.near(), entry.attributes());
        } catch (IOException e) {
            throw new PreservationFailed(
                    "cannot stat '%s': %s".formatted(entry.path(), e.getMessage()));
        }
    }

    /** Returns the owner that files of this process get. */
    public Tar.Owner ours() throws IOException {
        return of(Scratch.current()).owner();
    }

    /** Follows no link. */
    Inode of(Path file) throws IOException {
        var attributes =
                Files.readAttributes(file, PosixFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
        return of(file, attributes);
    }

    private Inode of(Path file, PosixFileAttributes attributes) throws IOException {
        Map<String, Object> unix;
        try {
            unix = Files.readAttributes(file, "unix:mode,nlink,uid,gid", LinkOption.NOFOLLOW_LINKS);
        } catch (UnsupportedOperationException | IllegalArgumentException _) {
            return Inode.NOTHING;
        }
        var user = number(unix, "uid");
        var group = number(unix, "gid");
        var owner =
                new Tar.Owner(
                        Integer.toUnsignedLong(user.intValue()),
                        Integer.toUnsignedLong(group.intValue()),
                        users.computeIfAbsent(user, _ -> raw(attributes.owner())),
                        groups.computeIfAbsent(group, _ -> raw(attributes.group())));
        int mode = number(unix, "mode").intValue();
        return new Inode(mode, number(unix, "nlink").longValue(), owner, extended(file));
    }

    private static Number number(Map<String, Object> unix, String name) {
        return unix.get(name) instanceof Number number ? number : Integer.valueOf(0);
    }

    private static String raw(Principal owner) {
        return new String(owner.getName().getBytes(UTF_8), ISO_8859_1);
    }

    private static String extended(Path file) {
        if (!Native.isAvailable()) return "";
        var names = new String(Native.extendedAttributes(RawName.bytes(file)), ISO_8859_1);
        return Stream.of(names.split("\0", -1))
                .filter(name -> !name.isEmpty() && !name.equals(LABEL))
                .sorted()
                .collect(Collectors.joining(","));
    }
}
