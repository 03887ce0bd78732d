package dev.coppice.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.house.Sources;
import dev.coppice.system.Machine;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** Every page of the dashboard, with something to show on each: as people see and read it. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class EveryPageTest {
    private static final Path PICTURES = Path.of("target/pictures");
    private static final String AXE = axe();

    private static final String SCRIPT =
            """
            usage tokens=12000 cost=0.31
            say reading the plan
            spawn draft
              usage tokens=3000 cost=0.04
              say writing
              emit PreToolUse {"tool_name": "Bash", "tool_use_id": "t1"}
              emit PostToolUse {"tool_name": "Bash", "tool_use_id": "t1"}
              fail three of 120 tests fail
            spawn release
              emit permission_request {"tool_name": "Bash", "tool_input": {"command": "git push"}, \
            "options": ["allow", "deny"], "request_id": "r1"}
              sleep 600s
            spawn units
            sleep 600s
            """
                    .replace("\\\n", "")
                    .replace("spawn units\n", units());

    private final Machine machine = new Machine();

    /** The addresses of the pages, and a text that each has once it is complete. */
    private final Map<String, String> pages = new LinkedHashMap<>();

    private Chromium browser;
    private Page page;

    private static String units() {
        var text = new StringBuilder("spawn units\n");
        for (int i = 0; i < 24; i++) text.append("  spawn unit-%d\n".formatted(i));
        return text.append("  sleep 600s\n").toString();
    }

    @BeforeAll
    void up() {
        browser = Browsers.start();
        machine.up();
        var top = start("plan", SCRIPT);
        start("gone", "say hello");
        machine.awaitState("gone", "finished");
        machine.awaitState("draft", "failed");
        machine.awaitAtWork("units");
        machine.run("rm", "gone", "--yes");
        var release =
                Json.text(machine.get("/sessions/by-name/draft").get("session"), "session_id");
        var wave =
                machine.post(
                        "/waves",
                        """
                        {"name": "review", "members": [
                          {"name": "one", "agent_name": "scripted", "prompt": "say one"},
                          {"name": "two", "agent_name": "scripted", "prompt": "sleep 600s",
                           "after": ["one"]}]}
                        """);
        machine.awaitAtWork("two");
        page = browser.open(machine.run("open", "--print").strip());
        page.awaitText("May it use Bash? git push");
        pages.put("now", "May it use Bash? git push");
        pages.put("asks", "Answers in advance");
        pages.put("trees", "plan");
        pages.put("tree/" + top, "24 finished");
        pages.put("timeline/" + top, "28 sessions");
        pages.put("session/" + top, "reading the plan");
        pages.put("session/" + top + "?tab=output", "with all below");
        pages.put("session/" + top + "?tab=events", "only what was said");
        pages.put("session/" + top + "?tab=children", "release");
        pages.put("session/" + top + "?tab=runs", "lnch_");
        pages.put("session/" + top + "?tab=facts", "when its parent ends");
        pages.put("waves", "review");
        pages.put("waves/" + Json.text(wave, "wave_id"), "Critical path");
        pages.put("bin", "gone");
        pages.put("runners", "online");
        pages.put("blueprints", "scripted");
        pages.put("blueprints/scripted", "Save");
        pages.put("alerts", "three of 120 tests fail");
        pages.put("audit", "removal.hidden");
        pages.put("reports", "duration ms");
        pages.put("storage", "Restore a backup");
        pages.put("search?q=draft", "plan.draft");
        pages.put("compare/" + top + "?with=" + release, "They differ from step");
        pages.put("replay/" + top, "1 of");
        pages.put("reclaim", "ended trees hold");
    }

    @AfterAll
    void down() {
        if (browser != null) browser.close();
        machine.run("stop", "plan", "--tree");
        machine.run("stop", "two");
        machine.close();
    }

    @Test
    void every_page_is_shown_light_dark_wide_and_narrow() {
        for (var scheme : List.of("light", "dark")) {
            page.prefer("prefers-color-scheme", scheme);
            page.resize(1280, 800);
            for (var address : pages.keySet()) {
                show(address);
                page.picture(PICTURES.resolve(scheme + "-" + name(address) + ".png"));
            }
        }
        page.prefer("prefers-color-scheme", "light");
        page.resize(390, 800);
        for (var address : pages.keySet()) {
            show(address);
            page.picture(PICTURES.resolve("phone-" + name(address) + ".png"));
            assertThat(page.evaluate("document.documentElement.scrollWidth").asInt())
                    .as(address + " is not wider than a phone")
                    .isLessThanOrEqualTo(390);
        }
        page.resize(1280, 800);
        assertThat(page.complaints()).isEmpty();
    }

    /** The rules of WCAG 2.2 A and AA that a program can check, the contrast among them. */
    @Test
    void no_page_has_a_barrier() {
        var found = new ArrayList<String>();
        page.ignorePolicy();
        for (var scheme : List.of("light", "dark")) {
            page.prefer("prefers-color-scheme", scheme);
            page.prefer("prefers-reduced-motion", "reduce");
            for (var address : pages.keySet()) {
                show(address);
                for (var violation : barriers()) {
                    found.add(scheme + " " + address + ": " + said(violation));
                }
            }
        }
        assertThat(found).isEmpty();
    }

    @Test
    void the_first_load_is_small_and_from_here_alone() {
        var cold = browser.openApart(machine.run("open", "--print").strip());
        cold.awaitText("May it use Bash? git push");
        var loaded =
                cold.evaluate(
                        """
                        performance.getEntriesByType("resource")
                          .filter(e => e.initiatorType !== "fetch")
                          .map(e => ({ name: e.name, bytes: e.encodedBodySize }))
                        """);
        int bytes = 0;
        for (var file : loaded) {
            assertThat(Json.text(file, "name")).startsWith(machine.url());
            bytes += file.get("bytes").asInt();
        }
        assertThat(loaded.size()).isGreaterThan(20);
        assertThat(bytes).isBetween(20_000, 200_000);
        cold.close();
    }

    /** The pictures of the documents are taken here; ages differ each time, so none is compared. */
    @Test
    void the_documents_show_pictures_of_these_pages() {
        page.prefer("prefers-color-scheme", "light");
        page.resize(1100, 560);
        var tree = pages.keySet().stream().filter(a -> a.startsWith("tree/")).findFirst();
        take("now", "dashboard-now.png");
        take(tree.orElseThrow(), "dashboard-tree.png");
        page.click("Actions (.)");
        page.await("document.querySelector('dialog.menu')");
        page.clickOn(
                "[...document.querySelectorAll('dialog.menu button')]"
                        + ".find(b => b.innerText.startsWith('Remove'))");
        page.awaitText("sessions are running");
        picture("dashboard-removal.png");
        page.click("Cancel");
        take(tree.orElseThrow().replace("tree/", "timeline/"), "dashboard-timeline.png");
    }

    private void take(String address, String file) {
        show(address);
        // What stands beside the tree is read after it.
        page.await("!document.querySelector('.loading')");
        picture(file);
    }

    private void picture(String file) {
        var shown = Sources.ROOT.resolve("docs/pictures").resolve(file);
        page.picture(Boolean.getBoolean("coppice.rewrite") ? shown : PICTURES.resolve(file));
        assertThat(shown).exists();
    }

    private JsonNode barriers() {
        if (!page.is("window.axe")) page.evaluate(AXE + "; true");
        return page.evaluate(
                """
                axe.run(document, { resultTypes: ["violations"],
                    runOnly: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] })
                  .then(r => r.violations.map(v => ({ id: v.id, help: v.help,
                    nodes: v.nodes.slice(0, 3).map(n => n.html + " " + n.failureSummary) })))
                """);
    }

    private static String said(JsonNode violation) {
        return Json.text(violation, "id") + ": " + violation.get("nodes");
    }

    private void show(String address) {
        page.goTo(machine.url() + "/#/" + address);
        page.awaitText(Objects.requireNonNull(pages.get(address)));
        page.await("document.getAnimations().length === 0");
    }

    private static String name(String address) {
        return address.replaceAll("(ses|wave)_[0-9a-f]+", "").replaceAll("\\W+", "-");
    }

    private String start(String name, String script) {
        return machine.run(
                        "start", name, "--agent", "scripted", "--mode", "async_poll", "-p", script)
                .strip();
    }

    private static String axe() {
        try (var in = EveryPageTest.class.getResourceAsStream("/axe.min.js")) {
            return new String(Objects.requireNonNull(in).readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
