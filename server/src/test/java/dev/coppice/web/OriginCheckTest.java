package dev.coppice.web;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.net.InetAddress;
import java.net.URI;
import java.util.Set;

/** A request names a host of its port, and comes from a page of it or from none. */
class OriginCheckTest {
    private static final InetAddress PROXY = InetAddress.ofLiteral("10.0.0.7");
    private static final InetAddress OTHER = InetAddress.ofLiteral("10.0.0.8");

    private final OriginCheck check =
            OriginCheck.of("http", Set.of("127.0.0.1:1", "[fd00:0:0:0:0:0:0:1]:1"))
                    .at(URI.create("https://coppice.example.org"), Set.of(PROXY));

    @Test
    void the_public_address_is_a_host_and_its_pages_are_ours() {
        assertThat(check.lets("coppice.example.org", "https://coppice.example.org")).isTrue();
        assertThat(check.lets("coppice.example.org", null)).isTrue();
        assertThat(check.lets("coppice.example.org", "http://coppice.example.org")).isFalse();
        assertThat(check.lets("127.0.0.1:1", "http://127.0.0.1:1")).isTrue();
        assertThat(check.lets("127.0.0.1:1", "https://127.0.0.1:1")).isFalse();
        assertThat(check.lets("evil.example:1", null)).isFalse();
        assertThat(check.lets("127.0.0.1:1", "http://evil.example")).isFalse();
    }

    /** Its pages are not ours: another server of this machine may have made them. */
    @Test
    void a_tunnel_may_begin_at_another_port_of_this_machine() {
        assertThat(check.lets("127.0.0.1:2", null)).isTrue();
        assertThat(check.lets("localhost:2", null)).isTrue();
        assertThat(check.lets("127.0.0.1:2", "http://127.0.0.1:2")).isFalse();
        assertThat(check.lets("127.0.0.1:x", null)).isFalse();
        assertThat(check.lets("127.0.0.1.evil.example:1", null)).isFalse();
        assertThat(OriginCheck.of("https", Set.of("build:1")).lets("127.0.0.1:2", null)).isFalse();
    }

    @Test
    void a_name_with_a_star_stands_for_one_label() {
        var wild = OriginCheck.of("https", Set.of("*.example.org:1"));
        assertThat(wild.lets("Build.example.org:1", "https://build.example.org:1")).isTrue();
        assertThat(wild.lets("a.b.example.org:1", null)).isFalse();
        assertThat(wild.lets("example.org:1", null)).isFalse();
        assertThat(wild.lets(".example.org:1", null)).isFalse();
        assertThat(wild.lets("build.example.org:1", "https://evil.example:1")).isFalse();
    }

    @Test
    void an_address_has_many_forms() {
        assertThat(check.lets("[fd00::1]:1", "http://[fd00::1]:1")).isTrue();
        assertThat(check.lets("[fd00::2]:1", null)).isFalse();
        assertThat(check.lets("[not an address]:1", null)).isFalse();
    }

    @Test
    void a_claim_about_the_protocol_is_believed_of_named_proxies_only() {
        assertThat(check.scheme(false, "127.0.0.1:1", PROXY, "https")).isEqualTo("https");
        assertThat(check.scheme(false, "127.0.0.1:1", OTHER, "https")).isEqualTo("http");
        assertThat(check.scheme(false, "127.0.0.1:1", null, "https")).isEqualTo("http");
        assertThat(check.scheme(true, "127.0.0.1:1", OTHER, null)).isEqualTo("https");
        assertThat(check.scheme(false, "coppice.example.org", OTHER, null)).isEqualTo("https");
    }
}
