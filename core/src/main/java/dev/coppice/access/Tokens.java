package dev.coppice.access;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.util.Base64;
import java.util.Locale;
import java.util.Optional;

import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/**
 * Tokens. The administrator's is random and kept in a file; every other is made from it, so none
 * has to be stored, and a new administrator's token ends them all. A token reads {@code
 * role.subject.signature}.
 */
public final class Tokens {
    private static final String ALGORITHM = "HmacSHA256";
    private final String admin;

    public Tokens(String admin) {
        this.admin = admin;
    }

    public String issue(Caller caller) {
        if (caller.role() == Role.ADMIN) return admin;
        var said = said(caller.role(), caller.session());
        return said + "." + signature(said);
    }

    public Optional<Caller> read(String token) {
        if (same(token, admin)) return Optional.of(Caller.as(Role.ADMIN));
        int dot = token.lastIndexOf('.');
        if (dot < 0 || !same(token.substring(dot + 1), signature(token.substring(0, dot)))) {
            return Optional.empty();
        }
        var parts = token.substring(0, dot).split("\\.", -1);
        return parts.length == 2 ? caller(parts[0], parts[1]) : Optional.empty();
    }

    private static Optional<Caller> caller(String word, String subject) {
        for (var role : Role.values()) {
            if (!word(role).equals(word)) continue;
            if (subject.isEmpty()) return Optional.of(Caller.as(role));
            var id = new String(Base64.getUrlDecoder().decode(subject), StandardCharsets.UTF_8);
            return Optional.of(new Caller(role, new SessionId(id)));
        }
        return Optional.empty();
    }

    private static String said(Role role, @Nullable SessionId session) {
        var subject =
                session == null
                        ? ""
                        : Base64.getUrlEncoder()
                                .withoutPadding()
                                .encodeToString(session.value().getBytes(StandardCharsets.UTF_8));
        return word(role) + "." + subject;
    }

    private static String word(Role role) {
        return role.name().toLowerCase(Locale.ROOT);
    }

    private String signature(String said) {
        try {
            var mac = Mac.getInstance(ALGORITHM);
            mac.init(new SecretKeySpec(admin.getBytes(StandardCharsets.UTF_8), ALGORITHM));
            return Base64.getUrlEncoder()
                    .withoutPadding()
                    .encodeToString(mac.doFinal(said.getBytes(StandardCharsets.UTF_8)));
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has " + ALGORITHM, e);
        }
    }

    /** Takes equally long wherever the two differ. */
    private static boolean same(String one, String other) {
        return MessageDigest.isEqual(
                one.getBytes(StandardCharsets.UTF_8), other.getBytes(StandardCharsets.UTF_8));
    }
}
