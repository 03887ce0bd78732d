package dev.coppice.mcp.call;

import dev.coppice.access.Caller;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RequestRefusal;

import java.security.SecureRandom;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.LongSupplier;

/**
 * The sessions of clients of the earlier era. They are in memory: after a restart a client begins
 * anew, as the protocol says. A caller that begins too many loses those it used least recently.
 */
public final class ClientSessions {
    static final int OF_AN_AGENT_MAX = 16;
    private static final int OF_A_ROLE_MAX = 2_048;
    private static final int ID_BYTES = 18;
    private static final Duration IDLE_MAX = Duration.ofMinutes(30);

    private final SecureRandom random = new SecureRandom();
    private final Map<String, ClientSession> byId = new ConcurrentHashMap<>();
    private final Retained retained = Retained.ofThisProcess();
    private final LongSupplier nanos;

    public ClientSessions() {
        this(System::nanoTime);
    }

    ClientSessions(LongSupplier nanos) {
        this.nanos = nanos;
    }

    public ClientSession begin(Caller caller, String version, Abilities abilities) {
        var bytes = new byte[ID_BYTES];
        random.nextBytes(bytes);
        var id = Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
        var session = new ClientSession(id, caller, version, abilities, nanos, retained);
        var gone = new ArrayList<ClientSession>();
        try {
            place(session, gone);
        } finally {
            gone.forEach(ClientSession::close);
        }
        return session;
    }

    private synchronized void place(ClientSession session, List<ClientSession> gone) {
        var caller = session.caller();
        var own =
                byId.values().stream()
                        .filter(each -> each.caller().key().equals(caller.key()))
                        .toList();
        if (own.size() >= max(caller)) {
            var oldest =
                    own.stream()
                            .filter(ClientSession::isIdle)
                            .min(Comparator.comparingLong(ClientSession::lastUse))
                            .orElseThrow(() ->
                                    new Rejected(
                                            new RequestRefusal.TooMany(
                                                    "MCP sessions of this token", max(caller))));
            byId.remove(oldest.id());
            gone.add(oldest);
        }
        byId.put(session.id(), session);
    }

    private static int max(Caller caller) {
        return caller.isAgent() ? OF_AN_AGENT_MAX : OF_A_ROLE_MAX;
    }

    /** Ends sessions that nobody has used for long; returns how many. */
    public int sweep() {
        long now = nanos.getAsLong();
        var overdue = byId.values().stream().filter(each -> isOverdue(each, now)).toList();
        overdue.forEach(this::end);
        return overdue.size();
    }

    private static boolean isOverdue(ClientSession session, long now) {
        return now - session.lastUse() > IDLE_MAX.toNanos() && session.isIdle();
    }

    /** Finds a session of this caller; that of another is unknown to it. */
    public ClientSession find(String id, Caller caller) throws BrokenCall {
        var found = byId.get(id);
        if (found == null || !found.caller().key().equals(caller.key())) {
            throw ClientSession.unknown();
        }
        if (isOverdue(found, nanos.getAsLong())) {
            end(found);
            throw ClientSession.unknown();
        }
        found.touch();
        return found;
    }

    public void end(ClientSession session) {
        byId.remove(session.id());
        session.close();
    }

    public void close() {
        byId.values().forEach(ClientSession::close);
        byId.clear();
    }
}
