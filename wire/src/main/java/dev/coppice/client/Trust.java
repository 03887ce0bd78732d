package dev.coppice.client;

import org.jspecify.annotations.Nullable;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.HttpURLConnection;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.MessageDigest;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;

import javax.net.ssl.HttpsURLConnection;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManager;
import javax.net.ssl.TrustManagerFactory;
import javax.net.ssl.X509TrustManager;

/**
 * The certificates that a client accepts from a coordinator: those of a private authority, or those
 * that this machine trusts anyway.
 */
public final class Trust {
    /** The certificates that this machine trusts anyway. */
    public static final Trust OF_MACHINE = new Trust(null, null);

    private static final int PORT = 443;
    private static final int CONNECT_MILLIS = 5_000;

    private final @Nullable SSLContext context;

    /** One for all connections: the JDK reuses a connection only with the same one. */
    private final @Nullable SSLSocketFactory sockets;

    private final @Nullable Path file;

    private Trust(@Nullable SSLContext context, @Nullable Path file) {
        this.context = context;
        this.sockets = context == null ? null : context.getSocketFactory();
        this.file = file;
    }

    /** A file with certificates cannot be used. */
    public static final class BadFile extends RuntimeException {
        private static final long serialVersionUID = 1;

        BadFile(Path file, @Nullable Throwable cause) {
            super("%s contains no certificate in PEM".formatted(file), cause);
        }
    }

    /** Trusts the certificates in this file and nothing else; without a file, the machine's. */
    public static Trust in(@Nullable Path file) {
        if (file == null) return OF_MACHINE;
        try {
            var all = certificates(Files.readAllBytes(file));
            if (all.isEmpty()) throw new BadFile(file, null);
            return new Trust(context(all), file.toAbsolutePath());
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        } catch (GeneralSecurityException e) {
            throw new BadFile(file, e);
        }
    }

    private static List<Certificate> certificates(byte[] pem) throws GeneralSecurityException {
        var in = new ByteArrayInputStream(pem);
        return List.copyOf(CertificateFactory.getInstance("X.509").generateCertificates(in));
    }

    private static SSLContext context(List<Certificate> all)
            throws GeneralSecurityException, IOException {
        var store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        for (int i = 0; i < all.size(); i++) store.setCertificateEntry("ca" + i, all.get(i));
        var factory = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
        factory.init(store);
        var context = SSLContext.getInstance("TLS");
        context.init(null, factory.getTrustManagers(), null);
        return context;
    }

    /** Applies to a connection of the older client of the JDK. */
    void applyTo(HttpURLConnection connection) {
        if (sockets != null && connection instanceof HttpsURLConnection secure) {
            secure.setSSLSocketFactory(sockets);
        }
    }

    /** Applies to the newer client of the JDK. */
    HttpClient.Builder applyTo(HttpClient.Builder builder) {
        return context == null ? builder : builder.sslContext(context);
    }

    /** The file with the certificates; null if this machine trusts the coordinator anyway. */
    public @Nullable Path file() {
        return file;
    }

    /**
     * Asks a coordinator for its certificates, and returns the one with this fingerprint, in PEM.
     * Nothing but the greeting of TLS is sent: nobody is trusted yet.
     */
    public static String fetch(URI url, String fingerprint) throws IOException {
        try {
            var context = SSLContext.getInstance("TLS");
            context.init(null, new TrustManager[] {new Anyone()}, null);
            int port = url.getPort() < 0 ? PORT : url.getPort();
            try (var plain = new Socket()) {
                plain.connect(new InetSocketAddress(bare(url.getHost()), port), CONNECT_MILLIS);
                plain.setSoTimeout(CONNECT_MILLIS);
                var socket =
                        (SSLSocket)
                                context.getSocketFactory()
                                        .createSocket(plain, bare(url.getHost()), port, true);
                try (socket) {
                    socket.startHandshake();
                    return named(url, fingerprint, socket.getSession().getPeerCertificates());
                }
            }
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has TLS", e);
        }
    }

    private static String bare(String host) {
        return host.replaceAll("[\\[\\]]", "");
    }

    private static String named(URI url, String fingerprint, Certificate[] chain)
            throws IOException, GeneralSecurityException {
        for (var each : chain) {
            if (fingerprint(each).equals(fingerprint)) return pem("CERTIFICATE", each.getEncoded());
        }
        throw new IOException(
                ("the certificate of %s has the fingerprint %s, not %s: this is another"
                                + " coordinator, or somebody is in between")
                        .formatted(url, fingerprint(chain[chain.length - 1]), fingerprint));
    }

    /** Lets the certificates of anyone be looked at. */
    private static final class Anyone implements X509TrustManager {
        @Override
        public void checkClientTrusted(X509Certificate[] chain, String type) {}

        @Override
        public void checkServerTrusted(X509Certificate[] chain, String type) {}

        @Override
        public X509Certificate[] getAcceptedIssuers() {
            return new X509Certificate[0];
        }
    }

    /** Writes something as files in PEM do. */
    public static String pem(String what, byte[] encoded) {
        var lines = Base64.getMimeEncoder(64, "\n".getBytes(StandardCharsets.US_ASCII));
        return "-----BEGIN %1$s-----%n%2$s%n-----END %1$s-----%n"
                .formatted(what, lines.encodeToString(encoded));
    }

    /** The fingerprint of a certificate, as people compare it. */
    public static String fingerprint(Certificate certificate) {
        try {
            var digest = MessageDigest.getInstance("SHA-256").digest(certificate.getEncoded());
            return "sha256:" + HexFormat.of().formatHex(digest);
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException("every JDK has SHA-256", e);
        }
    }
}
