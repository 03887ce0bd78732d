package dev.coppice.access;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;

import javax.crypto.Mac;
import javax.crypto.SecretKey;
import javax.crypto.spec.SecretKeySpec;

/**
 * Issues and reads tokens. The administrator's token is random and stored in a file. Every other
 * token is signed with it, so none has to be stored, and a new administrator's token invalidates
 * them all. A token has the form {@code role.subject.birth.signature}. Only agents' tokens have a
 * birth, the creation time of the session: they do not fit a later session with the same id. A
 * token that a person asked for is {@code issued.id.signature}, and has a record ({@link
 * IssuedToken}), so that it can be listed and revoked.
 */
public final class Tokens {
    private static final String ALGORITHM = "HmacSHA256";
    private static final String ISSUED = "issued";
    private final String admin;

    public Tokens(String admin) {
        this.admin = admin;
    }

    /** The caller that a token identifies, and for an agent the creation time of its session. */
    public record Presented(Caller caller, @Nullable Instant birth) {}

    /** Issues a token for a role without a session. */
    public String issue(Caller caller) {
        if (caller.session() != null) {
            throw new IllegalArgumentException("agents' tokens need issue(session, birth)");
        }
        return caller.role() == Role.ADMIN ? admin : signed(word(caller.role()) + ".");
    }

    public String issue(SessionId session, Instant birth) {
        var subject =
                Base64.getUrlEncoder()
                        .withoutPadding()
                        .encodeToString(session.value().getBytes(StandardCharsets.UTF_8));
        return signed(word(Role.AGENT) + "." + subject + "." + birth.toEpochMilli());
    }

    /** Issues the token of a record, which knows the caller and can be revoked. */
    public String issue(TokenId id) {
        return signed(ISSUED + "." + id.value());
    }

    /** The record of the token; empty if the token needs none, or is not ours. */
    public Optional<TokenId> record(String token) {
        return signedAs(ISSUED, token).map(TokenId::new);
    }

    private Optional<String> signedAs(String purpose, String text) {
        var prefix = purpose + ".";
        int dot = text.lastIndexOf('.');
        boolean isOurs =
                text.startsWith(prefix)
                        && dot >= prefix.length()
                        && same(text.substring(dot + 1), signature(text.substring(0, dot)));
        return isOurs ? Optional.of(text.substring(prefix.length(), dot)) : Optional.empty();
    }

    /** The exchange for which a code is made, which works once. */
    public enum Purpose {
        SIGN_IN,
        INVITE;

        private String word() {
            return name().toLowerCase(Locale.ROOT).replace('_', '-');
        }
    }

    /** Signs the id of a code that works once, so that the code cannot be guessed. */
    public String code(Purpose purpose, String id) {
        return signed(purpose.word() + "." + id);
    }

    /** The id of the code; empty if the code is not ours, or has another purpose. */
    public Optional<String> codeId(Purpose purpose, String code) {
        return signedAs(purpose.word(), code);
    }

    private String signed(String content) {
        return content + "." + signature(content);
    }

    public Optional<Presented> read(String token) {
        if (same(token, admin)) return Optional.of(new Presented(Caller.as(Role.ADMIN), null));
        int dot = token.lastIndexOf('.');
        if (dot < 0 || !same(token.substring(dot + 1), signature(token.substring(0, dot)))) {
            return Optional.empty();
        }
        var parts = token.substring(0, dot).split("\\.", -1);
        return switch (parts.length) {
            case 2 -> parts[1].isEmpty() ? role(parts[0]) : Optional.empty();
            case 3 -> parts[0].equals(word(Role.AGENT)) ? agent(parts) : Optional.empty();
            default -> Optional.empty();
        };
    }

    private static Optional<Presented> role(String word) {
        for (var role : Role.values()) {
            boolean named = role != Role.AGENT && word(role).equals(word);
            if (named) return Optional.of(new Presented(Caller.as(role), null));
        }
        return Optional.empty();
    }

    /** Parses without checks: the signature proves that this class wrote the token. */
    private static Optional<Presented> agent(String[] parts) {
        var id = new String(Base64.getUrlDecoder().decode(parts[1]), StandardCharsets.UTF_8);
        var birth = Instant.ofEpochMilli(Long.parseLong(parts[2]));
        return Optional.of(new Presented(Caller.agent(new SessionId(id)), birth));
    }

    private static String word(Role role) {
        return role.name().toLowerCase(Locale.ROOT);
    }

    /** A key for another purpose; a new administrator's token changes it, too. */
    public SecretKey key(String purpose, String algorithm) {
        return new SecretKeySpec(mac("key:" + purpose), algorithm);
    }

    private String signature(String content) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(mac(content));
    }

    private byte[] mac(String content) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(admin.getBytes(StandardCharsets.UTF_8), ALGORITHM));
            return mac.doFinal(content.getBytes(StandardCharsets.UTF_8));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }

    /** Compares in constant time. */
    private static boolean same(String one, String other) {
        return MessageDigest.isEqual(
                one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }
}
