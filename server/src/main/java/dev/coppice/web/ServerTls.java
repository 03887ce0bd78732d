package dev.coppice.web;

import org.eclipse.jetty.server.HttpConfiguration;
import org.eclipse.jetty.server.HttpConnectionFactory;
import org.eclipse.jetty.server.SecureRequestCustomizer;
import org.eclipse.jetty.server.SslConnectionFactory;
import org.eclipse.jetty.util.ssl.SslContextFactory;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.KeyStore;
import java.security.PrivateKey;
import java.security.Signature;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * The certificate and key of a port, from files in PEM. They are read again when they change; files
 * that do not fit then leave the earlier ones in use.
 */
public final class ServerTls {
    /** The kinds of names of a certificate that hosts have: names and addresses. */
    private static final Set<Object> NAMING = Set.of(2, 7);

    private static final int BYTES_MAX = 256 * 1024;
    private static final char[] NO_PASSWORD = {};
    private static final String ALIAS = "coppice";

    /** Any bytes: a key fits a certificate that verifies what it has signed. */
    private static final byte[] NONCE = "coppice".getBytes(StandardCharsets.US_ASCII);

    private static final Pattern KEY =
            Pattern.compile(
                    "-----BEGIN PRIVATE KEY-----([A-Za-z0-9+/=\\s]+)-----END PRIVATE KEY-----");

    /** The kinds of keys, each by the algorithm that reads it and one that signs with it. */
    private static final List<Kind> KINDS =
            List.of(
                    new Kind("EC", "SHA256withECDSA"),
                    new Kind("RSA", "SHA256withRSA"),
                    new Kind("Ed25519", "Ed25519"));

    private final Path certificate;
    private final Path key;
    private final SslContextFactory.Server context = new SslContextFactory.Server();
    private volatile Times times;
    private volatile List<X509Certificate> chain;

    /** The files cannot be used. */
    public static final class BadFiles extends RuntimeException {
        private static final long serialVersionUID = 1;

        BadFiles(String message) {
            super(message);
        }
    }

    private record Kind(String keys, String signatures) {}

    private record Times(FileTime ofCertificate, FileTime ofKey) {}

    private record Pair(List<X509Certificate> chain, PrivateKey key) {}

    public ServerTls(Path certificate, Path key) {
        this.certificate = certificate;
        this.key = key;
        this.times = times();
        var pair = read();
        this.chain = pair.chain();
        context.setKeyStore(store(pair));
        context.setKeyStorePassword(new String(NO_PASSWORD));
        context.setSniRequired(false);
    }

    HttpConnectionFactory http(HttpConfiguration configuration) {
        var secure = new HttpConfiguration(configuration);
        // The pipeline checks the host: a client may use an address, which no SNI names.
        secure.addCustomizer(new SecureRequestCustomizer(false));
        return new HttpConnectionFactory(secure);
    }

    SslConnectionFactory factory(HttpConnectionFactory http) {
        return new SslConnectionFactory(context, http.getProtocol());
    }

    /** The host names and addresses in the certificate. */
    public Set<String> names() {
        try {
            var names = new LinkedHashSet<String>();
            var found = chain.getFirst().getSubjectAlternativeNames();
            if (found == null) return names;
            for (var name : found) {
                if (!NAMING.contains(name.getFirst())) continue;
                var text = String.valueOf(name.get(1));
                names.add(text.contains(":") ? "[" + text + "]" : text);
            }
            return names;
        } catch (GeneralSecurityException e) {
            throw new BadFiles("%s: %s".formatted(certificate, e.getMessage()));
        }
    }

    /** The last certificate of the chain: that of the authority, if the file contains it. */
    public X509Certificate authority() {
        return chain.getLast();
    }

    /** Reads the files again if they have changed. */
    public void renew() {
        var now = times();
        if (now.equals(times)) return;
        // Files that do not fit are told once, and read again after their next change.
        times = now;
        var pair = read();
        try {
            context.reload(factory -> factory.setKeyStore(store(pair)));
        } catch (Exception e) {
            throw new BadFiles("%s: %s".formatted(certificate, e.getMessage()));
        }
        chain = pair.chain();
        System.getLogger("web").log(System.Logger.Level.INFO, "{0} was read again", certificate);
    }

    private Times times() {
        try {
            return new Times(
                    Files.getLastModifiedTime(certificate), Files.getLastModifiedTime(key));
        } catch (NoSuchFileException e) {
            throw new BadFiles("there is no file " + e.getMessage());
        } catch (IOException e) {
            throw new BadFiles("%s cannot be read".formatted(e.getMessage()));
        }
    }

    private Pair read() {
        var certificates = certificates();
        var privateKey = privateKey();
        if (!fit(certificates.getFirst(), privateKey)) {
            throw new BadFiles(
                    ("the key in %s is not that of the first certificate in %s; those of 'coppice"
                                    + " tls make' are made again by it")
                            .formatted(key, certificate));
        }
        return new Pair(certificates, privateKey);
    }

    private List<X509Certificate> certificates() {
        try {
            var parsed =
                    CertificateFactory.getInstance("X.509")
                            .generateCertificates(new ByteArrayInputStream(content(certificate)));
            if (!parsed.isEmpty()) {
                return parsed.stream().map(X509Certificate.class::cast).toList();
            }
        } catch (GeneralSecurityException _) {
            // Refused below, as a file without certificates is.
        }
        throw new BadFiles("%s contains no certificate in PEM".formatted(certificate));
    }

    private PrivateKey privateKey() {
        var found = KEY.matcher(new String(content(key), StandardCharsets.US_ASCII));
        if (found.find()) {
            var encoded = Base64.getMimeDecoder().decode(found.group(1));
            for (var kind : KINDS) {
                try {
                    return KeyFactory.getInstance(kind.keys())
                            .generatePrivate(new PKCS8EncodedKeySpec(encoded));
                } catch (GeneralSecurityException _) {
                    // A key of another kind.
                }
            }
        }
        throw new BadFiles(
                ("%s contains no key as '-----BEGIN PRIVATE KEY-----';"
                                + " 'openssl pkcs8 -topk8 -nocrypt -in FILE' converts others")
                        .formatted(key));
    }

    private static byte[] content(Path file) {
        try (var in = Files.newInputStream(file)) {
            var bytes = in.readNBytes(BYTES_MAX + 1);
            if (bytes.length <= BYTES_MAX) return bytes;
            throw new BadFiles("%s has more than %d bytes".formatted(file, BYTES_MAX));
        } catch (IOException e) {
            throw new BadFiles("%s cannot be read: %s".formatted(file, e.getMessage()));
        }
    }

    private static boolean fit(X509Certificate certificate, PrivateKey key) {
        for (var kind : KINDS) {
            try {
                var signing = Signature.getInstance(kind.signatures());
                signing.initSign(key);
                signing.update(NONCE);
                var signed = signing.sign();
                signing.initVerify(certificate.getPublicKey());
                signing.update(NONCE);
                return signing.verify(signed);
            } catch (GeneralSecurityException _) {
                // The two are of another kind, or of two kinds.
            }
        }
        return false;
    }

    private static KeyStore store(Pair pair) {
        try {
            var store = KeyStore.getInstance("PKCS12");
            store.load(null, NO_PASSWORD);
            store.setKeyEntry(
                    ALIAS, pair.key(), NO_PASSWORD, pair.chain().toArray(Certificate[]::new));
            return store;
        } catch (GeneralSecurityException | IOException e) {
            throw new BadFiles("the certificates are no chain: " + e.getMessage());
        }
    }
}
