package dev.coppice.cli.machine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.boot.Coordinator;
import dev.coppice.boot.DataDirectory;
import dev.coppice.boot.SettingsReader;
import dev.coppice.cli.engine.Args;
import dev.coppice.client.CoppiceClient;
import dev.coppice.client.Trust;
import dev.coppice.scene.Eventually;
import dev.coppice.wire.Call;
import dev.coppice.wire.HealthCalls;

import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Beyond this machine a coordinator listens by TLS, or because somebody said that it may not. */
class TlsTest {
    private static final List<String> NAMES = List.of("127.0.0.1", "localhost");

    @TempDir private Path data;

    private Coordinator start(Map<String, String> more) {
        var settings = new HashMap<>(more);
        settings.put("COPPICE_DATA", data.toString());
        settings.put("COPPICE_PORT", "0");
        settings.putIfAbsent("COPPICE_LISTEN", "127.0.0.1:0");
        return Coordinator.start(new SettingsReader(settings).read());
    }

    private List<X509Certificate> make(int days) {
        return new Authority(data).make(NAMES, days);
    }

    private static boolean answers(String url, @Nullable Path trusted) {
        var client = new CoppiceClient(URI.create(url), "none").trusting(Trust.in(trusted));
        try {
            return client.call(HealthCalls.HEALTH, new Call.Nothing()).isGood();
        } catch (CoppiceClient.Unreachable _) {
            return false;
        }
    }

    private static String url(Coordinator coordinator) {
        var beyond = coordinator.beyond();
        if (beyond == null) throw new AssertionError("it does not listen");
        return beyond.url();
    }

    @Test
    void without_a_certificate_it_listens_only_if_somebody_said_so() {
        assertThatThrownBy(() -> start(Map.of()))
                .isInstanceOf(SettingsReader.BadSetting.class)
                .hasMessageContaining("'coppice tls make' makes one")
                .hasMessageContaining("--listen-plain");
        try (var coordinator = start(Map.of("COPPICE_LISTEN_PLAIN", "true"))) {
            assertThat(url(coordinator)).startsWith("http://127.0.0.1:");
            assertThat(answers(url(coordinator), null)).isTrue();
        }
    }

    @Test
    void only_who_trusts_the_authority_is_answered() throws IOException {
        var chain = make(30);
        assertThat(chain).hasSize(2);
        var authority = Files.writeString(data.resolve("a.pem"), pem(chain.getLast()));
        try (var coordinator = start(Map.of())) {
            var url = url(coordinator);
            assertThat(url).startsWith("https://");
            assertThat(answers(url, authority)).isTrue();
            assertThat(answers(url.replace("127.0.0.1", "localhost"), authority)).isTrue();
            assertThat(answers(url, null)).as("this machine does not know it").isFalse();
            assertThat(answers(url.replace("https", "http"), null)).as("plainly").isFalse();
            var fingerprint = Trust.fingerprint(chain.getLast());
            assertThat(Trust.fetch(URI.create(url), fingerprint)).isEqualTo(pem(chain.getLast()));
        }
    }

    private static String pem(X509Certificate certificate) {
        try {
            return Trust.pem("CERTIFICATE", certificate.getEncoded());
        } catch (java.security.cert.CertificateEncodingException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void a_new_certificate_is_taken_and_a_broken_one_is_not() throws IOException {
        var first = make(30);
        try (var coordinator = start(Map.of())) {
            var url = URI.create(url(coordinator));
            Files.writeString(data.resolve("tls/key.pem"), "broken");
            assertThat(Trust.fetch(url, Trust.fingerprint(first.getFirst()))).isNotEmpty();
            var second = make(31);
            assertThat(Trust.fingerprint(second.getLast()))
                    .as("the authority stays")
                    .isEqualTo(Trust.fingerprint(first.getLast()));
            var wanted = Trust.fingerprint(second.getFirst());
            Eventually.await(() -> serves(url, wanted), () -> "still the first");
        }
    }

    private static boolean serves(URI url, String fingerprint) {
        try {
            return !Trust.fetch(url, fingerprint).isEmpty();
        } catch (IOException _) {
            return false;
        }
    }

    @Test
    void files_that_do_not_fit_stop_the_start_with_the_reason() throws IOException {
        make(30);
        var key = data.resolve("tls/key.pem");
        var certificate = data.resolve("tls/certificate.pem");
        var other = Files.createDirectory(data.resolve("other"));
        new Authority(other).make(NAMES, 30);
        assertRefused(other.resolve("tls/key.pem"), certificate, "is not that of the first");
        assertRefused(certificate, certificate, "contains no key", "openssl pkcs8");
        assertRefused(key, key, "contains no certificate");
        assertRefused(data.resolve("absent"), certificate, "there is no file");
        assertThatThrownBy(() -> start(Map.of("COPPICE_TLS_KEY", key.toString())))
                .hasMessageContaining("COPPICE_TLS_CERT");
    }

    private void assertRefused(Path key, Path certificate, String... reasons) {
        var files =
                Map.of(
                        "COPPICE_TLS_KEY", key.toString(),
                        "COPPICE_TLS_CERT", certificate.toString());
        assertThatThrownBy(() -> start(files))
                .isInstanceOf(DataDirectory.Unusable.class)
                .message()
                .contains(reasons);
    }

    @Test
    void a_name_that_is_none_is_refused() {
        for (var name : List.of("a,dns:b", "a b", "", "-a", "a\nb")) {
            assertThatThrownBy(() -> Names.check(name)).isInstanceOf(Args.Invalid.class);
        }
        for (var name : List.of("a", "a.b-c.example", "*.example.org", "10.0.0.1", "fd00::1")) {
            Names.check(name);
        }
    }
}
