package dev.coppice.kernel;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Locale;
import java.util.Map;

/**
 * The bytes that digests are made of. Each field is its name, a space, the length of its value in
 * bytes, a space, the value and a line feed, all in UTF-8:
 *
 * <pre>name 4 plan
 * depth 1 2
 * </pre>
 *
 * Values are texts; numbers are decimal, times are milliseconds since the epoch, choices are their
 * names in lower case. A field without a value is left out, so a new field changes no digest of
 * what does not use it. Fields come in a fixed order; a field may come more than once.
 */
public final class Canonical {
    private static final int SHORT_BYTES = 8;

    private final MessageDigest digest;

    public Canonical() {
        try {
            this.digest = MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }

    public Canonical with(String name, @Nullable String value) {
        if (value == null) return this;
        var bytes = value.getBytes(StandardCharsets.UTF_8);
        digest.update("%s %d ".formatted(name, bytes.length).getBytes(StandardCharsets.UTF_8));
        digest.update(bytes);
        digest.update((byte) '\n');
        return this;
    }

    public Canonical with(String name, long value) {
        return with(name, Long.toString(value));
    }

    public Canonical with(String name, @Nullable Instant value) {
        return value == null ? this : with(name, value.toEpochMilli());
    }

    public Canonical with(String name, Enum<?> value) {
        return with(name, value.name().toLowerCase(Locale.ROOT));
    }

    public Canonical with(Map<String, String> fields) {
        fields.forEach(this::with);
        return this;
    }

    /** The SHA-256 of all fields so far, in hexadecimal. Ends the encoding. */
    public String hash() {
        return HexFormat.of().formatHex(digest.digest());
    }

    /** The first 16 digits of {@link #hash}, for a digest that people compare. */
    public String shortHash() {
        return HexFormat.of().formatHex(digest.digest(), 0, SHORT_BYTES);
    }
}
