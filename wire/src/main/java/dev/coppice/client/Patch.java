package dev.coppice.client;

import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Map;

/** Sends a PATCH, which the faster client of the JDK refuses to send. */
final class Patch {
    private Patch() {}

    static <O> Answer<O> send(
            URI uri,
            Map<String, String> headers,
            @Nullable Object body,
            Duration patience,
            Class<O> type)
            throws IOException {
        var bytes = body == null ? new byte[0] : Json.bytes(body);
        var request =
                HttpRequest.newBuilder(uri)
                        .timeout(patience)
                        .header("Content-Type", "application/json")
                        .method("PATCH", HttpRequest.BodyPublishers.ofByteArray(bytes));
        headers.forEach(request::setHeader);
        try (var client = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build()) {
            var answer = client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
            return Answer.of(answer.statusCode(), answer.body(), type);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        } catch (Json.Unreadable e) {
            throw new IOException("the answer is not JSON", e);
        }
    }
}
