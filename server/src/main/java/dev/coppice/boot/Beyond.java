package dev.coppice.boot;

import dev.coppice.client.Trust;
import dev.coppice.operations.token.Invites;
import dev.coppice.thread.Loops;
import dev.coppice.web.OriginCheck;
import dev.coppice.web.ServerTls;
import dev.coppice.web.WebServer;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.HashSet;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The port at which other machines reach the coordinator, by TLS or plainly. */
public final class Beyond implements AutoCloseable {
    private static final Set<String> HERE =
            Set.of("localhost", "127.0.0.1", "[0:0:0:0:0:0:0:1]", "0.0.0.0", "[0:0:0:0:0:0:0:0]");

    private static final Duration LOOK = Duration.ofSeconds(5);

    private final Settings.Listen listen;
    private final WebServer.Port port;
    private final @Nullable ServerTls tls;
    private final OriginCheck originCheck;
    private final CountDownLatch closed = new CountDownLatch(1);

    private Beyond(Settings.Reach reach, Settings.Listen listen, WebServer web) throws IOException {
        this.listen = listen;
        var files = listen.tls();
        this.tls = files == null ? null : new ServerTls(files.certificate(), files.key());
        var address = listen.address().replaceAll("[\\[\\]]", "");
        this.port =
                tls == null
                        ? web.open(address, listen.port())
                        : web.open(address, listen.port(), tls);
        this.originCheck = originCheck(reach);
    }

    /** Binds the port; null if no address is set. */
    static @Nullable Beyond open(WebServer web, Settings.Reach reach) {
        var listen = reach.listen();
        if (listen == null) return null;
        try {
            return new Beyond(reach, listen, web);
        } catch (ServerTls.BadFiles e) {
            throw new DataDirectory.Unusable(String.valueOf(e.getMessage()));
        } catch (IOException e) {
            throw new DataDirectory.Unusable(
                    "%s, port %d, cannot be used: %s"
                            .formatted(listen.address(), listen.port(), e.getMessage()));
        }
    }

    private OriginCheck originCheck(Settings.Reach reach) {
        var hosts = new HashSet<>(reach.hosts());
        for (var name : tls == null ? addresses() : tls.names()) {
            hosts.add(name + ":" + port.number());
            if (port.number() == (tls == null ? 80 : 443)) hosts.add(name);
        }
        return OriginCheck.of(scheme(), hosts)
                .at(reach.publicUrl(), reach.proxies())
                .with(reach.origins());
    }

    private String scheme() {
        return tls == null ? "http" : "https";
    }

    /** The names of the port: those of this machine if it listens at all of them. */
    private Set<String> addresses() {
        try {
            var here = new LinkedHashSet<>(Set.of(listen.address()));
            if (!InetAddress.getByName(listen.address()).isAnyLocalAddress()) return here;
            NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .map(Beyond::literal)
                    .forEach(here::add);
            here.add(hostname());
            return here;
        } catch (IOException e) {
            throw new UncheckedIOException("looking up " + listen.address(), e);
        }
    }

    /** The name of this machine, or its address if it does not know its name. */
    private static String hostname() {
        try {
            return InetAddress.getLocalHost().getHostName();
        } catch (UnknownHostException _) {
            return "localhost";
        }
    }

    /** An address as a URL has it: without its zone, and in brackets if it has colons. */
    private static String literal(InetAddress address) {
        var text = address.getHostAddress().replaceAll("%.*", "");
        return text.contains(":") ? "[" + text + "]" : text;
    }

    /** Where other machines reach the coordinator, and the fingerprint that they compare. */
    static Invites.Address address(Settings.Reach reach, @Nullable Beyond beyond) {
        var url = reach.publicUrl();
        if (url != null) return new Invites.Address(url.toString(), null);
        if (beyond == null) return new Invites.Address(null, null);
        var tls = beyond.tls;
        var name = beyond.name();
        return new Invites.Address(
                name == null
                        ? null
                        : "%s://%s:%d".formatted(beyond.scheme(), name, beyond.port.number()),
                tls == null ? null : Trust.fingerprint(tls.authority()));
    }

    /** A name for other machines: the one it listens at, else the first that is not of this one. */
    private @Nullable String name() {
        var names = tls == null ? addresses() : tls.names();
        var here = listen.address();
        boolean isAny = HERE.contains(OriginCheck.canonical(here));
        if (!isAny) return here;
        return names.stream()
                .filter(name -> !HERE.contains(name) && !name.startsWith("*"))
                .findFirst()
                .orElse(null);
    }

    /** Reads the certificate again when it changes. */
    void renew(Loops loops) {
        var certificate = tls;
        if (certificate == null) return;
        loops.start(
                "certificate",
                () -> closed.getCount() > 0,
                () -> {
                    if (!closed.await(LOOK.toMillis(), TimeUnit.MILLISECONDS)) certificate.renew();
                });
    }

    WebServer.Port port() {
        return port;
    }

    OriginCheck originCheck() {
        return originCheck;
    }

    public boolean isPlain() {
        return tls == null;
    }

    /** The address and port at which it listens. */
    public String url() {
        return "%s://%s:%d".formatted(scheme(), listen.address(), port.number());
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
