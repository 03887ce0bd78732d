package dev.coppice.programs;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.boot.Coordinator;
import dev.coppice.boot.Face;
import dev.coppice.boot.SettingsReader;
import dev.coppice.mcp.McpFace;
import dev.coppice.scene.InSoak;
import dev.coppice.scene.LongForm;
import dev.coppice.scene.Soak;
import dev.coppice.scene.Temporary;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.stream.Collectors;

/**
 * The official programs of the Model Context Protocol against Coppice: the conformance suite, the
 * TypeScript clients and the inspector.
 */
class PeersTest {
    private static final String CONFORMANCE = "@modelcontextprotocol/conformance/dist/index.js";
    private static final String INSPECTOR =
            "@modelcontextprotocol/inspector/clients/launcher/build/index.js";

    private final Path data = Temporary.directory("coppice-peers-data");

    private Coordinator coordinator(Face.Maker... others) {
        var environment = new HashMap<String, String>();
        environment.put("COPPICE_DATA", data.toString());
        environment.put("COPPICE_PORT", "0");
        return Coordinator.start(new SettingsReader(environment).read(), List.of(others));
    }

    private String token() throws IOException {
        return Files.readString(data.resolve("token")).strip();
    }

    static List<String> revisions() {
        return Soak.part(List.of("2026-07-28"), List.of("2025-11-25", "2026-07-28"));
    }

    static List<String> clients() {
        return Soak.part(List.of("new"), List.of("old", "new"));
    }

    /** Every required check passes, and every other that the suite has for a server. */
    @LongForm
    @ParameterizedTest
    @MethodSource("revisions")
    void the_official_suite_passes(String revision) {
        var peers = Npm.installed("peers");
        try (var coordinator = coordinator(McpFace.with(Fixtures::new))) {
            // The check against DNS rebinding insists on this name.
            var url = coordinator.url().replace("127.0.0.1", "localhost") + "/mcp";
            var ran = peers.node(CONFORMANCE, "server", "--url", url, "--requirements", revision);
            var summary = ran.out().substring(Math.max(0, ran.out().indexOf("=== SUMMARY")));
            System.out.println(
                    summary.lines()
                            .filter(line ->
                                    line.startsWith("Total") || line.startsWith("Not scored"))
                            .collect(Collectors.joining("; ", "MCP " + revision + ": ", "")));
            assertThat(ran.code()).as(summary).isZero();
            assertThat(summary).contains("Total: ").doesNotContain("✗");
        }
    }

    @LongForm
    @ParameterizedTest
    @MethodSource("clients")
    void the_official_clients_drive_every_tool(String which) throws IOException {
        var peers = Npm.installed("peers");
        try (var coordinator = coordinator(McpFace::on)) {
            var ran = peers.node("clients.mjs", coordinator.url() + "/mcp", token(), which);
            assertThat(ran.code()).as(ran.out()).isZero();
            assertThat(ran.out()).contains("tools with the " + which + " client");
        }
    }

    @Test
    @InSoak
    void the_inspector_reaches_every_tool_and_finds_no_fault_in_their_schemas() throws IOException {
        var peers = Npm.installed("peers");
        try (var coordinator = coordinator(McpFace::on)) {
            for (var era : new String[] {"legacy", "modern"}) {
                var listed = inspect(peers, coordinator, era, "--method", "tools/list", "--strict");
                assertThat(listed.code()).as(listed.out()).isZero();
                assertThat(listed.out()).doesNotContain("is an array");
            }
            var all = inspect(peers, coordinator, "modern", "--method", "tools/list");
            var found = all.out().lines().filter(line -> line.startsWith("{")).findFirst();
            var tools = Json.read(found.orElseThrow());
            for (var tool : tools.findValue("tools")) {
                var called =
                        inspect(
                                peers,
                                coordinator,
                                "modern",
                                "--method",
                                "tools/call",
                                "--tool-name",
                                tool.get("name").asString(),
                                "--tool-args-json",
                                "{}");
                // Most refuse, for want of arguments: with a result, not an error of the protocol.
                assertThat(called.out()).contains("\"content\"");
            }
        }
    }

    private Npm.Ran inspect(Npm peers, Coordinator coordinator, String era, String... more)
            throws IOException {
        var arguments = new java.util.ArrayList<String>();
        arguments.addAll(
                java.util.List.of(
                        "--cli",
                        "--server-url",
                        coordinator.url() + "/mcp",
                        "--transport",
                        "http",
                        "--header",
                        "Authorization: Bearer " + token(),
                        "--protocol-era",
                        era,
                        "--format",
                        "json"));
        arguments.addAll(java.util.List.of(more));
        return peers.node(INSPECTOR, arguments.toArray(String[]::new));
    }
}
