package dev.coppice.web;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.URI;
import java.util.HashSet;
import java.util.Locale;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Checks the Host and Origin of requests. A page on the web can make a browser send requests to
 * this machine; their Host or Origin reveals it.
 *
 * @param hosts the hosts of this port, with their ports, as browsers write them
 * @param own the origins of its pages
 * @param origins the origins of other servers whose pages may call
 * @param proxies the addresses from which a header about the caller's protocol is believed
 */
public record OriginCheck(
        Set<String> hosts,
        Set<String> own,
        Set<String> origins,
        Set<InetAddress> proxies,
        boolean takesThisMachine) {
    private static final Set<String> THIS_MACHINE = Set.of("127.0.0.1", "localhost", "[::1]");
    private static final String TLS = "https";

    public OriginCheck {
        hosts = hosts.stream().map(OriginCheck::canonical).collect(Collectors.toSet());
        own = own.stream().map(OriginCheck::canonical).collect(Collectors.toSet());
        origins = Set.copyOf(origins);
        proxies = Set.copyOf(proxies);
    }

    /** Accepts these hosts, and their own pages. */
    public static OriginCheck of(String scheme, Set<String> hosts) {
        var own = hosts.stream().map(host -> scheme + "://" + host).collect(Collectors.toSet());
        return new OriginCheck(hosts, own, Set.of(), Set.of(), false);
    }

    /** Accepts pages from any port of this machine, and no others. */
    static OriginCheck ofThisMachine(int port) {
        var local = of("http", local(port));
        return new OriginCheck(local.hosts, local.own, Set.of(), Set.of(), true);
    }

    public static Set<String> local(int port) {
        return Set.of("127.0.0.1:" + port, "localhost:" + port, "[::1]:" + port);
    }

    /** Accepts pages of other servers, too. */
    public OriginCheck with(Set<String> others) {
        return new OriginCheck(hosts, own, others, proxies, takesThisMachine);
    }

    /** Accepts the address at which a proxy in front serves this port; null if there is none. */
    public OriginCheck at(@Nullable URI publicUrl, Set<InetAddress> through) {
        var allHosts = new HashSet<>(hosts);
        var allOwn = new HashSet<>(own);
        if (publicUrl != null) {
            allHosts.add(publicUrl.getAuthority());
            allOwn.add(publicUrl.getScheme() + "://" + publicUrl.getAuthority());
        }
        return new OriginCheck(allHosts, allOwn, origins, through, takesThisMachine);
    }

    boolean lets(@Nullable String host, @Nullable String origin) {
        return host != null
                && (isIn(hosts, canonical(host)) || isTunnelled(host))
                && (origin == null || isNamed(origin) || isIn(own, canonical(origin)));
    }

    /** True for another port of this machine, at which a tunnel of ssh to this port may begin. */
    private boolean isTunnelled(String host) {
        if (hosts.stream().noneMatch(each -> each.startsWith("127.0.0.1:"))) return false;
        int port = host.lastIndexOf(':');
        return port > 0
                && THIS_MACHINE.contains(host.substring(0, port).toLowerCase(Locale.ROOT))
                && host.substring(port + 1).matches("[0-9]{1,5}");
    }

    /** True if the set has it, or a certificate's name that stands for all with another label. */
    private static boolean isIn(Set<String> known, String text) {
        if (known.contains(text)) return true;
        int from = text.indexOf("://");
        int begin = from < 0 ? 0 : from + 3;
        int dot = text.indexOf('.', begin);
        return dot > begin && known.contains(text.substring(0, begin) + "*" + text.substring(dot));
    }

    /** A host or origin in lower case, with its IPv6 address in one of its many forms. */
    public static String canonical(String given) {
        var text = given.toLowerCase(Locale.ROOT);
        int from = text.indexOf('[');
        int to = text.indexOf(']');
        if (from < 0 || to < from) return text;
        try {
            var address = InetAddress.ofLiteral(text.substring(from + 1, to)).getHostAddress();
            return text.substring(0, from + 1) + address + text.substring(to);
        } catch (IllegalArgumentException _) {
            return text;
        }
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

    /**
     * The protocol by which the caller reached us. Only a named proxy is believed about it.
     *
     * @param forwarded the protocol that a proxy claims
     */
    String scheme(
            boolean isSecure,
            @Nullable String host,
            @Nullable InetAddress peer,
            @Nullable String forwarded) {
        boolean isPublic = isIn(own, canonical(TLS + "://" + host));
        boolean isClaimed = peer != null && proxies.contains(peer) && TLS.equals(forwarded);
        return isSecure || isPublic || isClaimed ? TLS : "http";
    }
}
