package dev.coppice.originals.family;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.kernel.JsonText;
import dev.coppice.store.Stores;

import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

import java.time.Instant;

/** The contract of the stored themes, on both databases. */
class ThemesTest {
    @ParameterizedTest
    @EnumSource(names = {"SQLITE", "POSTGRES"})
    void a_theme_is_added_once_and_listed(Stores stores) {
        try (var opened = stores.open(_ -> {})) {
            var database = opened.store().transactions();
            var themes = new Themes();
            var theme =
                    new Themes.Theme(
                            "dusk",
                            true,
                            Instant.parse("2026-01-01T00:00:00Z"),
                            new JsonText("{}"));
            assertThat(database.write(() -> themes.add(theme))).isTrue();
            assertThat(database.write(() -> themes.add(theme))).isFalse();
            assertThat(database.read(() -> themes.published(10))).containsExactly(theme);
        }
    }
}
