package dev.coppice.mcp.call;

import dev.coppice.wire.Json;

import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.Map;
import java.util.TreeMap;

import javax.crypto.Cipher;
import javax.crypto.SecretKey;
import javax.crypto.spec.GCMParameterSpec;

/**
 * Encrypts the state of a request that its client has to repeat. A client can neither read nor
 * change the state, nor send it with another request, as another caller or later than it is valid.
 */
public final class Seal {
    private static final String ALGORITHM = "AES/GCM/NoPadding";
    private static final int NONCE_BYTES = 12;
    private static final int TAG_BITS = 128;
    private static final Duration VALID = Duration.ofHours(1);

    private final SecretKey key;
    private final InstantSource clock;
    private final SecureRandom random = new SecureRandom();

    public Seal(SecretKey key, InstantSource clock) {
        this.key = key;
        this.clock = clock;
    }

    /** The answers that a client has given so far. */
    private record State(
            String caller, String request, long until, Map<String, JsonNode> answers) {}

    String close(Call call, Map<String, JsonNode> answers) {
        var until = clock.instant().plus(VALID).toEpochMilli();
        var state = new State(call.client().caller().key(), digest(call), until, answers);
        var nonce = new byte[NONCE_BYTES];
        random.nextBytes(nonce);
        try {
            var cipher = Cipher.getInstance(ALGORITHM);
            cipher.init(Cipher.ENCRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, nonce));
            var sealed = cipher.doFinal(Json.bytes(state));
            var whole = ByteBuffer.allocate(nonce.length + sealed.length).put(nonce).put(sealed);
            return Base64.getUrlEncoder().withoutPadding().encodeToString(whole.array());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }

    Map<String, JsonNode> open(Call call, String sealed) throws BrokenCall {
        var state = opened(sealed);
        if (!state.caller().equals(call.client().caller().key())
                || !state.request().equals(digest(call))
                || state.until() < clock.millis()) {
            throw refused();
        }
        return state.answers();
    }

    private State opened(String sealed) throws BrokenCall {
        try {
            var whole = ByteBuffer.wrap(Base64.getUrlDecoder().decode(sealed));
            if (whole.remaining() < NONCE_BYTES) throw refused();
            var nonce = new byte[NONCE_BYTES];
            whole.get(nonce);
            var rest = new byte[whole.remaining()];
            whole.get(rest);
            var cipher = Cipher.getInstance(ALGORITHM);
            cipher.init(Cipher.DECRYPT_MODE, key, new GCMParameterSpec(TAG_BITS, nonce));
            return Json.as(Json.read(cipher.doFinal(rest)), State.class);
        } catch (GeneralSecurityException
                | IllegalArgumentException
                | Json.Unreadable
                | JacksonException _) {
            throw refused();
        }
    }

    private static BrokenCall refused() {
        return new BrokenCall(
                400,
                -32602,
                "requestState is not what was sent for this request, or is too old; send the"
                        + " request without it");
    }

    /** Identifies a request without its answers; the order of its fields does not matter. */
    private static String digest(Call call) {
        var text = new StringBuilder(call.method());
        for (var field : new String[] {"name", "uri", "arguments"}) {
            sorted(call.params().path(field), text.append('\n'));
        }
        try {
            var sha = MessageDigest.getInstance("SHA-256");
            var digest = sha.digest(text.toString().getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(digest);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    private static void sorted(JsonNode value, StringBuilder text) {
        if (value.isObject()) {
            var fields = new TreeMap<String, JsonNode>();
            for (var field : value.properties()) fields.put(field.getKey(), field.getValue());
            text.append('{');
            fields.forEach((name, inner) -> {
                text.append(Json.write(name)).append(':');
                sorted(inner, text);
                text.append(',');
            });
            text.append('}');
        } else if (value.isArray()) {
            text.append('[');
            for (var inner : value) {
                sorted(inner, text);
                text.append(',');
            }
            text.append(']');
        } else {
            text.append(value);
        }
    }
}
