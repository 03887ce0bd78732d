package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.coppice.house.Sources;
import dev.coppice.scene.Debian;
import dev.coppice.scene.Eventually;
import dev.coppice.scene.Temporary;

import org.junit.jupiter.api.Test;

import java.io.IOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.KeyStore;
import java.security.cert.CertificateFactory;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManagerFactory;

/** The proxies of second-machine.md, by the configurations that it gives. */
class ProxiesTest {
    /** A coordinator that only a proxy makes known, and the port of that proxy. */
    private record Scene(Machine machine, int port, Path place, String authority) {
        String url() {
            return "https://127.0.0.1:" + port;
        }

        /** The configuration of the page, with the addresses and files of this scene. */
        String configuration(String language) throws IOException {
            var text = Files.readString(Sources.ROOT.resolve("docs/second-machine.md"));
            var block = Pattern.compile("(?s)```" + language + "\\n(.*?)```").matcher(text);
            assertThat(block.find()).isTrue();
            var tls = machine.data().resolve("tls");
            return block.group(1)
                    .replace("listen 443", "listen 127.0.0.1:" + port)
                    .replace("coppice.example.org {", url() + " {")
                    .replace("server_name coppice.example.org", "server_name 127.0.0.1")
                    .replace("/etc/ssl/coppice.pem", tls.resolve("certificate.pem").toString())
                    .replace("/etc/ssl/coppice.key", tls.resolve("key.pem").toString())
                    .replace("/var/log/nginx/error.log", "stderr")
                    .replace("127.0.0.1:8765", "127.0.0.1:" + machine.port());
        }

        Path certificates() {
            return machine.data().resolve("tls/certificate.pem");
        }

        /** The status of a request as a page of this origin makes it. */
        int postedFrom(String origin) throws Exception {
            var request =
                    HttpRequest.newBuilder(URI.create(url() + "/sessions/none/stop"))
                            .header("Authorization", "Bearer " + machine.read("token"))
                            .header("Content-Type", "application/json")
                            .header("Origin", origin)
                            .POST(HttpRequest.BodyPublishers.ofString("{}"));
            try (var page = page()) {
                return page.send(request.build(), HttpResponse.BodyHandlers.discarding())
                        .statusCode();
            }
        }

        /** Opens a stream, and closes it. */
        void opensSocket() throws Exception {
            try (var page = page()) {
                var token = machine.read("token");
                page.newWebSocketBuilder()
                        .header("Authorization", "Bearer " + token)
                        .buildAsync(
                                URI.create(url().replace("https", "wss") + "/stream"),
                                new WebSocket.Listener() {})
                        .get(60, TimeUnit.SECONDS)
                        .abort();
                page.shutdownNow();
            }
        }

        private HttpClient page() throws Exception {
            var trusted = KeyStore.getInstance(KeyStore.getDefaultType());
            trusted.load(null);
            try (var pem = Files.newInputStream(certificates())) {
                for (var each : CertificateFactory.getInstance("X.509").generateCertificates(pem)) {
                    trusted.setCertificateEntry("" + trusted.size(), each);
                }
            }
            var managers = TrustManagerFactory.getInstance("PKIX");
            managers.init(trusted);
            var context = SSLContext.getInstance("TLS");
            context.init(null, managers.getTrustManagers(), null);
            return HttpClient.newBuilder().sslContext(context).build();
        }

        /** The environment of a program that calls the coordinator through the proxy. */
        Map<String, String> throughIt() {
            return Map.of(
                    "COPPICE_URL", url(),
                    "COPPICE_TOKEN", machine.read("token"),
                    "COPPICE_CA", certificates().toString());
        }
    }

    private interface Proxy {
        Machine.Program start(Scene scene) throws IOException;
    }

    private static Path program(String name) {
        var here = Debian.onThisMachine(name);
        if (here.isPresent()) return here.get();
        try {
            var root = Debian.unpacked(name, List.of(name));
            return root.resolve(name.equals("nginx") ? "usr/sbin" : "usr/bin").resolve(name);
        } catch (Debian.Missing e) {
            assumeTrue("required".equals(System.getenv("COPPICE_PEERS")), e.getMessage());
            throw e;
        }
    }

    @Test
    void nginx() throws Exception {
        behind(scene -> {
            var file = scene.place().resolve("nginx.conf");
            // The page cannot know where nginx may write here.
            var whole =
                    """
                    daemon off;
                    pid %1$s/pid;
                    error_log stderr;
                    events {}
                    http {
                        client_body_temp_path %1$s/body;
                        proxy_temp_path %1$s/proxy;
                        fastcgi_temp_path %1$s/fastcgi;
                        uwsgi_temp_path %1$s/uwsgi;
                        scgi_temp_path %1$s/scgi;
                    %2$s
                    }
                    """
                            .formatted(scene.place(), scene.configuration("nginx"));
            Files.writeString(file, whole);
            var line = List.of(program("nginx").toString(), "-e", "stderr", "-c", file.toString());
            return scene.machine().begin(line);
        });
    }

    @Test
    void caddy() throws Exception {
        behind(scene -> {
            var file = scene.place().resolve("Caddyfile");
            // Port 80, and the port of its administration, are not the test's.
            var own =
                    "{\n    admin off\n    auto_https disable_redirects\n    grace_period 1s\n}\n";
            Files.writeString(file, own + scene.configuration("caddy"));
            var caddy = program("caddy").toString();
            var line = List.of(caddy, "run", "--adapter", "caddyfile", "--config", file.toString());
            return scene.machine().begin(line, Map.of("HOME", scene.place().toString()));
        });
    }

    private static void behind(Proxy proxy) throws Exception {
        int port;
        try (var free = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            port = free.getLocalPort();
        }
        try (var machine = new Machine()) {
            var made = machine.run("tls", "make", "--name", "127.0.0.1");
            var authority = Pattern.compile("sha256:\\S+").matcher(made);
            assertThat(authority.find()).isTrue();
            var place = Temporary.directory("coppice-proxy");
            var scene = new Scene(machine, port, place, authority.group());
            machine.up("--public-url", scene.url());
            var program = proxy.start(scene);
            Eventually.await(() -> answers(scene), program::text);
            worksThrough(scene);
        }
    }

    private static boolean answers(Scene scene) {
        var listed = scene.machine().startWith(scene.throughIt(), "list");
        return listed.awaitExit() == 0;
    }

    /** A runner joins and works, events come while the stream is open, and pages may write. */
    private static void worksThrough(Scene scene) throws Exception {
        var machine = scene.machine();
        var events = machine.startWith(scene.throughIt(), "events", "-f");
        var invited = machine.run("runner", "invite", "--tags", "far");
        assertThat(invited).contains("coppice runner join " + scene.url() + " --code ");
        var words = new ArrayList<>(List.of(invited.lines().findFirst().orElseThrow().split(" ")));
        words.removeFirst();
        words.addAll(List.of("--fingerprint", scene.authority(), "--data"));
        words.add(scene.place().resolve("far").toString());
        var far = machine.start(words.toArray(String[]::new));
        Eventually.await(() -> far.text().contains("takes runs from https://"), far::text);
        var go = machine.data().resolve("go");
        machine.post(
                "/agents",
                """
                {"name": "there", "kind": "command", "demands": {"tags": ["far"]},
                 "command": ["sh", "-c", "%secho done"]}
                """
                        .formatted(Machine.awaiting(go)));
        machine.run("start", "lone", "--agent", "there", "--mode", "async_poll", "-p", "x");
        machine.awaitAtWork("lone");
        Eventually.await(() -> events.text().contains("running"), events::text);
        assertThat(events.process().isAlive()).isTrue();
        Files.createFile(go);
        machine.awaitState("lone", "finished");
        assertThat(scene.postedFrom(scene.url())).isEqualTo(404);
        assertThat(scene.postedFrom("https://elsewhere.example")).isEqualTo(403);
        scene.opensSocket();
    }
}
