package dev.coppice.cli;

import static dev.coppice.cli.ScriptedCoordinator.file;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.cli.engine.Exit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** The requests that commands make of what was typed, and the exit codes of the answers. */
class ScriptedCommandsTest {
    private final ScriptedCoordinator coordinator = new ScriptedCoordinator();
    @TempDir Path temp;

    @AfterEach
    void end() {
        coordinator.close();
    }

    private String sent(String request) {
        return coordinator.asked().stream()
                .filter(asked -> asked.startsWith(request))
                .map(asked -> asked.substring(request.length()).strip())
                .reduce((first, last) -> last)
                .orElseThrow(() -> new AssertionError(coordinator.asked().toString()));
    }

    @Test
    void a_budget_changes_only_what_is_named() {
        coordinator
                .session("plan", "running")
                .on(
                        "PATCH /sessions/id-plan/budget",
                        "{\"limits\":[],\"own\":{},\"children\":[],\"spent\":{}}");
        var said =
                coordinator.run(
                        "budget", "plan", "--cost", "2.50", "--tokens", "none", "--wall", "2h");
        assertThat(said.err()).isEmpty();
        assertThat(sent("PATCH /sessions/id-plan/budget"))
                .isEqualTo("{\"cost_usd\":2.50,\"wall\":\"7200s\",\"lift\":[\"tokens\"]}");
        assertThat(said.out()).startsWith("There is no budget.\n");
    }

    @Test
    void a_budget_is_shown_in_dollars_times_and_shares() {
        coordinator
                .session("plan", "running")
                .on(
                        "GET /sessions/id-plan/budget",
                        """
                        {"limits":[{"kind":"cost_micros","max":2500000,"spent":1250000,"policy":"stop","set_by":"me"},
                          {"kind":"wall_millis","max":7200000,"spent":90000,"policy":"refuse","set_by":"me"},
                          {"kind":"runs","max":0,"spent":0,"policy":"refuse","set_by":"me"}],
                         "own":{"tokens":1,"cost_micros":1,"wall_millis":1,"runs":1,"sessions":1},
                         "children":[],"spent":{"cost_micros":1000000}}
                        """);
        assertThat(coordinator.run("budget", "plan").out())
                .isEqualTo(
                        """
                        LIMIT  MAX    SPENT  USED   POLICY  SET BY
                        cost   $2.50  $1.25  50 %   stop    me
                        time   2h00m  1m30s  1 %    refuse  me
                        runs   0      0      100 %  refuse  me

                        FOR     TOKENS  COST       TIME  RUNS  SESSIONS
                        itself  1       $0.000001  1ms   1     1
                        total   0       $1.00      0ms   0     0
                        """);
    }

    @Test
    void a_budget_is_cleared_alone() {
        assertThat(coordinator.run("budget", "plan", "--clear", "--runs", "5").exit())
                .isEqualTo(Exit.USAGE);
    }

    @ParameterizedTest
    @ValueSource(strings = {"much", "1,5", "$5"})
    void an_amount_is_a_number_or_none(String cost) {
        coordinator.session("plan", "running");
        assertThat(coordinator.run("budget", "plan", "--cost", cost).exit()).isEqualTo(Exit.USAGE);
    }

    private static String wave(String state) {
        return """
        {"wave_id":"wave_1","name":"review","state":"%s","counts":{"total":2,"waiting":1},"phases":[],
         "critical_path":[],"created_at":"2026-11-23T12:00:00Z",
         "members":[{"name":"api","state":"waiting","after":["ui","db"],"below":"lead","level":1}]}
        """
                .formatted(state);
    }

    private ScriptedCoordinator.Said plan(String text, String... more) {
        var file = file(temp, "review.json", text).toString();
        var line = new ArrayList<>(List.of("run", file));
        line.addAll(java.util.List.of(more));
        return coordinator.run(line.toArray(String[]::new));
    }

    @Test
    void a_file_without_a_name_has_that_of_the_file() {
        coordinator.on("POST /waves", wave("running"));
        assertThat(
                        plan(
                                        "{\"members\":[{\"name\":\"api\",\"project_dir\":\"/x\"}]}",
                                        "--detach")
                                .out())
                .isEqualTo("wave_1\n");
        assertThat(sent("POST /waves")).contains("\"name\":\"review\"", "\"project_dir\":\"/x\"");
    }

    /** Whatever the file says: nothing starts that was only to be checked. */
    @ParameterizedTest
    @ValueSource(strings = {"", ",\"dry_run\":false", ",\"dry_run\":null"})
    void a_dry_run_starts_nothing(String field) {
        coordinator.on("POST /waves", wave("planned"));
        var said = plan("{\"members\":[]" + field + "}", "--dry-run");
        assertThat(sent("POST /waves")).contains("\"dry_run\":true");
        assertThat(said.exit()).isEqualTo(Exit.OK);
        assertThat(said.out())
                .isEqualTo(
                        """
                        review  wave_1  planned  2 members

                        MEMBER  STATE      TIME  SESSION  NOTE
                          api   ○ waiting                 below lead; after ui, db
                        """);
    }

    @Test
    void a_file_that_is_to_be_checked_only_is_not_awaited() {
        coordinator.on("POST /waves", wave("planned"));
        assertThat(plan("{\"members\":[],\"dry_run\":true}").exit()).isEqualTo(Exit.OK);
        assertThat(coordinator.asked()).hasSize(1);
    }

    @Test
    void a_parameter_is_a_text_unless_the_schema_wants_another_type() {
        coordinator.on("POST /waves", wave("planned"));
        var schema =
                "\"parameters_schema\":{\"properties\":{\"n\":{\"type\":\"integer\"},\"l\":{\"type\":\"array\"}}}";
        plan(
                "{\"members\":[],\"parameters\":{\"kept\":1}," + schema + "}",
                "n=5",
                "repo=7",
                "l=[1]",
                "eq=a=b",
                "--dry-run");
        assertThat(sent("POST /waves"))
                .contains(
                        "\"parameters\":{\"kept\":1,\"n\":5,\"repo\":\"7\",\"l\":[1],\"eq\":\"a=b\"}");
    }

    @Test
    void a_parent_that_is_named_wins_over_that_of_the_file() {
        coordinator.on("POST /waves", wave("planned"));
        plan("{\"members\":[],\"parent_session_id\":\"other\"}", "--parent", "plan", "--dry-run");
        assertThat(sent("POST /waves"))
                .contains("\"parent_session_name\":\"plan\"")
                .doesNotContain("other");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            quoteCharacter = '`',
            value = {
                "[]|must be a JSON object",
                "{\"members\":}|line 1, column",
                "{\"member\":[]}|has the unknown field 'member'; the fields are",
                "{\"members\":7}|review.json: ",
                "{\"members\":[],\"concurrency\":1.9}|review.json: ",
                "{\"members\":[],\"stagger\":\"soon\"}|'soon' is not a time such as",
                "{\"members\":[],\"parameters\":[1]}|must be a JSON object"
            })
    void a_file_that_is_no_plan_is_refused_before_anything_is_asked(String text, String said) {
        var refused = plan(text, "a=b");
        assertThat(refused.exit()).isEqualTo(Exit.USAGE);
        assertThat(refused.err()).contains(said);
        assertThat(coordinator.asked()).isEmpty();
    }

    @Test
    void a_parameter_has_a_name() {
        assertThat(plan("{\"members\":[]}", "=b").err())
                .startsWith("coppice: '=b' must be NAME=VALUE\n");
    }

    @ParameterizedTest
    @CsvSource({"finished, OK", "failed, FAILED", "stopped, STOPPED", "empty, OK"})
    void a_wave_that_is_over_has_the_exit_code_of_a_run(String state, Exit exit) {
        coordinator.on("GET /waves/wave_1", wave("running"), wave(state));
        assertThat(coordinator.run("wave", "wait", "wave_1").exit()).isEqualTo(exit);
        assertThat(coordinator.asked()).hasSize(2).first().asString().contains("wait=86400s");
    }

    @Test
    void a_wave_that_takes_too_long_is_late() {
        coordinator.on("GET /waves/wave_1", wave("running"));
        assertThat(coordinator.run("wave", "wait", "wave_1", "--timeout", "0s").exit())
                .isEqualTo(Exit.LATE);
    }

    @Test
    void only_the_fields_of_a_document_that_differ_are_sent_and_deleted_ones_as_null() {
        coordinator
                .on(
                        "GET /agents/sh",
                        "{\"name\":\"sh\",\"command\":[\"sh\"],\"model\":\"x\",\"tags\":[\"a\"]}")
                .on("PATCH /agents/sh", "{\"name\":\"sh\"}");
        var file =
                file(temp, "sh.json", "{\"name\":\"sh\",\"command\":[\"dash\"],\"tags\":[\"a\"]}");
        assertThat(coordinator.run("blueprints", "edit", "sh", "--file", file.toString()).out())
                .isEqualTo("changed sh\n");
        assertThat(sent("PATCH /agents/sh")).isEqualTo("{\"command\":[\"dash\"],\"model\":null}");
    }

    @Test
    void a_document_that_stays_the_same_is_not_sent() {
        coordinator.on("GET /agents/sh", "{\"name\":\"sh\"}");
        var file = file(temp, "sh.json", "{ \"name\": \"sh\" }");
        var said = coordinator.run("blueprints", "edit", "sh", "--file", file.toString());
        assertThat(said.exit()).isEqualTo(Exit.OK);
        assertThat(said.err()).isEqualTo("nothing was changed\n");
    }

    private static String removal(String state) {
        return "{\"removal_id\":\"rem_1\",\"session_name\":\"plan\",\"state\":\"%s\",\"undo_until\":\"noon\",\"waits_for\":\"a runner\",\"called_off\":\"by me\",\"not_preserved\":[],\"not_reattached\":[],\"taken\":{\"sessions\":2}}"
                .formatted(state);
    }

    private static final String PLAN =
            """
            {"session_name":"plan","allowed":true,"digest":"d1","choices":{"children":"remove"},"sessions":1,
             "sessions_by_state":{"idle":1},"running":[],"outside":[],"critical_operations":[],"work":[],
             "not_looked_at":[],"looks_failed":{},"earlier_removals":[],"refusals":[]}
            """;

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "hidden|OK|removed plan; 'coppice undo rem_1' restores it until noon",
                "purged|OK|purged plan (rem_1)",
                "taken_back|REFUSED|plan was not removed; rem_1 was cancelled: by me",
                "stopping|LATE|plan: rem_1 is stopping: a runner"
            })
    void the_state_of_a_removal_is_told_and_decides_the_exit_code(
            String state, Exit exit, String told) {
        coordinator
                .session("plan", "idle")
                .on("GET /sessions/id-plan/removal-plan", PLAN)
                .on("POST /sessions/id-plan/removal", removal(state));
        var said = coordinator.run("rm", "plan", "--yes");
        assertThat(said.out()).isEqualTo(told + "\n");
        assertThat(said.exit()).isEqualTo(exit);
        assertThat(sent("POST /sessions/id-plan/removal")).contains("\"d1\"");
    }

    @Test
    void without_a_terminal_and_without_yes_nothing_is_removed() {
        coordinator.session("plan", "idle").on("GET /sessions/id-plan/removal-plan", PLAN);
        var said = coordinator.run("rm", "plan");
        assertThat(said.exit()).isEqualTo(Exit.USAGE);
        assertThat(said.err()).contains("cannot ask: not a terminal; pass --yes");
        assertThat(coordinator.asked()).noneMatch(asked -> asked.startsWith("POST "));
    }

    @Test
    void a_removal_is_found_by_the_name_of_its_session_on_a_later_page() {
        coordinator
                .on(
                        "GET /removals",
                        "{\"removals\":[%s],\"next\":\"c\"}".formatted(removal("purged")),
                        "{\"removals\":[%s]}"
                                .formatted(removal("hidden").replace("rem_1", "rem_0")))
                .on("POST /removals/rem_0/undo", removal("restored"));
        assertThat(coordinator.run("undo", "plan").out())
                .isEqualTo("restored plan, with 2 sessions\n");
    }

    @Test
    void a_message_of_a_tool_that_is_not_of_the_protocol_is_passed_on_and_answered() {
        var typed = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":{\"initialize\":1}}\n{\"jsonrpc\"\n";
        coordinator.on("POST /mcp", "{\"odd\":1}");
        var said = coordinator.typed(typed).run("mcp");
        assertThat(said.exit()).isEqualTo(Exit.OK);
        assertThat(said.out()).contains("\"code\":-32700").doesNotContain("null.");
        assertThat(said.err()).isEmpty();
    }

    @Test
    void a_refusal_before_the_protocol_is_an_error_of_it() {
        var typed = "{\"jsonrpc\":\"2.0\",\"id\":1,\"method\":\"tools/list\"}\n";
        coordinator.answer("POST /mcp", 502, "{\"error\":\"bad gateway\"}");
        assertThat(coordinator.typed(typed).run("mcp").out())
                .isEqualTo(
                        "{\"jsonrpc\":\"2.0\",\"id\":1,\"error\":{\"code\":-32000,\"message\":\"bad"
                                + " gateway\"}}\n");
    }
}
