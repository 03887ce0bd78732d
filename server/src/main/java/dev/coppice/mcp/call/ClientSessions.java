package dev.coppice.mcp.call;

import dev.coppice.access.Caller;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.operation.Rejected;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * The sessions of clients of the earlier era. They are in memory: after a restart a client begins
 * anew, as the protocol says. A caller that begins too many loses those it used least recently.
 */
public final class ClientSessions {
    public static final String HEADER = "Mcp-Session-Id";

    /** The limit for the streams of a session that are over. */
    static final long ENDED_CHARS_MAX = 1024 * 1024;

    private static final int ID_BYTES = 18;
    private static final Duration IDLE_MAX = Duration.ofMinutes(30);
    private static final Duration SWEEP = Duration.ofMinutes(1);

    private final SecureRandom random = new SecureRandom();
    private final Map<String, ClientSession> byId = new ConcurrentHashMap<>();
    private long lastSweep = System.nanoTime();

    public ClientSession begin(Caller caller, String version, JsonNode capabilities) {
        var bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        var id = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        var session = new ClientSession(id, caller, version, capabilities);
        close(placed(session));
        return session;
    }

    private synchronized List<ClientSession> placed(ClientSession session) {
        var gone = idle();
        gone.forEach(each -> byId.remove(each.id()));
        var caller = session.caller();
        var own =
                byId.values().stream()
                        .filter(each -> each.caller().key().equals(caller.key()))
                        .toList();
        if (own.size() >= Places.max(caller)) {
            var oldest =
                    own.stream()
                            .filter(ClientSession::isIdle)
                            .min(Comparator.comparingLong(ClientSession::lastUse))
                            .orElseThrow(() ->
                                    new Rejected(
                                            new RequestRefusal.TooMany(
                                                    "MCP sessions", Places.max(caller))));
            byId.remove(oldest.id());
            gone =
                    java.util.stream.Stream.concat(
                                    gone.stream(), java.util.stream.Stream.of(oldest))
                            .toList();
        }
        byId.put(session.id(), session);
        return gone;
    }

    /** Sessions that nobody has used for long. They are looked for at most once a minute. */
    private List<ClientSession> idle() {
        long now = System.nanoTime();
        if (now - lastSweep < SWEEP.toNanos()) return List.of();
        lastSweep = now;
        return byId.values().stream()
                .filter(each -> now - each.lastUse() > IDLE_MAX.toNanos() && each.isIdle())
                .toList();
    }

    /** Finds a session of this caller; that of another is unknown to it. */
    public Optional<ClientSession> find(@Nullable String id, Caller caller) {
        if (id == null) return Optional.empty();
        var found =
                Optional.ofNullable(byId.get(id))
                        .filter(session -> session.caller().key().equals(caller.key()));
        found.ifPresent(ClientSession::touch);
        return found;
    }

    public void end(ClientSession session) {
        byId.remove(session.id());
        session.close();
    }

    private static void close(List<ClientSession> sessions) {
        sessions.forEach(ClientSession::close);
    }

    void forEach(Consumer<ClientSession> action) {
        byId.values().forEach(action);
    }

    public void close() {
        byId.values().forEach(ClientSession::close);
        byId.clear();
    }
}
