package dev.coppice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.boot.Coordinator;
import dev.coppice.boot.SettingsReader;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;

/**
 * What people can trust the command line to do, with a real coordinator and without a runner: a
 * test is named for the line of the promise that it proves.
 */
class CommandLineTest {
    /** All three streams are a terminal. */
    private static final Map<String, String> TERMINAL =
            Map.of("COPPICE_TERMINAL", "012", "LINES", "24", "COLUMNS", "80", "NO_COLOR", "1");

    @TempDir Path temp;
    private @org.jspecify.annotations.Nullable Coordinator coordinator;

    @BeforeEach
    void begin() {
        var settings = Map.of("COPPICE_DATA", data(), "COPPICE_PORT", "0");
        coordinator = Coordinator.start(new SettingsReader(settings).read(), UpCommand.faces());
    }

    @AfterEach
    void end() {
        Objects.requireNonNull(coordinator).close();
    }

    private String data() {
        return temp.resolve("data").toString();
    }

    private String run(Exit expected, String... line) {
        return run(Map.of(), "", expected, line);
    }

    private String onTerminal(String typed, Exit expected, String... line) {
        return run(TERMINAL, typed, expected, line);
    }

    private String run(Map<String, String> more, String typed, Exit expected, String... line) {
        var said = new ByteArrayOutputStream();
        var stream = new PrintStream(said, true, StandardCharsets.UTF_8);
        var environment = new HashMap<>(Map.of("COPPICE_DATA", data()));
        environment.putAll(more);
        var in = new ByteArrayInputStream(typed.getBytes(StandardCharsets.UTF_8));
        var exit = Main.run(java.util.List.of(line), new Console(environment, in, stream, stream));
        var text = said.toString(StandardCharsets.UTF_8);
        assertThat(exit).as(text).isEqualTo(expected);
        return text;
    }

    /** Starts a session that stays pending: there is no runner. */
    private void pending(String name, String... more) {
        var line = new java.util.ArrayList<>(java.util.List.of("start", name));
        line.addAll(java.util.List.of("--agent", "scripted", "--mode", "async_poll", "-p", "hang"));
        line.addAll(java.util.List.of(more));
        run(Exit.OK, line.toArray(String[]::new));
    }

    private void three() {
        pending("plan");
        pending("draft", "--parent", "plan");
        pending("figure", "--parent", "draft", "--on-parent-end", "abandon");
    }

    private String state(String name) {
        return run(Exit.OK, "status", name).lines().findFirst().orElse("");
    }

    @Test
    void line_1_a_stop_asks_and_everything_but_a_choice_cancels() {
        three();
        for (var answer : new String[] {"\n", "n\n", "c\n", "yes\n", "y\n", ""}) {
            var said = onTerminal(answer, Exit.REFUSED, "stop", "plan");
            assertThat(said)
                    .contains(
                            "plan is pending, with 2 live sessions below it.",
                            "tree: ends plan, draft, figure",
                            "only: ends plan, and with it draft",
                            "[t]ree, [o]nly this, or [C]ancel?",
                            "cancelled; nothing was stopped");
            assertThat(state("plan")).as(answer).isEqualTo("pending");
        }
        onTerminal("o\n", Exit.OK, "stop", "plan");
        assertThat(state("plan")).isEqualTo("stopped");
        assertThat(state("draft")).isEqualTo("stopped");
        assertThat(state("figure")).isEqualTo("pending");
    }

    @Test
    void line_1_a_stop_of_the_tree_stops_all_of_it() {
        three();
        assertThat(onTerminal("t\n", Exit.OK, "stop", "plan"))
                .contains("plan", "draft", "figure", "stopped");
        assertThat(state("figure")).isEqualTo("stopped");
    }

    @Test
    void line_1_a_stop_of_an_ended_session_that_ends_living_children_asks_too() {
        three();
        run(Exit.OK, "stop", "plan", "--alone");
        var said = onTerminal("\n", Exit.REFUSED, "stop", "plan");
        assertThat(said).contains("plan has ended, with 1 live session below it", "figure");
        assertThat(state("figure")).isEqualTo("pending");
        assertThat(run(Exit.USAGE, "stop", "plan")).contains("pass --tree or --alone", "figure");
        assertThat(onTerminal("t\n", Exit.OK, "stop", "plan")).contains("figure");
        assertThat(state("figure")).isEqualTo("stopped");
        // A session without living children is stopped without a question.
        assertThat(run(Exit.OK, "stop", "plan")).contains("had already ended: stopped");
    }

    @Test
    void line_2_blueprints_are_added_shown_edited_and_removed() throws IOException {
        assertThat(run(Exit.OK, "blueprints", "add", "sh", "--", "bash", "-c", "echo \"$0\""))
                .contains("added sh");
        assertThat(run(Exit.OK, "blueprints")).contains("sh", "command", "active", "scripted");
        assertThat(run(Exit.OK, "blueprints", "show", "sh")).contains("\"-c\"", "echo");
        var file =
                Files.writeString(
                        temp.resolve("sh.json"), "{\"name\":\"sh\",\"command\":[\"sh\"]}");
        run(Exit.OK, "blueprints", "edit", "sh", "--file", file.toString());
        assertThat(run(Exit.OK, "blueprints", "show", "sh"))
                .contains("\"command\" : [ \"sh\" ]")
                .doesNotContain("-c");
        assertThat(run(Exit.REFUSED, "blueprints", "add", "sh", "bash")).contains("already exists");
        var editor = Map.of("COPPICE_TERMINAL", "02", "EDITOR", "sed -i s/sh/dash/");
        run(editor, "", Exit.OK, "blueprints", "edit", "sh");
        assertThat(run(Exit.OK, "blueprints", "show", "sh")).contains("\"dash\"");
        run(Exit.OK, "blueprints", "deactivate", "sh");
        assertThat(run(Exit.OK, "blueprints")).contains("inactive");
        assertThat(run(Exit.USAGE, "blueprints", "rm", "sh")).contains("pass --yes");
        onTerminal("n\n", Exit.REFUSED, "blueprints", "rm", "sh");
        assertThat(onTerminal("y\n", Exit.OK, "blueprints", "rm", "sh")).contains("removed sh");
        assertThat(run(Exit.NOT_FOUND, "blueprints", "show", "sh")).contains("Agent not found");
        assertThat(run(Exit.USAGE, "blueprints", "add", "x")).contains("pass the program");
        assertThat(run(Exit.NO_FILE, "blueprints", "add", "x", "--file", "/none"))
                .contains("/none: there is no such file");
    }

    @Test
    void line_2_completion_offers_sessions_and_blueprints_and_mistyped_names_too() {
        pending("plan");
        run(Exit.OK, "blueprints", "add", "shell", "sh");
        assertThat(run(Exit.OK, "completion", "words", "--", "stop", "p")).isEqualTo("plan\n");
        assertThat(run(Exit.OK, "completion", "words", "--", "start", "x", "--agent", "sh"))
                .isEqualTo("shell\n");
        assertThat(run(Exit.NOT_FOUND, "show", "plam")).contains("Did you mean 'plan'?");
    }

    @Test
    void line_3_unknown_fields_are_refused_with_the_known_ones() {
        var said =
                run(
                        Exit.USAGE,
                        "start",
                        "x",
                        "--agent",
                        "scripted",
                        "-p",
                        "hang",
                        "--limits",
                        "{\"dept\":2}");
        assertThat(said).contains("'dept'", "depth", "Did you mean 'depth'?");
        assertThat(run(Exit.NOT_FOUND, "show", "x")).contains("not found");
    }

    @Test
    void line_3_a_budget_changes_only_what_is_named_and_clear_clears() {
        pending("plan");
        run(Exit.OK, "budget", "plan", "--cost", "5", "--tokens", "1000", "--policy", "stop");
        var changed = run(Exit.OK, "budget", "plan", "--tokens", "2000");
        assertThat(changed)
                .containsPattern("tokens +2000")
                .containsPattern("cost +\\$?5")
                .contains("stop");
        assertThat(run(Exit.OK, "budget", "plan", "--tokens", "none"))
                .doesNotContain("2000")
                .contains("stop");
        assertThat(run(Exit.USAGE, "budget", "plan", "--clear", "--cost", "1")).contains("--clear");
        assertThat(run(Exit.OK, "budget", "plan", "--clear")).contains("There is no budget.");
        assertThat(run(Exit.OK, "usage", "plan", "--tokens", "70", "--cost", "0.5"))
                .containsPattern("total +70 ");
    }

    @Test
    void line_4_a_pending_session_is_removed_without_being_stopped_first() {
        pending("plan");
        assertThat(run(Exit.OK, "rm", "plan", "--yes")).contains("removed plan");
    }

    @Test
    void line_5_a_reason_is_shown_wherever_one_looks_and_acts_are_audited() {
        pending("plan");
        run(Exit.OK, "budget", "plan", "--cost", "5");
        run(Exit.OK, "blueprints", "add", "sh", "bash");
        run(Exit.OK, "token", "create", "--role", "viewer", "--label", "ci");
        run(Exit.OK, "stop", "plan", "--reason", "wrong branch");
        assertThat(run(Exit.OK, "show", "plan")).contains("wrong branch");
        assertThat(run(Exit.OK, "status", "plan")).startsWith("stopped\n").contains("wrong branch");
        assertThat(run(Exit.OK, "tree", "plan")).contains("wrong branch");
        assertThat(run(Exit.OK, "events", "plan")).contains("wrong branch");
        assertThat(run(Exit.OK, "runs", "plan")).contains("wrong branch");
        var audit = run(Exit.OK, "audit");
        assertThat(audit)
                .contains(
                        "stop_session",
                        "wrong branch",
                        "change_budget",
                        "create_blueprint",
                        "create_token");
        assertThat(run(Exit.OK, "audit", "plan")).contains("stop_session", "change_budget");
        assertThat(run(Exit.OK, "audit", "verify")).contains(" records, head ");
    }

    @Test
    void line_6_events_have_a_time_a_name_and_a_text_and_can_be_chosen() {
        three();
        run(Exit.OK, "stop", "draft", "--alone", "--reason", "enough");
        var all = run(Exit.OK, "events", "plan", "--tree");
        assertThat(all).containsPattern("\\d\\d:\\d\\d:\\d\\d +draft +\\S+ +.*enough");
        var some =
                run(Exit.OK, "events", "plan", "--tree", "--type", "run_stopped,session_stopped");
        assertThat(some.lines()).isNotEmpty().allMatch(line -> line.contains("_stopped"));
        assertThat(run(Exit.OK, "events", "plan", "--tree", "--since", "1h")).isEqualTo(all);
        assertThat(run(Exit.OK, "events", "plan", "--since", "2099-01-01T00:00:00Z")).isEmpty();
        assertThat(run(Exit.USAGE, "events", "plan", "--since", "noon")).contains("'noon'");
    }

    @Test
    void line_6_a_watch_prints_once_into_a_pipe_and_nothing_wraps_on_a_narrow_terminal() {
        three();
        pending("a-session-with-quite-a-long-name-that-would-wrap", "--parent", "figure");
        assertThat(run(Exit.OK, "tree", "plan", "--watch")).contains("plan", "└─ draft");
        for (var columns : new String[] {"40", "80"}) {
            var narrow = new HashMap<>(TERMINAL);
            narrow.put("COLUMNS", columns);
            for (var line :
                    new String[][] {
                        {"tree"},
                        {"list"},
                        {"runs"},
                        {"audit"},
                        {"blueprints"},
                        {"children", "plan"}
                    }) {
                assertThat(run(narrow, "", Exit.OK, line).lines())
                        .as(String.join(" ", line))
                        .allMatch(text -> text.length() <= Integer.parseInt(columns));
            }
        }
    }

    @Test
    void line_8_the_only_blueprint_is_the_default_and_else_one_must_be_chosen() {
        var said = run(Exit.USAGE, "start", "x", "-p", "Write a poem");
        assertThat(said).contains("coppice blueprints add", "--agent scripted");
        run(Exit.OK, "blueprints", "add", "sh", "bash");
        run(Exit.OK, "start", "one", "--mode", "async_poll", "-p", "true");
        assertThat(run(Exit.OK, "show", "one")).containsPattern("agent_name +sh");
        run(Exit.OK, "blueprints", "add", "zsh", "zsh");
        assertThat(run(Exit.USAGE, "start", "x", "-p", "true"))
                .contains("sh, zsh", "COPPICE_AGENT");
        var configured = Map.of("COPPICE_AGENT", "zsh");
        run(configured, "", Exit.OK, "start", "two", "--mode", "async_poll", "-p", "true");
        assertThat(run(Exit.OK, "show", "two")).containsPattern("agent_name +zsh");
    }

    @Test
    void line_8_a_start_on_a_terminal_says_that_it_reads_the_prompt() {
        var said =
                onTerminal(
                        "hang\n",
                        Exit.OK,
                        "start",
                        "x",
                        "--agent",
                        "scripted",
                        "--mode",
                        "async_poll");
        assertThat(said).contains("Type the prompt, and Ctrl-D on an empty line; or pass -p");
    }
}
