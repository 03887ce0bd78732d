package dev.coppice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.cli.engine.Exit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/** The messages and exit codes of failed commands. */
class ErrorsTest {
    private final ScriptedCoordinator coordinator = new ScriptedCoordinator();

    @AfterEach
    void end() {
        coordinator.close();
    }

    @Test
    void a_refusal_is_two_lines_with_advice_for_the_command_line() {
        var said =
                coordinator
                        .refuse("GET /sessions", 401, "token_missing", "the token is missing")
                        .run("list");
        assertThat(said.exit()).isEqualTo(Exit.REFUSED);
        assertThat(said.out()).isEmpty();
        assertThat(said.err())
                .isEqualTo(
                        """
                        coppice: the token is missing
                        Check COPPICE_TOKEN, or pass --data with the directory of the coordinator.
                        """);
    }

    @Test
    void a_program_gets_the_same_as_one_line_of_json() {
        var said =
                coordinator
                        .refuse("GET /sessions", 429, "a_newer_code", "not so fast")
                        .run("list", "--json");
        assertThat(said.out()).isEmpty();
        assertThat(said.err())
                .isEqualTo("{\"error\":\"not so fast\",\"advice\":\"do as it says\",\"exit\":3}\n");
    }

    @ParameterizedTest
    @CsvSource({
        "400, bad_value, USAGE",
        "404, wave_unknown, NOT_FOUND",
        "410, session_removed, NOT_FOUND",
        "409, session_busy, REFUSED",
        "503, not_done, REFUSED"
    })
    void a_refusal_decides_the_exit_code(int status, String code, Exit exit) {
        assertThat(coordinator.refuse("GET /waves", status, code, "no").run("wave", "list").exit())
                .isEqualTo(exit);
    }

    @Test
    void a_misspelt_session_is_offered_the_near_ones() {
        coordinator.on(
                "GET /sessions",
                "{\"sessions\":[%s,%s]}"
                        .formatted(
                                ScriptedCoordinator.view("plan", "idle"),
                                ScriptedCoordinator.view("other", "idle")));
        var said = coordinator.run("status", "plna");
        assertThat(said.exit()).isEqualTo(Exit.NOT_FOUND);
        var shown = coordinator.run("show", "plna");
        assertThat(shown.exit()).isEqualTo(Exit.NOT_FOUND);
        assertThat(shown.err()).contains("Did you mean 'plan'? 'coppice list' lists the sessions");
    }

    /** A proxy before the coordinator, or another program on its port. */
    @ParameterizedTest
    @ValueSource(
            strings = {"{\"error\":\"bad gateway\"}", "[\"no\"]", "\"no\"", "{\"message\":\"no\"}"})
    void an_error_of_another_program_is_told_without_advice(String body) {
        var said = coordinator.answer("GET /tokens", 502, body).run("token", "list");
        assertThat(said.exit()).isEqualTo(Exit.REFUSED);
        assertThat(said.err())
                .isIn("coppice: bad gateway\n", "coppice: the coordinator answered 502\n");
    }

    @Test
    void an_answer_that_is_not_json_comes_from_no_coordinator() {
        var said = coordinator.on("GET /sessions", "<html>hello</html>").run("list");
        assertThat(said.exit()).isEqualTo(Exit.UNREACHABLE);
        assertThat(said.err()).contains("not JSON", "COPPICE_URL is right");
    }

    /** The objections are in a detail that a coordinator of another version may lack. */
    @Test
    void a_removal_that_is_forbidden_without_a_detail_has_the_advice_of_the_coordinator() {
        coordinator.refuse("GET /waves", 409, "removal_forbidden", "it has children");
        assertThat(coordinator.run("wave", "list").err())
                .isEqualTo("coppice: it has children\ndo as it says\n");
    }

    @Test
    void a_file_that_is_missing_has_its_own_exit_code() {
        var said = coordinator.run("run", "/nowhere/plan.json");
        assertThat(said.exit()).isEqualTo(Exit.NO_FILE);
        assertThat(said.err()).isEqualTo("coppice: /nowhere/plan.json: there is no such file\n");
    }

    @Test
    void a_token_is_not_printed_if_no_header_can_hold_it() {
        var said = coordinator.with("COPPICE_TOKEN", "secret\u0001").run("list");
        assertThat(said.exit()).isEqualTo(Exit.USAGE);
        assertThat(said.err()).contains("COPPICE_TOKEN").doesNotContain("secret");
    }

    @Test
    void a_token_with_a_line_end_is_taken_without_it() {
        coordinator.on("GET /sessions", "{\"sessions\":[]}");
        assertThat(coordinator.with("COPPICE_TOKEN", "t\r\n").run("list").exit())
                .isEqualTo(Exit.OK);
    }

    @ParameterizedTest
    @ValueSource(strings = {"-h", "--help"})
    void help_behind_two_dashes_is_a_word_of_somebody_elses_program(String flag) {
        coordinator.on("POST /agents", "{\"name\":\"sh\"}");
        var said = coordinator.run("blueprints", "add", "sh", "--", "bash", flag);
        assertThat(said.out()).isEqualTo("added sh\n");
        assertThat(coordinator.asked())
                .singleElement()
                .asString()
                .contains("[\"bash\",\"" + flag + "\"]");
    }

    @Test
    void json_behind_two_dashes_is_a_word_too() {
        coordinator.refuse("POST /agents", 409, "blueprint_taken", "there is one already");
        var said = coordinator.run("blueprints", "add", "sh", "--", "bash", "--json");
        assertThat(said.err()).isEqualTo("coppice: there is one already\nChoose another name.\n");
    }

    @Test
    void the_command_comes_first() {
        var said = coordinator.run("--json", "list");
        assertThat(said.exit()).isEqualTo(Exit.USAGE);
        assertThat(said.err()).contains("the command comes first, as in 'coppice list --json'");
    }

    @ParameterizedTest
    @CsvSource({"inspect, show", "describe, show", "kill, stop", "delete, rm"})
    void a_word_of_another_tool_is_answered_with_ours(String word, String ours) {
        assertThat(coordinator.run(word).err()).contains("Did you mean '" + ours + "'?");
    }

    @Test
    void a_word_of_another_tool_that_is_a_command_here_needs_no_answer() {
        assertThat(Help.OF_OTHER_TOOLS.keySet())
                .doesNotContainAnyElementsOf(Commands.names(Commands.OF_SCRIPT));
        assertThat(Help.OF_OTHER_TOOLS.values()).isSubsetOf(Commands.names(Commands.OF_SCRIPT));
    }
}
