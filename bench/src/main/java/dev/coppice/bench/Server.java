package dev.coppice.bench;

import dev.coppice.access.Caller;
import dev.coppice.access.Role;
import dev.coppice.boot.Coordinator;
import dev.coppice.boot.SettingsReader;
import dev.coppice.client.Trust;
import dev.coppice.runner.Runner;
import dev.coppice.runner.RunnerSettings;
import dev.coppice.scene.Temporary;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.HttpURLConnection;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** A coordinator in this process, and an HTTP client for it. */
final class Server implements AutoCloseable {
    private static final String DATABASE = "COPPICE_DB";
    private static final Duration ANSWER_MAX = Duration.ofMinutes(15);
    private final Path data;
    private final Coordinator coordinator;
    private final String token;

    Server() throws IOException {
        this(Temporary.directory("coppice-bench"));
    }

    /** A coordinator on the data of this directory. */
    Server(Path data) throws IOException {
        this.data = data;
        var settings =
                new HashMap<>(
                        Map.of(
                                "COPPICE_DATA", data.toString(),
                                "COPPICE_PORT", "0",
                                "COPPICE_LIMIT_CHILDREN", "1000000",
                                "COPPICE_LIMIT_DESCENDANTS", "10000000"));
        // The address of an empty PostgreSQL database to measure instead of SQLite.
        var database = System.getenv(DATABASE);
        if (database != null) {
            settings.put(DATABASE, database);
            // A database has one directory of backups, and a bench starts several coordinators.
            var backups = Path.of(System.getProperty("java.io.tmpdir"), "coppice-bench-backups");
            settings.put("COPPICE_BACKUPS", backups.toString());
        }
        coordinator = Coordinator.start(new SettingsReader(settings).read());
        token = Files.readString(data.resolve("token")).strip();
    }

    String token() {
        return token;
    }

    Path data() {
        return data;
    }

    Coordinator coordinator() {
        return coordinator;
    }

    /** Starts a runner for real processes and waits until it is registered. */
    Runner runner(int capacity) throws InterruptedException {
        return runner(capacity, "auto");
    }

    Runner runner(int capacity, String containment) throws InterruptedException {
        var runner =
                new Runner(
                        new RunnerSettings(
                                URI.create(coordinator.url()),
                                coordinator.tokens().issue(Caller.as(Role.RUNNER)),
                                Trust.OF_MACHINE,
                                data.resolve("runner"),
                                "bench",
                                List.of(),
                                capacity,
                                RunnerSettings.ARCHIVE_BYTES_DEFAULT,
                                null,
                                containment,
                                null));
        runner.start();
        if (!runner.isRegisteredWithin(Duration.ofSeconds(10))) {
            runner.close();
            throw new IllegalStateException("the runner did not register");
        }
        return runner;
    }

    JsonNode post(String path, String body) {
        return send("POST", path, body);
    }

    JsonNode get(String path) {
        return send("GET", path, null);
    }

    /** Uses the JDK's older client, as our commands do: the newer one adds 0.4 ms. */
    private JsonNode send(String method, String path, @Nullable String body) {
        try {
            var url = URI.create(coordinator.url() + path).toURL();
            var connection = (HttpURLConnection) url.openConnection();
            connection.setRequestMethod(method);
            connection.setRequestProperty("Authorization", "Bearer " + token);
            connection.setReadTimeout((int) ANSWER_MAX.toMillis());
            if (body != null) {
                connection.setDoOutput(true);
                try (var out = connection.getOutputStream()) {
                    out.write(body.getBytes(StandardCharsets.UTF_8));
                }
            }
            boolean isGood = connection.getResponseCode() < 300;
            try (var in = isGood ? connection.getInputStream() : connection.getErrorStream()) {
                var answer = new String(in.readAllBytes(), StandardCharsets.UTF_8);
                if (!isGood) throw new IllegalStateException(answer);
                return Json.read(answer);
            }
        } catch (IOException e) {
            throw new IllegalStateException(method + " " + path, e);
        }
    }

    @Override
    public void close() {
        coordinator.close();
    }
}
