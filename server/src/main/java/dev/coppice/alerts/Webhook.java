package dev.coppice.alerts;

import dev.coppice.alert.Alert;
import dev.coppice.alert.DeliverAlerts;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.WriteUnderWay;
import dev.coppice.view.AlertViews;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.HexFormat;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Posts each alert to an address, signed: the header {@code X-Coppice-Signature} is {@code sha256=}
 * and the HMAC of the time in {@code X-Coppice-Timestamp}, a dot, and the body. Follows no
 * redirects, which could lead anywhere.
 */
public final class Webhook implements DeliverAlerts.Receiver, AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(10);
    private static final String ALGORITHM = "HmacSHA256";
    private static final int GOOD_FIRST = 200;
    private static final int GOOD_LAST = 299;
    public static final int SECRET_CHARS_MIN = 16;
    private static final int ERROR_CHARS_MAX = 300;

    private final Target target;
    private final InstantSource clock;
    private final HttpClient client =
            HttpClient.newBuilder()
                    .connectTimeout(PATIENCE)
                    .followRedirects(HttpClient.Redirect.NEVER)
                    .build();

    /** An address, and the secret that it shares with the coordinator. */
    public record Target(URI url, String secret) {
        /** The secret must not reach a log. */
        @Override
        public String toString() {
            return url.toString();
        }
    }

    public Webhook(Target target, InstantSource clock) {
        this.target = target;
        this.clock = clock;
    }

    @Override
    public @Nullable String take(Alert alert) {
        WriteUnderWay.forbid("calling a webhook");
        var body = Json.write(AlertViews.of(alert));
        var at = Long.toString(clock.instant().getEpochSecond());
        var request =
                HttpRequest.newBuilder(target.url())
                        .timeout(PATIENCE)
                        .header("Content-Type", "application/json")
                        .header("X-Coppice-Timestamp", at)
                        .header("X-Coppice-Signature", "sha256=" + signature(at + "." + body))
                        .POST(HttpRequest.BodyPublishers.ofString(body))
                        .build();
        var answer = client.sendAsync(request, HttpResponse.BodyHandlers.discarding());
        try {
            // The whole answer must be there in time: the timeout of a request ends at its headers.
            int status = answer.get(PATIENCE.toMillis(), TimeUnit.MILLISECONDS).statusCode();
            boolean isGood = status >= GOOD_FIRST && status <= GOOD_LAST;
            return isGood ? null : "the receiver answered " + status;
        } catch (ExecutionException e) {
            var cause = e.getCause() == null ? e : e.getCause();
            return Bounds.firstOf(
                    cause.getClass().getSimpleName() + ": " + cause.getMessage(), ERROR_CHARS_MAX);
        } catch (TimeoutException _) {
            return "the receiver did not answer within %d seconds".formatted(PATIENCE.toSeconds());
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return "the coordinator was shutting down";
        } finally {
            answer.cancel(true);
        }
    }

    private String signature(String text) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(
                    new SecretKeySpec(target.secret().getBytes(StandardCharsets.UTF_8), ALGORITHM));
            return HexFormat.of().formatHex(mac.doFinal(text.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    @Override
    public void close() {
        client.shutdownNow();
    }
}
