package dev.coppice.boot;

import dev.coppice.alerts.Webhook;
import dev.coppice.callback.CallbackPorts;
import dev.coppice.fleet.Leases;
import dev.coppice.journal.EventRetention;
import dev.coppice.operations.removal.Confirmation;
import dev.coppice.session.Limits;
import dev.coppice.wiring.Rules;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The settings, with defaults for those that are not set. {@link SettingsReader} reads them. */
public record Settings(
        Path data,
        int port,
        List<Integer> hookPorts,
        boolean areHookPortsOpen,
        List<Integer> pathPorts,
        @Nullable String database,
        Duration databaseWait,
        Limits limits,
        Leases leases,
        CallbackPorts.Terms callbacks,
        Duration quotaWait,
        Duration unmatchedAfter,
        List<EventRetention.Rule> keepEvents,
        @Nullable Duration keepSessions,
        Duration undoWindow,
        Duration removalDeadline,
        Confirmation confirmation,
        Path backups,
        Map<String, String> environment,
        Reach reach,
        List<Path> transcripts,
        Ground.@Nullable Collector collector,
        Webhook.@Nullable Target alertTo) {
    /**
     * How others reach the coordinator.
     *
     * @param listen the address beyond this machine at which it listens, if there is one
     * @param publicUrl the address at which a proxy serves it, if there is one
     * @param proxies the addresses of proxies whose headers are believed
     * @param hosts further names, with ports, to which it answers
     * @param origins the origins of other servers whose pages may call
     */
    public record Reach(
            @Nullable Listen listen,
            @Nullable URI publicUrl,
            Set<InetAddress> proxies,
            Set<String> hosts,
            Set<String> origins) {}

    /** An address and port; without a certificate, everything there can be read on its way. */
    public record Listen(String address, int port, @Nullable TlsFiles tls) {}

    /** A certificate with its chain, and its key, in PEM. */
    public record TlsFiles(Path certificate, Path key) {
        /** The files that 'coppice tls make' makes in a data directory. */
        public static TlsFiles madeIn(Path data) {
            var place = data.resolve("tls");
            return new TlsFiles(place.resolve("certificate.pem"), place.resolve("key.pem"));
        }
    }

    public static final int PORT_DEFAULT = 8765;

    Rules.Terms terms() {
        return new Rules.Terms(
                limits, leases, callbacks, quotaWait, unmatchedAfter, undoWindow, removalDeadline);
    }
}
