package dev.coppice.cli.machine;

import dev.coppice.boot.Settings;
import dev.coppice.cli.engine.Args;
import dev.coppice.client.OwnerOnly;
import dev.coppice.client.Trust;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Collectors;

/**
 * A private authority in a data directory, and the certificate that it gives to the coordinator.
 * The JDK's keytool makes both. The authority stays when the certificate is made again, so that
 * those who trust it go on.
 */
final class Authority {
    static final int DAYS = 825;
    private static final int AUTHORITY_DAYS = 3650;
    private static final int SECONDS_MAX = 60;
    private static final String OF_AUTHORITY = "authority";
    private static final String OF_SERVER = "server";

    /** The file is readable by its owner only; keytool wants a password all the same. */
    private static final String PASSWORD = "coppice";

    private final Path directory;
    private final Settings.TlsFiles files;

    Authority(Path data) {
        this.files = Settings.TlsFiles.madeIn(data);
        this.directory = data.resolve("tls");
    }

    private Path store() {
        return directory.resolve("authority.p12");
    }

    Settings.TlsFiles files() {
        return files;
    }

    /** Makes a certificate for these names, and before it the authority if there is none. */
    List<X509Certificate> make(List<String> names, int days) {
        try {
            OwnerOnly.directory(directory);
            if (!Files.exists(store())) makeAuthority(names.getFirst());
            var beside = directory.resolve("authority.p12.new");
            Files.copy(store(), beside, StandardCopyOption.REPLACE_EXISTING);
            OwnerOnly.file(beside);
            makeCertificate(beside, names, days);
            var made = read(beside);
            Files.deleteIfExists(beside);
            return made;
        } catch (IOException e) {
            throw new UncheckedIOException("writing in " + directory, e);
        }
    }

    private void makeAuthority(String host) throws IOException {
        var beside = directory.resolve("authority.p12.new");
        Files.deleteIfExists(beside);
        keytool(
                beside,
                List.of(
                        "-genkeypair",
                        "-alias",
                        OF_AUTHORITY,
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-validity",
                        "" + AUTHORITY_DAYS,
                        "-dname",
                        "CN=Coppice authority of " + host.replace(",", "\\,"),
                        "-ext",
                        "bc:critical=ca:true,pathlen:0",
                        "-ext",
                        "ku:critical=keyCertSign,cRLSign"));
        OwnerOnly.file(beside);
        Files.move(beside, store(), StandardCopyOption.ATOMIC_MOVE);
    }

    private static void makeCertificate(Path store, List<String> names, int days)
            throws IOException {
        keytool(
                store,
                List.of(
                        "-genkeypair",
                        "-alias",
                        OF_SERVER,
                        "-signer",
                        OF_AUTHORITY,
                        "-keyalg",
                        "EC",
                        "-groupname",
                        "secp256r1",
                        "-validity",
                        "" + days,
                        "-dname",
                        "CN=" + names.getFirst().replace(",", "\\,"),
                        "-ext",
                        "san="
                                + names.stream()
                                        .map(Authority::san)
                                        .collect(Collectors.joining(",")),
                        "-ext",
                        "eku=serverAuth",
                        "-ext",
                        "ku:critical=digitalSignature"));
    }

    private static String san(String name) {
        return (Names.isAddress(name) ? "ip:" : "dns:") + name;
    }

    private List<X509Certificate> read(Path from) throws IOException {
        try (var in = Files.newInputStream(from)) {
            var store = KeyStore.getInstance("PKCS12");
            store.load(in, PASSWORD.toCharArray());
            var key = store.getKey(OF_SERVER, PASSWORD.toCharArray());
            var chain = new ArrayList<X509Certificate>();
            var text = new StringBuilder();
            for (Certificate each : store.getCertificateChain(OF_SERVER)) {
                chain.add((X509Certificate) each);
                text.append(Trust.pem("CERTIFICATE", each.getEncoded()));
            }
            OwnerOnly.write(files.key(), Trust.pem("PRIVATE KEY", key.getEncoded()));
            OwnerOnly.write(files.certificate(), text.toString());
            return chain;
        } catch (GeneralSecurityException e) {
            throw new IOException("keytool made a store that cannot be read", e);
        }
    }

    private static void keytool(Path store, List<String> what) throws IOException {
        var line = new ArrayList<String>();
        line.add(Path.of(System.getProperty("java.home"), "bin", "keytool").toString());
        line.addAll(what);
        line.addAll(List.of("-keystore", store.toString(), "-storetype", "PKCS12"));
        line.addAll(List.of("-storepass", PASSWORD, "-noprompt"));
        var process = new ProcessBuilder(line).redirectErrorStream(true).start();
        try {
            process.getOutputStream().close();
            var said = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
            boolean hasEnded = process.waitFor(SECONDS_MAX, TimeUnit.SECONDS);
            if (hasEnded && process.exitValue() == 0) return;
            throw new Args.Invalid("keytool refused: " + said.strip());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IOException("interrupted", e);
        }
    }
}
