package dev.coppice.cli.connect;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.coppice.cli.engine.Args;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.node.ObjectNode;

/** A person's settings come out of our change as they went in, or the change is refused. */
class TelemetrySettingsTest {
    private static ObjectNode settings(String text) {
        return (ObjectNode) Json.read(text);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "{}",
                "{\"model\":\"x\"}",
                "{\"env\":{\"PATH\":\"/bin\"},\"hooks\":{}}",
                "{\"env\":{\"OTEL_METRIC_EXPORT_INTERVAL\":\"1\"}}"
            })
    void what_is_added_can_be_removed_again(String text) {
        var settings = settings(text);
        TelemetrySettings.check(settings);
        TelemetrySettings.add(settings, "http://127.0.0.1:8765", "issued.a.b");
        assertThat(TelemetrySettings.isIn(settings)).isTrue();
        assertThat(settings.at("/env/OTEL_EXPORTER_OTLP_HEADERS").asString())
                .isEqualTo("Authorization=Bearer issued.a.b");
        TelemetrySettings.remove(settings);
        assertThat(settings).isEqualTo(settings(text));
    }

    @ParameterizedTest
    @CsvSource({
        "OTEL_EXPORTER_OTLP_ENDPOINT, http://mine, http://mine",
        "OTEL_EXPORTER_OTLP_HEADERS, Authorization=secret, …",
        "OTEL_LOGS_EXPORTER, console, console",
        "CLAUDE_CODE_ENABLE_TELEMETRY, 0, 0"
    })
    void what_a_person_has_set_otherwise_is_not_overwritten(
            String name, String value, String shown) {
        var settings = settings("{\"env\":{\"%s\":\"%s\"}}".formatted(name, value));
        assertThatThrownBy(() -> TelemetrySettings.check(settings))
                .isInstanceOf(Args.Invalid.class)
                .hasMessage(
                        name + " is '" + shown + "' in the settings already; nothing was changed");
    }

    @Test
    void what_a_person_has_set_in_the_same_way_is_fine() {
        var settings = settings("{\"env\":{\"OTEL_LOGS_EXPORTER\":\"otlp\"}}");
        assertThatCode(() -> TelemetrySettings.check(settings)).doesNotThrowAnyException();
    }

    @Test
    void an_environment_that_is_none_is_refused() {
        assertThatThrownBy(() -> TelemetrySettings.check(settings("{\"env\":[]}")))
                .isInstanceOf(Args.Invalid.class)
                .hasMessage("'env' is not an object; nothing was changed");
    }

    @Test
    void settings_of_another_collector_are_left_alone() {
        var text =
                "{\"env\":{\"OTEL_LOGS_EXPORTER\":\"otlp\",\"OTEL_EXPORTER_OTLP_ENDPOINT\":\"http://mine\"}}";
        var settings = settings(text);
        TelemetrySettings.remove(settings);
        assertThat(settings).isEqualTo(settings(text));
    }
}
