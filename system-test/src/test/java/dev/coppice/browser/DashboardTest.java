package dev.coppice.browser;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.system.Machine;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;

/** The dashboard in a real browser, on a real coordinator with a runner. */
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
class DashboardTest {
    private static final String QUESTION =
            """
            emit question {"question": "Which branch is it?", "options": ["main", "next"]}
            sleep 600s
            """;

    private final Machine machine = new Machine();
    private final List<Page> pages = new ArrayList<>();
    private Chromium browser;
    private Page page;

    @BeforeAll
    void up() {
        browser = Browsers.start();
        machine.up();
        signIn();
    }

    private void signIn() {
        page = browser.open(link());
        page.awaitText("● live");
    }

    @AfterAll
    void down() {
        if (browser != null) browser.close();
        machine.close();
    }

    @BeforeEach
    void one_window() {
        pages.clear();
        pages.add(page);
        page.resize(1280, 800);
    }

    @AfterEach
    void no_console_has_a_complaint() {
        for (var one : pages) {
            // A browser complains of every refusal; to hear that a session was removed is none.
            one.forget("status of 410");
            var complaints = one.complaints();
            one.forget("");
            assertThat(complaints).isEmpty();
            if (one != page) one.close();
        }
    }

    @Test
    void the_link_signs_in_once_and_leaves_the_address() {
        var link = link();
        var window = window(link);
        window.awaitText("live");
        assertThat(window.evaluate("location.href").asString())
                .doesNotContain("sign-in")
                .endsWith("#/now");
        assertThat(window.is("document.cookie === ''")).isTrue();
    }

    @Test
    void a_tree_appears_is_removed_and_comes_back_in_every_window() {
        // Trees that come later are announced above one that is shown.
        start("standing", "say hello");
        show("trees");
        var other = window(machine.url() + "/#/trees");
        for (var window : pages) window.awaitText("standing");
        start("felled", "spawn leaf\n  say hello\nwait all\nsay done");
        for (var window : pages) window.click("+1 new");
        for (var window : pages) window.awaitText("felled");
        page.click("Actions on felled");
        page.await("document.querySelector('dialog.menu button')");
        page.clickOn(
                "[...document.querySelectorAll('dialog.menu button')]"
                        + ".find(b => b.innerText.startsWith('Remove'))");
        page.awaitText("Remove felled?");
        page.awaitText("coppice rm felled");
        page.await("document.querySelectorAll('.goes > li').length === 2");
        page.click("Remove 2 sessions");
        page.awaitText("felled is removed");
        other.await("!document.querySelector('main').innerText.includes('felled')");
        page.click("Undo (u)");
        page.awaitText("felled is back");
        other.awaitText("felled");
    }

    @Test
    void a_plan_says_what_is_in_the_way_until_another_choice_is_made() {
        start("stubborn", QUESTION);
        show("now");
        page.awaitText("Which branch is it?");
        show("trees");
        page.await(
                "[...document.querySelectorAll('tbody a.label')].some(a => a.innerText ==="
                        + " 'stubborn')");
        page.press("j", ".");
        page.await("document.querySelector('dialog.menu button')");
        page.press("k", "k", "Enter");
        page.awaitText("Remove stubborn?");
        page.awaitText("in the way");
        page.click("stop it first, children before parents");
        page.awaitText("stops, goes");
        page.awaitText("coppice rm stubborn --stop");
        page.click("Remove 1 session");
        page.awaitText("stubborn is removed");
        page.press("u");
        page.awaitText("stubborn is back");
        page.press("j", ".");
        page.await("document.querySelector('dialog.menu button')");
        page.press("k", "k", "Enter");
        // The message of the undo is still there, and covers nothing of the panel.
        page.click("Cancel");
        page.await("!document.querySelector('.panel')");
    }

    @Test
    void a_waiting_program_is_answered_for_a_subtree_and_a_time() {
        show("now");
        var answer = asking("by-hand", "npm test");
        page.awaitText("May it use Bash? npm test");
        page.choose("How long", "1h");
        page.choose("For which sessions", "tree");
        page.clickOn("document.querySelector('[aria-label=\"For which uses\"]')");
        page.type("Bash(npm *)");
        page.click("Allow");
        page.awaitText("allowed: Bash");
        assertThat(answer.join()).contains("\"allow\"");
        assertThat(asking("by-hand", "npm run build").join()).contains("\"allow\"");
        show("asks");
        page.awaitText("Bash(npm *)");
        page.click("Revoke");
        page.awaitText("Revoked: Bash(npm *)");
        page.awaitText("revoked");
        var next = asking("by-hand", "npm run lint");
        show("now");
        page.awaitText("May it use Bash? npm run lint");
        page.click("Deny");
        assertThat(next.join()).contains("\"deny\"");
    }

    /** A program of a person, whose hook waits for the answer. */
    private CompletableFuture<String> asking(String session, String command) {
        var body =
                """
                {"hook_event_name": "PermissionRequest", "session_id": "%s", "tool_name": "Bash",
                 "tool_input": {"command": "%s"}, "cwd": "/work/by-hand"}
                """
                        .formatted(session, command);
        return CompletableFuture.supplyAsync(
                () -> machine.post("/hooks/claude_code?hold=60", body).toString());
    }

    @Test
    void a_tree_is_played_again_with_a_slider() {
        var id = start("played", "spawn played-below\n  say hello\nwait all\nsay over");
        machine.awaitState("played", "finished");
        show("replay/" + id);
        page.awaitText("1 of");
        page.evaluate(
                "(() => { const s = document.querySelector('.player input'); s.value = s.max;"
                        + " s.dispatchEvent(new Event('input', { bubbles: true })); })()");
        page.await(
                "document.querySelectorAll('.events li').length"
                        + " === Number(document.querySelector('.player input').max) + 1");
        page.click("Play");
        page.awaitText("Pause");
        page.click("Pause");
    }

    @Test
    void two_trees_are_compared_side_by_side() {
        var one = start("first-of-two", "say a");
        var two = start("second-of-two", "fail it broke");
        machine.awaitState("first-of-two", "finished");
        machine.awaitState("second-of-two", "failed");
        show("compare/" + one);
        page.await("document.querySelector('[aria-label=\"Compare with\"]')");
        page.clickOn("document.querySelector('[aria-label=\"Compare with\"]')");
        page.type("second-of");
        page.awaitText("second-of-two");
        page.click("second-of-two");
        page.awaitText("They differ from step 1 on.");
        page.awaitText("coppice diff " + one + " " + two);
    }

    @Test
    void what_ended_trees_hold_is_freed_from_the_map() {
        start("held-on-disk", "say a");
        machine.awaitState("held-on-disk", "finished");
        show("reclaim");
        // The page shown before has the name too, but in no table.
        var button =
                "[...document.querySelectorAll('tr')].find(r => r.innerText.includes("
                        + "'held-on-disk'))?.querySelector('button')";
        page.await(button + " !== undefined");
        page.clickOn(button);
        page.awaitText("Remove held-on-disk?");
        page.click("Remove 1 session");
        page.awaitText("held-on-disk is removed");
    }

    @Test
    void a_question_is_answered_in_place() {
        show("now");
        var run = start("asking", QUESTION);
        page.awaitText("Which branch is it?");
        page.awaitText("Waits for you");
        assertThat(page.evaluate("document.title").asString()).startsWith("(1)");
        page.click("next");
        page.awaitText("Answered: next");
        var told = machine.get("/callbacks?session_id=" + run);
        assertThat(told.toString()).contains("\"next\"");
        machine.run("stop", "asking", "--tree");
        page.awaitNoText("Which branch is it?");
    }

    @Test
    void a_tree_is_walked_with_keys_alone() {
        var top =
                start(
                        "walked",
                        """
                        spawn one
                          spawn inner
                            fail out of luck
                          wait all
                        spawn two
                          say hello
                        wait all
                        """);
        machine.awaitState("walked", "finished");
        show("tree/" + top + "?levels=1");
        awaitRows(3);
        page.press("f");
        awaitRows(4);
        awaitSelected("inner");
        page.press("k");
        awaitSelected("one");
        page.press("ArrowLeft");
        awaitRows(3);
        page.press("[");
        awaitRows(1);
        page.press("]", "]");
        awaitRows(4);
        page.press("Home", "j", "Enter");
        page.await("location.hash.startsWith('#/session/')");
        page.await("document.querySelector('h1')?.innerText === 'one'");
        page.press("?");
        page.awaitText("next that waits for a person");
        page.press("Escape");
        page.awaitNoText("next that waits for a person");
    }

    @Test
    void a_link_shows_what_its_sender_saw() {
        var top =
                start(
                        "linked",
                        "spawn kid\n  spawn grandchild\n    say deep\n  wait all\nwait all");
        machine.awaitState("linked", "finished");
        show("tree/" + top + "?levels=0");
        awaitRows(1);
        page.press("]", "]");
        awaitRows(3);
        page.press("End");
        page.await("location.hash.includes('sel=')");
        var address = page.evaluate("location.href").asString();
        var other = window(address);
        other.awaitText("grandchild");
        other.await("document.querySelector('.row.selected .label').innerText === 'grandchild'");
    }

    @Test
    void the_cursor_belongs_to_a_session() {
        var top = start("cursor", "spawn leaving\n  say hello\nwait all");
        machine.awaitState("cursor", "finished");
        show("tree/" + top);
        awaitRows(2);
        page.press("Home", "j");
        awaitSelected("leaving");
        machine.run("rm", "leaving", "--yes");
        awaitRows(1);
        page.press("Enter");
        page.awaitText("nothing was opened");
        assertThat(page.is("location.hash.startsWith('#/tree/')")).isTrue();
    }

    @Test
    void a_change_paints_its_own_row_alone() {
        var top = start("painted", "spawn still\n  say hello\nspawn moved\n  sleep 600s\nwait all");
        machine.awaitState("still", "finished");
        machine.awaitAtWork("moved");
        show("tree/" + top);
        awaitRows(3);
        page.evaluate(
                """
                (() => {
                  window.painted = new Set();
                  window.rows = [...document.querySelectorAll(".row")];
                  const note = ({ target }) => {
                    const row = (target.closest ? target : target.parentElement).closest(".row");
                    painted.add(row ? row.querySelector(".label").innerText : "the list");
                  };
                  new MutationObserver((all) => all.forEach(note)).observe(
                    document.querySelector(".rows"),
                    { subtree: true, childList: true, characterData: true, attributes: true },
                  );
                })()\
                """);
        machine.run("freeze", "moved");
        page.await("[...document.querySelectorAll('.row .mark')].length === 1");
        assertThat(page.is("painted.has('moved') && !painted.has('still')")).isTrue();
        assertThat(page.is("!painted.has('the list') && rows.every(r => r.isConnected)")).isTrue();
        machine.run("stop", "painted", "--tree");
    }

    @Test
    void an_event_leaves_focus_selection_and_what_is_open_as_they_are() {
        var id = start("read-by-a-person", "say first words\nsleep 600s");
        machine.awaitAtWork("read-by-a-person");
        show("session/" + id + "?tab=events");
        var line =
                "[...document.querySelectorAll('button.event')]"
                        + ".find(b => b.innerText.includes('first words'))";
        page.await(line);
        page.evaluate(line + ".focus()");
        page.evaluate(line + ".click()");
        page.await("document.querySelector('.raw pre')");
        page.evaluate(
                """
                (() => {
                  const text = document.querySelector(".raw pre");
                  getSelection().selectAllChildren(text);
                  window.before = {
                    line: document.activeElement,
                    text,
                    selected: String(getSelection()),
                  };
                })()\
                """);
        assertThat(page.is("before.line.matches('.event') && before.selected !== ''")).isTrue();
        machine.post("/sessions/" + id + "/events", "{\"event_type\":\"note\",\"text\":\"more\"}");
        page.awaitText("note more");
        assertThat(page.is("document.activeElement === before.line")).isTrue();
        assertThat(page.is("document.querySelector('.raw pre') === before.text")).isTrue();
        assertThat(page.is("String(getSelection()) === before.selected")).isTrue();
        machine.run("stop", "read-by-a-person", "--tree");
    }

    @Test
    void what_says_the_same_is_the_same_object_and_has_the_same_view() {
        var found =
                page.evaluate(
                        """
                        (async () => {
                          const { kept, shared } = await import("/ui/base/kept.js");
                          const text = '[{"id":1,"deep":{"a":[1,2]}},{"id":2,"__proto__":{"x":1}}]';
                          const old = JSON.parse(text);
                          const more = JSON.parse(text.replace("[1,2]", "[1,3]"));
                          const after = shared(old, [{ id: 0 }, ...more]);
                          let made = 0;
                          const view = kept((row, beside) => ({ row, beside, made: ++made }));
                          return {
                            unchanged: shared(old, JSON.parse(text)) === old,
                            kept: after[2] === old[1],
                            changed: after[1] !== old[0] && after[1].deep.a[1] === 3,
                            unpolluted: {}.x === undefined,
                            again: view(old[0], "a") === view(old[0], "a"),
                            beside: view(old[0], "b").beside === "b",
                            other: view(after[1], "b").row === after[1],
                            thrice: made === 3,
                          };
                        })()\
                        """);
        assertThat(found.properties()).allMatch(one -> one.getValue().asBoolean()).hasSize(8);
    }

    @Test
    void an_element_that_moves_among_others_keeps_its_focus() {
        var kept =
                page.evaluate(
                        """
                        (async () => {
                          const { html, render } = await import("/ui/base/dom.js");
                          const box = document.createElement("div");
                          document.body.append(box);
                          const list = (ids) =>
                            render(box, ids.map((id) => html`<input key=${id} name=${id} />`));
                          list([1, 2, 3]);
                          const last = box.lastChild;
                          last.focus();
                          list([3, 1, 2]);
                          const isKept = document.activeElement === last;
                          box.remove();
                          return isKept || !Element.prototype.moveBefore;
                        })()\
                        """);
        assertThat(kept.asBoolean()).isTrue();
    }

    @Test
    void hostile_text_stays_text() {
        var evil = "<img src=x onerror=alert(1)><script>alert(2)</script>\u202eabc\u0007";
        var event = Json.write(Map.of("question", evil, "options", List.of("<b>yes</b>")));
        var id = start("hostile", "say " + evil + "\nemit question " + event + "\nsleep 600s");
        show("now");
        page.awaitText("<script>alert(2)</script>");
        page.awaitText("<b>yes</b>");
        show("session/" + id + "?tab=events");
        page.awaitText("<img src=x onerror=alert(1)>");
        show("session/" + id);
        page.awaitText("alert(2)</script>⟨U+202E⟩abc");
        show("search?q=%3Cimg%20src%3Dx%3E");
        page.awaitText("<img src=x>");
        assertThat(page.is("document.querySelector('main img, main script, main b')")).isFalse();
        machine.run("stop", "hostile", "--tree");
    }

    @Test
    void a_session_is_read_as_a_conversation() {
        var words =
                """
                # Plan

                - **first** `a < b`
                - [site](https://example.org/) [not](javascript:alert)

                ```
                <i>code</i>
                ```\
                """;
        var tool =
                "{\"tool_name\": \"Bash\", \"tool_input\": {\"command\": \"mvn test\"},"
                        + " \"tool_use_id\": \"t1\"";
        var script =
                """
                emit message {"role": "assistant", "content": %s}
                emit PreToolUse %s}
                emit PostToolUse %s, "tool_response": "12 tests, 0 failures"}
                spawn helper
                  say helping
                emit question {"question": "Which branch is it?", "options": ["main", "next"]}
                sleep 600s
                """
                        .formatted(Json.write(words), tool, tool);
        var id = start("talking", script);
        show("session/" + id);
        page.awaitText("Which branch is it?");
        page.await("document.querySelector('.words ul strong')?.innerText === 'first'");
        page.await("document.querySelector('.words pre')?.innerText === '<i>code</i>'");
        var links = "[...document.querySelectorAll('.words a')].map(a => a.href).join()";
        assertThat(page.evaluate(links).asString()).isEqualTo("https://example.org/");
        page.awaitText("Bash: mvn test");
        assertThat(page.is("document.querySelector('.turn .raw')")).isFalse();
        page.clickOn("document.querySelector('.turn.does button')");
        page.await("document.querySelector('.turn .raw')?.innerText.includes('12 tests')");
        page.await("document.querySelector('.turn.card a')?.innerText === 'helper'");
        page.awaitText("helping");
        page.press("e");
        page.awaitText("only what was said");
        page.press("e");
        page.click("next");
        page.awaitText("Answered: next");
        assertThat(page.is("document.querySelector('.words i, .words h1')")).isFalse();
        machine.run("stop", "talking", "--tree");
    }

    @Test
    void output_is_followed_searched_and_keeps_its_colours() {
        var command =
                "printf '\\033[31mred\\033[0m <b>bold</b>\\n'; echo 'error: no such file';"
                        + " seq 1 300; read line; echo the end";
        machine.post(
                "/agents",
                Json.write(Map.of("name", "printer", "command", List.of("sh", "-c", command))));
        var id =
                machine.run(
                                "start",
                                "printing",
                                "--agent",
                                "printer",
                                "--mode",
                                "async_poll",
                                "-p",
                                "go")
                        .strip();
        show("session/" + id + "?tab=output");
        page.await("document.querySelector('.lines .ink-red')?.textContent === 'red'");
        page.await("document.querySelector('.lines')?.textContent.includes('<b>bold</b>')");
        page.await("document.querySelector('.lines')?.textContent.includes('300')");
        assertThat(page.is("document.querySelector('.lines b')")).isFalse();
        page.click("1 error ↑");
        page.await("document.querySelector('.here')?.textContent === 'error: no such file'");
        page.evaluate(
                """
                (() => {
                  const search = document.querySelector(".bar-of-tools [type=search]");
                  search.value = "299";
                  search.oninput({ target: search });
                })()\
                """);
        page.await("document.querySelector('.hit.here')?.textContent === '299'");
        page.click("with all below");
        page.await("document.querySelector('.lines')?.textContent.includes('printing │ 300')");
        machine.run("stop", "printing");
    }

    @Test
    void a_lost_coordinator_is_said_and_found_again() {
        try (var own = new Machine()) {
            var up = own.up();
            var port = String.valueOf(own.port());
            var window = window(own.run("open", "--print").strip());
            window.awaitText("Nothing is at work");
            up.kill();
            window.awaitText("Disconnected for");
            window.awaitText("old");
            // A page that is opened meanwhile appears when the coordinator is back.
            window.click("Waves");
            window.awaitText("The coordinator does not answer");
            own.up("--port", port);
            window.awaitText("● live");
            window.awaitText("No wave was started");
            window.click("Now");
            own.run("start", "after", "--agent", "scripted", "--mode", "async_poll", "-p", "hang");
            window.awaitText("after");
            own.run("stop", "after", "--tree");
            window.forget("net::ERR_");
            assertThat(window.complaints()).isEmpty();
            pages.remove(window);
            window.close();
        }
    }

    @Test
    void many_windows_share_one_stream() {
        show("now");
        // A browser opens six connections to a coordinator.
        for (int i = 0; i < 8; i++) window(machine.url() + "/#/now");
        for (var window : pages) window.awaitText("● live");
        start("shared", "sleep 600s");
        for (var window : pages) window.awaitText("shared");
        // The window that reads for the others is closed, and another one reads.
        page.close();
        pages.remove(page);
        start("passed-on", "sleep 600s");
        for (var window : pages) window.awaitText("passed-on");
        machine.run("stop", "shared", "--tree");
        machine.run("stop", "passed-on", "--tree");
        signIn();
    }

    @Test
    void data_is_text_even_if_it_looks_like_a_view() {
        machine.post(
                "/agents",
                "{\"name\":\"any\",\"command\":[\"true\"],"
                        + "\"parameters_schema\":{\"type\":\"object\"}}");
        var view =
                Map.of(
                        "tag", "meta",
                        "properties",
                                Map.of("http-equiv", "refresh", "content", "0;url=/elsewhere"),
                        "children", List.of());
        var run =
                Map.of(
                        "session_id", "viewlike",
                        "session_name", "viewlike",
                        "agent_name", "any",
                        "parameters", Map.of("prompt", view));
        machine.post("/runs", Json.write(run));
        show("session/viewlike");
        page.awaitText("\"http-equiv\" : \"refresh\"");
        for (var event :
                List.of(
                        "{\"event_type\":\"tool\",\"timestamp\":\"garbage\"}",
                        "{\"event_type\":\"tool\",\"tool_name\":{\"toString\":1}}",
                        "{\"event_type\":\"note\",\"message\":\"rm \\u202e -rf\"}")) {
            machine.post("/sessions/viewlike/events", event);
        }
        page.awaitText("rm ⟨U+202E⟩ -rf");
        show("session/viewlike?tab=events");
        page.awaitText("garbage");
        assertThat(page.text()).doesNotContain("cannot be shown");
    }

    @Test
    void strange_addresses_show_something() {
        for (var address :
                List.of(
                        "constructor",
                        "__proto__",
                        "session/none?tab=constructor",
                        "%",
                        "trees/..")) {
            page.goTo(machine.url() + "/#/" + address);
            page.await("document.querySelector('main h1, main .refusal')");
        }
        var top = start("ranged", "say hello");
        for (var range : List.of("from=1&to=1e15", "from=-1e300&to=1e300", "from=x&to=y")) {
            show("timeline/" + top + "?" + range);
            page.await("document.querySelector('main').innerText.includes('1 session')");
        }
        page.forget("404");
    }

    @Test
    void a_permission_is_given_by_its_button_only() {
        machine.post(
                "/events",
                """
                {"source_app":"app","session_id":"hooked","hook_event_type":"PermissionRequest",
                "payload":{},"humanInTheLoop":{"question":"May I drop the database?",
                "type":"permission","responseWebSocketUrl":"ws://127.0.0.1:9/x"}}\
                """);
        show("session/hooked");
        page.awaitText("May I drop the database?");
        assertThat(page.is("document.querySelector('.question input')")).isFalse();
        page.click("deny");
        page.awaitText("Answered: deny");
        assertThat(machine.get("/sessions/hooked/events").toString())
                .doesNotContain("\"permission\":true");
    }

    @Test
    void controls_keep_their_keys_and_panels_have_the_focus() {
        var top = start("keyed", "spawn lonely\n  say hello\nwait all");
        machine.awaitState("keyed", "finished");
        show("tree/" + top);
        awaitRows(2);
        page.evaluate("document.querySelector('button.toggle').focus()");
        page.press("Enter");
        page.await("document.querySelector('button.toggle.on')");
        page.awaitText("Nothing meets the filter");
        page.click("Clear it");
        awaitRows(2);
        page.press("End");
        awaitSelected("lonely");
        page.press(".");
        page.await("document.querySelector('dialog.menu button')");
        page.press("k", "k", "Enter");
        page.awaitText("Remove lonely?");
        page.await("document.activeElement.matches('.panel')");
        page.press("Escape");
        page.awaitNoText("Remove lonely?");
        page.await("document.activeElement.matches('.rows')");
        show("search?q=NEL");
        page.awaitText("keyed.lonely");
    }

    @Test
    void a_viewer_sees_no_actions() {
        var id = start("viewed", QUESTION);
        var token = machine.run("token", "create", "--role", "viewer").strip();
        var window = fresh(machine.url());
        window.awaitText("Sign this browser in");
        window.clickOn("document.querySelector('input')");
        window.type(token);
        window.press("Enter");
        window.awaitText("Which branch is it?");
        assertThat(window.text()).doesNotContain("Send", "Stop");
        window.goTo(machine.url() + "/#/session/" + id);
        window.awaitText("Runs");
        assertThat(window.text()).doesNotContain("Message", "Remove");
        window.click("sign out");
        window.awaitText("Sign this browser in");
        machine.run("stop", "viewed", "--tree");
    }

    @Test
    void a_timeline_shows_the_critical_path() {
        var top =
                start(
                        "timed",
                        """
                        spawn short
                          say hello
                        spawn long
                          sleep 2s
                          say hello
                        wait all
                        """);
        machine.awaitState("timed", "finished");
        show("timeline/" + top);
        page.awaitText("3 sessions");
        page.press("c", "j", "j", "j");
        page.awaitText("on the critical path for");
        page.await("document.getElementById('lane').innerText.includes('long')");
        page.press("+", "+");
        page.await("location.hash.includes('from=')");
        page.press("0", "Enter");
        page.await("location.hash.startsWith('#/session/')");
    }

    private String start(String name, String script) {
        return machine.run(
                        "start", name, "--agent", "scripted", "--mode", "async_poll", "-p", script)
                .strip();
    }

    private String link() {
        return machine.run("open", "--print").strip();
    }

    private void show(String address) {
        page.goTo(machine.url() + "/#/" + address);
        page.await("location.hash === " + Json.write("#/" + address));
    }

    /** Another window of the same browser, which is signed in, too. */
    private Page window(String url) {
        var window = browser.open(url);
        pages.add(window);
        return window;
    }

    /** A window of another person. */
    private Page fresh(String url) {
        var window = browser.openApart(url);
        pages.add(window);
        return window;
    }

    private void awaitRows(int number) {
        page.await("document.querySelectorAll('[role=treeitem]').length === " + number);
    }

    private void awaitSelected(String name) {
        page.await(
                "document.querySelector('.row.selected .label')?.innerText === "
                        + Json.write(name));
    }
}
