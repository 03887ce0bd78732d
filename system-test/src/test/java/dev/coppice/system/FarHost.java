package dev.coppice.system;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * Another host: a network namespace with one cable to this host, which can be cut. It needs root
 * and iproute2.
 */
final class FarHost implements AutoCloseable {
    private static final Path IP = Path.of("/usr/sbin/ip");
    private static final AtomicInteger MADE = new AtomicInteger();

    private final String name;
    private final String cable;
    private final String near;
    private final String far;

    FarHost() {
        long process = ProcessHandle.current().pid();
        int number = MADE.getAndIncrement();
        name = "coppice-%d-%d".formatted(process, number);
        cable = "c%dn%d".formatted(process % 10_000_000, number);
        var net = "10.%d.%d.".formatted(64 + process / 256 % 64, (process + 128L * number) % 256);
        near = net + "1";
        far = net + "2";
        ip("netns", "add", name);
        ip("link", "add", cable, "type", "veth", "peer", "name", "eth0", "netns", name);
        ip("addr", "add", near + "/24", "dev", cable);
        ip("link", "set", cable, "up");
        ip("-n", name, "addr", "add", far + "/24", "dev", "eth0");
        ip("-n", name, "link", "set", "eth0", "up");
        ip("-n", name, "link", "set", "lo", "up");
    }

    /** Throws where CI demands everything: a scene that is skipped there proves nothing. */
    static boolean isPossible() {
        boolean isPossible = Machine.isRoot() && Files.isExecutable(IP);
        if (!isPossible && "required".equals(System.getenv("COPPICE_PEERS"))) {
            throw new AssertionError("another host needs root and " + IP);
        }
        return isPossible;
    }

    /** The address of this host on the cable. */
    String near() {
        return near;
    }

    /** The address of that host on the cable. */
    String far() {
        return far;
    }

    /** The command line that runs there. */
    List<String> command(List<String> command) {
        var line = new ArrayList<>(List.of("nsenter", "--net=/run/netns/" + name));
        line.addAll(command);
        return line;
    }

    void cut() {
        ip("link", "set", cable, "down");
    }

    void mend() {
        ip("link", "set", cable, "up");
    }

    private static void ip(String... words) {
        var line = new ArrayList<>(List.of(IP.toString()));
        line.addAll(List.of(words));
        try {
            var process = new ProcessBuilder(line).redirectErrorStream(true).start();
            var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            if (process.waitFor() != 0) throw new AssertionError(line + ": " + said);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Override
    public void close() {
        ip("netns", "delete", name);
    }
}
