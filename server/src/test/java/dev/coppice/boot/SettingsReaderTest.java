package dev.coppice.boot;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Map;

/** A setting that cannot be used stops the start. */
class SettingsReaderTest {
    @ParameterizedTest
    @ValueSource(strings = {"COPPICE_COMPAT_OPEN", "COPPICE_CONFIRM_REMOVALS"})
    void a_switch_that_is_neither_true_nor_false_is_refused(String name) {
        for (var value : new String[] {"yes", "1", "TRUE"}) {
            assertThatThrownBy(() -> new SettingsReader(Map.of(name, value)).read())
                    .isInstanceOf(SettingsReader.BadSetting.class)
                    .hasMessage("%s is '%s'; it must be true or false", name, value);
        }
    }

    @Test
    void the_ports_of_the_hook_server_need_a_token_unless_the_setting_is_true() {
        var name = "COPPICE_COMPAT_OPEN";
        assertThat(new SettingsReader(Map.of()).read().areHookPortsOpen()).isFalse();
        assertThat(new SettingsReader(Map.of(name, "false")).read().areHookPortsOpen()).isFalse();
        assertThat(new SettingsReader(Map.of(name, "true")).read().areHookPortsOpen()).isTrue();
    }
}
