package dev.coppice.hooks;

import dev.coppice.kernel.WriteUnderWay;
import dev.coppice.web.Exchange.Peer;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.OptionalLong;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * Finds the process at the other end of a connection from this machine. A request can claim
 * anything, but the kernel knows which process holds the connection. Without {@code /proc}, or for
 * a process of another user, nothing is found.
 */
final class PeerProcess {
    private static final Path PROC = Path.of("/proc");
    private static final Pattern NUMBER = Pattern.compile("\\d+");
    private static final String ESTABLISHED = "01";
    private static final String LISTENS = "0A";
    private static final int ANCESTORS_MAX = 64;

    /** The fields of a line in the table of connections. */
    private static final int LOCAL = 1;

    private static final int REMOTE = 2;
    private static final int STATE = 3;
    private static final int INODE = 9;

    private PeerProcess() {}

    /** The process that holds the other end of the connection. */
    static OptionalLong of(Peer peer) {
        WriteUnderWay.forbid("looking for a process");
        if (!peer.theirs().getAddress().isLoopbackAddress()) return OptionalLong.empty();
        var theirs = hex(peer.theirs());
        var ours = hex(peer.ours());
        var inodes = new HashSet<String>();
        for (var line : connections()) {
            boolean isIt =
                    line[STATE].equals(ESTABLISHED)
                            && theirs.contains(line[LOCAL])
                            && ours.contains(line[REMOTE]);
            if (isIt) inodes.add(line[INODE]);
        }
        return inodes.isEmpty() ? OptionalLong.empty() : holder(inodes);
    }

    /** True if the process itself listens on this port of the machine. */
    static boolean listens(long pid, int port) {
        var suffix = ":%04X".formatted(port);
        var inodes = new HashSet<String>();
        for (var line : connections()) {
            if (line[STATE].equals(LISTENS) && line[LOCAL].endsWith(suffix)) {
                inodes.add(line[INODE]);
            }
        }
        return holds(PROC.resolve(Long.toString(pid)), inodes);
    }

    /** True if the process is {@code top} or a descendant of it. */
    static boolean isWithin(long pid, long top) {
        var at = ProcessHandle.of(pid);
        for (int i = 0; at.isPresent() && i < ANCESTORS_MAX; i++) {
            if (at.get().pid() == top) return true;
            at = at.get().parent();
        }
        return false;
    }

    private static List<String[]> connections() {
        var lines = new ArrayList<String[]>();
        for (var table : List.of("net/tcp", "net/tcp6")) {
            try (Stream<String> all = Files.lines(PROC.resolve(table))) {
                all.skip(1)
                        .map(line -> line.strip().split("\\s+", -1))
                        .filter(fields -> fields.length > INODE)
                        .forEach(lines::add);
            } catch (IOException | UncheckedIOException _) {
                // This system lacks the table.
            }
        }
        return lines;
    }

    /** The address as the two tables write it, word by word in the order of the machine. */
    private static Set<String> hex(InetSocketAddress address) {
        var port = ":%04X".formatted(address.getPort());
        var bytes = words(address.getAddress());
        boolean isShort = bytes.length() == 8;
        return isShort
                ? Set.of(bytes + port, "0000000000000000FFFF0000" + bytes + port)
                : Set.of(bytes + port);
    }

    private static String words(InetAddress address) {
        var bytes = address.getAddress();
        var text = new StringBuilder();
        for (int word = 0; word < bytes.length; word += 4) {
            for (int i = 3; i >= 0; i--) {
                text.append(HexFormat.of().toHexDigits(bytes[word + i]));
            }
        }
        return text.toString().toUpperCase(Locale.ROOT);
    }

    private static OptionalLong holder(Set<String> inodes) {
        try (Stream<Path> all = Files.list(PROC)) {
            return all.filter(dir -> NUMBER.matcher(dir.getFileName().toString()).matches())
                    .filter(dir -> holds(dir, inodes))
                    .mapToLong(dir -> Long.parseLong(dir.getFileName().toString()))
                    .findFirst();
        } catch (IOException | UncheckedIOException _) {
            return OptionalLong.empty();
        }
    }

    private static boolean holds(Path process, Set<String> inodes) {
        try (Stream<Path> files = Files.list(process.resolve("fd"))) {
            return files.anyMatch(file -> isOneOf(file, inodes));
        } catch (IOException | UncheckedIOException _) {
            // The process has ended, or belongs to another user.
            return false;
        }
    }

    private static boolean isOneOf(Path file, Set<String> inodes) {
        try {
            var target = Files.readSymbolicLink(file).toString();
            return target.startsWith("socket:[")
                    && inodes.contains(target.substring(8, target.length() - 1));
        } catch (IOException _) {
            return false;
        }
    }
}
