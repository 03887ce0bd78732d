package dev.coppice.http;

import dev.coppice.boot.Coordinator;
import dev.coppice.boot.SettingsReader;
import dev.coppice.client.CoppiceClient;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/** A real coordinator on a free port, and the words to ask it. */
final class Caller implements AutoCloseable {
    private final Path data;
    private final Coordinator coordinator;

    Caller() {
        this(Map.of());
    }

    Caller(Map<String, String> settings) {
        try {
            this.data = Files.createTempDirectory("coppice-http");
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        this.coordinator = begin(data, settings);
    }

    private static Coordinator begin(Path data, Map<String, String> settings) {
        var environment = new HashMap<String, String>(settings);
        environment.put("COPPICE_DATA", data.toString());
        environment.put("COPPICE_PORT", "0");
        return Coordinator.start(new SettingsReader(environment).read());
    }

    Coordinator coordinator() {
        return coordinator;
    }

    String token() {
        try {
            return Files.readString(data.resolve("token")).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    CoppiceClient as(dev.coppice.access.Caller who) {
        return new CoppiceClient(URI.create(coordinator.url()), coordinator.tokens().issue(who));
    }

    CoppiceClient client() {
        return new CoppiceClient(URI.create(coordinator.url()), token());
    }

    JsonNode get(String path) {
        return good(client().get(path));
    }

    JsonNode post(String path, String json) {
        return good(client().post(path, Json.read(json)));
    }

    CoppiceClient.Answer refused(String path, String json) {
        var answer = client().post(path, Json.read(json));
        if (answer.isGood()) throw new AssertionError("not refused: " + answer.body());
        return answer;
    }

    private static JsonNode good(CoppiceClient.Answer answer) {
        if (!answer.isGood()) throw new AssertionError(answer.status() + " " + answer.body());
        return answer.body();
    }

    /** Any request at all, with curl, for what a well-behaved client cannot send. */
    Raw raw(String... arguments) {
        try {
            var command = new java.util.ArrayList<String>();
            command.addAll(java.util.List.of("curl", "-s", "-m", "10", "-w", "\n%{http_code}"));
            command.addAll(java.util.List.of(arguments));
            var process = new ProcessBuilder(command).redirectErrorStream(true).start();
            var text =
                    new String(
                            process.getInputStream().readAllBytes(),
                            java.nio.charset.StandardCharsets.UTF_8);
            process.waitFor(20, TimeUnit.SECONDS);
            int cut = text.lastIndexOf('\n');
            return new Raw(Integer.parseInt(text.substring(cut + 1)), text.substring(0, cut));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    record Raw(int status, String body) {}

    static @Nullable String text(JsonNode node, String field) {
        return Json.text(node, field);
    }

    @Override
    public void close() {
        coordinator.close();
    }
}
