package dev.coppice.hooks;

import dev.coppice.web.Exchange;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * The addresses at which programs wait for answers to their events. The sender of an event may
 * invent its address, to make the coordinator call another process. So an address is used only if
 * the process that sent the event listens there itself.
 */
final class Listeners {
    private static final int LISTENERS_MAX = 1_000;
    private static final int OF_A_PROCESS_MAX = 50;
    private static final int ADDRESS_CHARS_MAX = 500;
    private static final Set<String> HOSTS = Set.of("localhost", "127.0.0.1", "[::1]");

    /** An address, and the process that listens there. */
    private record Listener(URI address, long pid) {}

    private final Map<Long, Listener> known =
            new LinkedHashMap<>() {
                private static final long serialVersionUID = 1;

                @Override
                protected boolean removeEldestEntry(Map.Entry<Long, Listener> eldest) {
                    return size() > LISTENERS_MAX;
                }
            };

    /** Remembers the address in an event that was just stored, if its sender listens there. */
    void noticed(long event, @Nullable String named, Exchange sent) {
        var peer = sent.request().peer();
        var address = named == null ? null : address(named);
        if (address == null || peer == null) return;
        var pid = PeerProcess.of(peer);
        if (pid.isEmpty() || !PeerProcess.listens(pid.getAsLong(), address.getPort())) return;
        put(event, new Listener(address, pid.getAsLong()));
    }

    /** Adds the listener. A process that has its maximum loses its own oldest one. */
    private void put(long event, Listener listener) {
        synchronized (known) {
            var own =
                    known.entrySet().stream()
                            .filter(e -> e.getValue().pid() == listener.pid())
                            .map(Map.Entry::getKey)
                            .toList();
            if (own.size() >= OF_A_PROCESS_MAX) known.remove(own.getFirst());
            known.put(event, listener);
        }
    }

    private static @Nullable URI address(String text) {
        if (text.length() > ADDRESS_CHARS_MAX) return null;
        try {
            var address = URI.create(text);
            boolean isNear =
                    "ws".equals(address.getScheme())
                            && HOSTS.contains(String.valueOf(address.getHost()))
                            && address.getPort() > 0;
            return isNear ? address : null;
        } catch (IllegalArgumentException _) {
            return null;
        }
    }

    /** The address for the answer, if the same process still listens there. */
    Optional<URI> of(long event) {
        Listener listener;
        synchronized (known) {
            listener = known.remove(event);
        }
        return listener != null && PeerProcess.listens(listener.pid(), listener.address().getPort())
                ? Optional.of(listener.address())
                : Optional.empty();
    }
}
