package dev.coppice.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Instant;
import java.util.HexFormat;
import java.util.Map;

class CanonicalTest {
    private enum Choice {
        TAKE_ALL
    }

    private static String sha256(String bytes) throws NoSuchAlgorithmException {
        var digest = MessageDigest.getInstance("SHA-256");
        return HexFormat.of().formatHex(digest.digest(bytes.getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void fields_are_name_length_and_value() throws NoSuchAlgorithmException {
        var hash =
                new Canonical()
                        .with("name", "plän\n")
                        .with("depth", 2)
                        .with("at", Instant.ofEpochMilli(1_700_000_000_123L))
                        .with("choice", Choice.TAKE_ALL)
                        .with("missing", (String) null)
                        .with(Map.of("more", ""))
                        .hash();
        assertThat(hash)
                .isEqualTo(
                        sha256(
                                """
                                name 6 plän

                                depth 1 2
                                at 13 1700000000123
                                choice 8 take_all
                                more 0\s
                                """));
    }

    @Test
    void a_value_cannot_pretend_to_be_two_fields() {
        var one = new Canonical().with("a", "1\nb 1 2").hash();
        var two = new Canonical().with("a", "1").with("b", "2").hash();
        assertThat(one).isNotEqualTo(two);
    }

    @Test
    void a_field_without_a_value_changes_nothing() {
        var without = new Canonical().with("a", "1").shortHash();
        assertThat(new Canonical().with("a", "1").with("b", (Instant) null).shortHash())
                .isEqualTo(without)
                .hasSize(16);
    }
}
