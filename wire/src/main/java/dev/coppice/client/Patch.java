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

    static HttpResponse<byte[]> send(
            Trust trust,
            URI uri,
            Map<String, String> headers,
            @Nullable Object body,
            Duration patience)
            throws IOException {
        var bytes = body == null ? new byte[0] : Json.bytes(body);
        var request =
                HttpRequest.newBuilder(uri)
                        .timeout(patience)
                        .header("Content-Type", "application/json")
                        .method("PATCH", HttpRequest.BodyPublishers.ofByteArray(bytes));
        headers.forEach(request::setHeader);
        var newer = HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1);
        try (var client = trust.applyTo(newer).build()) {
            return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
