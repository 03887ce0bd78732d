package dev.coppice.bench;

import dev.coppice.access.Caller;
import dev.coppice.access.Role;
import dev.coppice.boot.Coordinator;
import dev.coppice.boot.SettingsReader;
import dev.coppice.runner.Runner;
import dev.coppice.runner.RunnerSettings;
import dev.coppice.scene.Temporary;
import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
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
    private final HttpClient http =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    Server() throws IOException {
        data = Temporary.directory("coppice-bench");
        var settings =
                new HashMap<>(
                        Map.of(
                                "COPPICE_DATA", data.toString(),
                                "COPPICE_PORT", "0",
                                "COPPICE_LIMIT_CHILDREN", "1000000",
                                "COPPICE_LIMIT_DESCENDANTS", "10000000"));
        // The address of an empty PostgreSQL database to measure instead of SQLite.
        var database = System.getenv(DATABASE);
        if (database != null) settings.put(DATABASE, database);
        coordinator = Coordinator.start(new SettingsReader(settings).read());
        token = Files.readString(data.resolve("token")).strip();
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
        return send(path, HttpRequest.BodyPublishers.ofString(body), "POST");
    }

    JsonNode get(String path) {
        return send(path, HttpRequest.BodyPublishers.noBody(), "GET");
    }

    private JsonNode send(String path, HttpRequest.BodyPublisher body, String method) {
        var request =
                HttpRequest.newBuilder(URI.create(coordinator.url() + path))
                        .header("Authorization", "Bearer " + token)
                        .timeout(ANSWER_MAX)
                        .method(method, body)
                        .build();
        try {
            var answer = http.send(request, HttpResponse.BodyHandlers.ofString());
            if (answer.statusCode() >= 300) throw new IllegalStateException(answer.body());
            return Json.read(answer.body());
        } catch (IOException e) {
            throw new IllegalStateException(method + " " + path, e);
        } catch (InterruptedException e) {
            throw new IllegalStateException("interrupted", e);
        }
    }

    @Override
    public void close() {
        coordinator.close();
        http.close();
    }
}
