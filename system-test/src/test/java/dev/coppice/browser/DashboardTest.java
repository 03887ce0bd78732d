package dev.coppice.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.system.Machine;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.nio.file.Path;

/** The dashboard in a real browser, on a real coordinator with a runner. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DashboardTest {
    private static final Path PICTURES = Path.of("target/pictures");

    private final Machine machine = new Machine();
    private Chromium browser = null;
    private Page page = null;

    @BeforeAll
    void up() {
        browser = Chromium.start();
        machine.up();
        page = browser.open(machine.run("open", "--print").strip());
        page.awaitText("Nothing is at work");
    }

    @AfterAll
    void down() {
        if (browser != null) browser.close();
        machine.close();
    }

    @AfterEach
    void the_console_has_no_complaint() {
        assertThat(page.complaints()).isEmpty();
    }

    @Test
    void a_tree_appears_is_removed_and_comes_back_in_every_window() {
        machine.run("start", "plan", "--agent", "scripted", "-p", "say hello");
        page.goTo(machine.url() + "/#/trees");
        page.awaitText("plan");
        page.picture(PICTURES.resolve("trees.png"));
    }
}
