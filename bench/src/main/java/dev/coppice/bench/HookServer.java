package dev.coppice.bench;

import dev.coppice.scene.Temporary;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The original hook server, if the environment names its source ({@code HOOK_SERVER}) and the
 * program {@code bun} that runs it ({@code BUN}). It listens on loopback only.
 */
final class HookServer implements AutoCloseable {
    private static final String LOOPBACK =
            "const s = Bun.serve;"
                    + " (Bun as any).serve = (o: any) => s({ ...o, hostname: \"127.0.0.1\" });";
    private static final int TRIES = 200;
    private final Process process;
    private final int port;

    private HookServer(Path source, Path bun) throws IOException, InterruptedException {
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        var directory = Temporary.directory("hook-server");
        copy(source, directory);
        var loopback = Files.writeString(directory.resolve("loopback.ts"), LOOPBACK);
        var start =
                new ProcessBuilder(bun.toString(), "--preload", loopback.toString(), "src/index.ts")
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve("log").toFile());
        start.environment().put("SERVER_PORT", Integer.toString(port));
        process = start.start();
        for (int i = 0; i < TRIES && !listens(); i++) Load.rest();
    }

    static Optional<HookServer> start() throws IOException, InterruptedException {
        var source = System.getenv("HOOK_SERVER");
        var bun = System.getenv("BUN");
        if (source == null || bun == null) return Optional.empty();
        return Optional.of(new HookServer(Path.of(source), Path.of(bun)));
    }

    private static void copy(Path from, Path to) throws IOException {
        try (Stream<Path> all = Files.walk(from)) {
            for (var file : all.filter(Files::isRegularFile).toList()) {
                var copy = to.resolve(from.relativize(file).toString());
                Files.createDirectories(copy.getParent());
                Files.copy(file, copy);
            }
        }
    }

    private boolean listens() {
        try (var probe = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return probe.isConnected();
        } catch (IOException _) {
            return false;
        }
    }

    int port() {
        return port;
    }

    @Override
    public void close() {
        process.destroy();
        var _ = process.onExit().join();
    }
}
