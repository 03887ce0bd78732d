package dev.coppice.client;

import dev.coppice.wire.SseFrame;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.OutputStream;
import java.net.URI;
import java.util.Map;
import java.util.function.Predicate;

/**
 * Sends any request and reads any answer, as programs do that were not written with our records.
 */
public final class RawClient {
    private final CoppiceClient client;

    public RawClient(URI base, String token) {
        this(new CoppiceClient(base, token));
    }

    private RawClient(CoppiceClient client) {
        this.client = client;
    }

    public Answer<JsonNode> get(String path) {
        return client.raw("GET", path, null);
    }

    public Answer<JsonNode> post(String path, Object body) {
        return client.raw("POST", path, body);
    }

    public Answer<JsonNode> delete(String path) {
        return client.raw("DELETE", path, null);
    }

    public Answer<JsonNode> call(
            String method, String path, @Nullable Object body, Map<String, String> headers) {
        return client.with(headers).raw(method, path, body);
    }

    public void follow(String path, Predicate<SseFrame> goOn) {
        client.follow(path, goOn);
    }

    public @Nullable Answer<JsonNode> download(String path, OutputStream into) {
        return client.download(path, into);
    }
}
