package dev.coppice.web;

import org.jspecify.annotations.Nullable;

import java.net.URI;
import java.util.Set;

/**
 * Checks the Host and Origin of requests. A page on the web can make a browser send requests to
 * this machine; their Host or Origin reveals it.
 */
public final class OriginCheck {
    private static final Set<String> THIS_MACHINE = Set.of("127.0.0.1", "localhost", "[::1]");

    private final Set<String> hosts;
    private final Set<String> origins;
    private final boolean takesThisMachine;

    /** {@code hosts} include their ports, as browsers write them. */
    public OriginCheck(Set<String> hosts, Set<String> origins) {
        this(hosts, origins, false);
    }

    private OriginCheck(Set<String> hosts, Set<String> origins, boolean takesThisMachine) {
        this.hosts = Set.copyOf(hosts);
        this.origins = Set.copyOf(origins);
        this.takesThisMachine = takesThisMachine;
    }

    /** Accepts pages from any port of this machine, and no others. */
    static OriginCheck ofThisMachine(int port) {
        return new OriginCheck(local(port), Set.of(), true);
    }

    public static Set<String> local(int port) {
        return Set.of("127.0.0.1:" + port, "localhost:" + port, "[::1]:" + port);
    }

    boolean lets(@Nullable String host, @Nullable String origin) {
        return host != null
                && hosts.contains(host)
                && (origin == null || isNamed(origin) || isOurs(origin));
    }

    /** True for an origin of another server, whose pages need permission by CORS. */
    boolean isNamed(@Nullable String origin) {
        return origin != null
                && (origins.contains(origin) || (takesThisMachine && isOfThisMachine(origin)));
    }

    private static boolean isOfThisMachine(String origin) {
        try {
            return THIS_MACHINE.contains(String.valueOf(URI.create(origin).getHost()));
        } catch (IllegalArgumentException _) {
            return false;
        }
    }

    private boolean isOurs(String origin) {
        try {
            var uri = URI.create(origin);
            return "http".equals(uri.getScheme()) && hosts.contains(uri.getAuthority());
        } catch (IllegalArgumentException _) {
            return false;
        }
    }
}
