package dev.coppice.alerts;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.alert.Alert;
import dev.coppice.alert.Alert.Delivery;
import dev.coppice.alert.Alerts.Cause;
import dev.coppice.alert.DeliverAlerts;
import dev.coppice.kernel.SessionId;
import dev.coppice.scene.Clock;
import dev.coppice.scene.Temporary;
import dev.coppice.wire.Json;
import dev.coppice.word.AlertKind;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The rules of a person say who hears of what, and when; a command gets it as it is. */
class AlertFileTest {
    private final Clock clock = new Clock();
    private final Path directory = Temporary.directory("coppice-alerts");
    private final Path file = directory.resolve("alerts.json");
    private final AlertFile alerts =
            new AlertFile(file, Map.of("PATH", "/usr/bin:/bin", "SECRET", "x"), null, clock);
    private long changes = 1;

    private void write(String json) throws IOException {
        Files.writeString(file, json);
        Files.setLastModifiedTime(file, FileTime.fromMillis(1_000 * ++changes));
        alerts.refresh();
    }

    private Cause cause(AlertKind kind) {
        var now = clock.instant();
        return new Cause(new SessionId("s"), "s", kind, "cause", "why", now, null);
    }

    private List<String> who(AlertKind kind) {
        return alerts.deliveries(cause(kind), top -> top.equals("shop")).stream()
                .map(Delivery::channel)
                .toList();
    }

    @Test
    void all_rules_that_match_count_and_a_channel_hears_once() throws IOException {
        assertThat(who(AlertKind.FAILED)).isEmpty();
        write(
                """
                {"channels": {"say": {"command": ["true"]},
                              "phone": {"webhook": "http://127.0.0.1:1/x",
                                        "secret": "0123456789abcdef"}},
                 "rules": [{"on": ["failed", "asks"], "to": ["say", "desktop"]},
                           {"on": ["failed"], "below": "shop", "to": ["say", "phone"]},
                           {"on": ["lost"], "below": "other", "to": ["say"]}]}
                """);
        assertThat(alerts.fault()).isNull();
        assertThat(who(AlertKind.FAILED)).containsExactly("say", "desktop", "phone");
        assertThat(who(AlertKind.ASKS)).containsExactly("say", "desktop");
        assertThat(who(AlertKind.LOST)).isEmpty();
        assertThat(alerts.wants(AlertKind.SILENT)).isFalse();
        Files.delete(file);
        alerts.refresh();
        assertThat(alerts.wants(AlertKind.SILENT)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{",
                "[]",
                "{\"rule\": []}",
                "{\"rules\": [{\"on\": [\"sleep\"], \"to\": [\"desktop\"]}]}",
                "{\"rules\": [{\"to\": [\"fax\"]}]}",
                "{\"rules\": [{\"quiet\": \"loud\"}]}",
                "{\"channels\": {\"x\": {\"webhook\": \"ftp://x\"}}}",
                "{\"channels\": {\"x\": {\"webhook\": \"http://x\", \"secret\": \"short\"}}}",
                "{\"channels\": {\"x\": {\"command\": []}}}",
                "{\"quiet_hours\": {\"from\": \"25:00\", \"to\": \"07:00\"}}",
                "{\"quiet_hours\": {\"from\": \"22:00\", \"to\": \"07:00\", \"zone\": \"Mars\"}}",
            })
    void a_faulty_file_says_so_and_changes_nothing(String faulty) throws IOException {
        write("{\"rules\": [{\"on\": [\"failed\"], \"to\": [\"desktop\"]}]}");
        write(faulty);
        assertThat(alerts.fault()).isNotNull();
        assertThat(who(AlertKind.FAILED)).containsExactly("desktop");
    }

    @Test
    void a_fault_that_passes_is_forgotten_although_the_file_did_not_change() throws IOException {
        write("{\"rules\": [{\"on\": [\"failed\"], \"to\": [\"desktop\"]}]}");
        var aside = Temporary.directory("coppice-aside").resolve("alerts");
        Files.move(directory, aside);
        // A loop of links.
        Files.createSymbolicLink(directory, directory);
        assertThat(alerts.refresh()).isZero();
        assertThat(alerts.fault()).isNotNull();
        Files.delete(directory);
        Files.move(aside, directory);
        alerts.refresh();
        assertThat(alerts.fault()).isNull();
        assertThat(who(AlertKind.FAILED)).containsExactly("desktop");
    }

    @Test
    void a_file_that_could_not_be_read_is_read_again_although_its_time_is_the_same()
            throws IOException {
        var then = FileTime.fromMillis(1_000);
        Files.createDirectory(file);
        Files.setLastModifiedTime(file, then);
        assertThat(alerts.refresh()).isZero();
        assertThat(alerts.fault()).isNotNull();
        Files.delete(file);
        Files.writeString(file, "{\"rules\": [{\"on\": [\"lost\"], \"to\": [\"desktop\"]}]}");
        Files.setLastModifiedTime(file, then);
        assertThat(alerts.refresh()).isOne();
        assertThat(alerts.fault()).isNull();
        assertThat(who(AlertKind.LOST)).containsExactly("desktop");
    }

    @Test
    void quiet_hours_go_past_midnight_and_end_at_their_time() {
        var hours = new QuietHours(LocalTime.of(22, 0), LocalTime.of(7, 0), ZoneOffset.UTC);
        var loud = Instant.parse("2026-11-26T21:59:59Z");
        assertThat(hours.after(loud)).isEqualTo(loud);
        var end = Instant.parse("2026-11-27T07:00:00Z");
        assertThat(hours.after(Instant.parse("2026-11-26T22:00:00Z"))).isEqualTo(end);
        assertThat(hours.after(Instant.parse("2026-11-27T03:00:00Z"))).isEqualTo(end);
        assertThat(hours.after(end)).isEqualTo(end);
        var noon = new QuietHours(LocalTime.of(12, 0), LocalTime.of(13, 0), ZoneOffset.UTC);
        assertThat(noon.after(Instant.parse("2026-11-26T12:30:00Z")))
                .isEqualTo(Instant.parse("2026-11-26T13:00:00Z"));
        assertThat(noon.after(loud)).isEqualTo(loud);
    }

    @Test
    void a_rule_waits_for_the_end_of_the_quiet_hours_or_does_not() throws IOException {
        var zone = ZoneId.of("UTC");
        var now = clock.instant().atZone(zone).toLocalTime();
        write(
                """
                {"quiet_hours": {"from": "%s", "to": "%s", "zone": "UTC"},
                 "rules": [{"on": ["failed"], "to": ["desktop"]},
                           {"on": ["asks"], "to": ["desktop"], "quiet": "send"},
                           {"on": ["silent"], "to": ["desktop"], "quiet": "drop"}]}
                """
                        .formatted(now.minusMinutes(1), now.plusHours(1)));
        assertThat(alerts.fault()).isNull();
        var waits = alerts.deliveries(cause(AlertKind.FAILED), _ -> true).getFirst();
        assertThat(waits.due()).isEqualTo(clock.instant().plusSeconds(3_600));
        var sends = alerts.deliveries(cause(AlertKind.ASKS), _ -> true).getFirst();
        assertThat(sends.due()).isEqualTo(clock.instant());
        assertThat(alerts.deliveries(cause(AlertKind.SILENT), _ -> true)).isEmpty();
    }

    private DeliverAlerts.Receiver channel(String name) {
        return Objects.requireNonNull(alerts.channel(name));
    }

    private Alert alert(String name) {
        var now = clock.instant();
        return new Alert(
                "alert_1",
                new SessionId("s"),
                name,
                AlertKind.ASKS,
                "cause",
                "May it?\u001b[31m\n$(reboot)",
                now,
                List.of());
    }

    @Test
    void a_command_hears_what_an_agent_wrote_as_text_alone() throws IOException {
        var heard = directory.resolve("heard");
        var script = "cat > H.json; printf '%s|%s|%s' \"$COPPICE_ALERT_TITLE\"";
        script += " \"$COPPICE_ALERT_TEXT\" \"$SECRET\" > H";
        var command = Json.write(script.replace("H", heard.toString()));
        write("{\"channels\": {\"say\": {\"command\": [\"sh\", \"-c\", " + command + "]}}}");
        assertThat(channel("say").take(alert("shop"))).isNull();
        assertThat(Files.readString(heard)).isEqualTo("shop waits for you|May it? [31m $(reboot)|");
        assertThat(Files.readString(Path.of(heard + ".json"))).contains("\"kind\":\"asks\"");
    }

    @Test
    void a_command_that_fails_or_is_missing_says_so() throws IOException {
        write(
                """
                {"channels": {"bad": {"command": ["sh", "-c", "exit 3"]},
                              "none": {"command": ["/no/such/program"]}}}
                """);
        assertThat(channel("bad").take(alert("s"))).isEqualTo("the command ended with 3");
        assertThat(channel("none").take(alert("s"))).contains("/no/such/program");
    }
}
