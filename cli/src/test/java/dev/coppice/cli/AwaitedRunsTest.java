package dev.coppice.cli;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.cli.engine.Exit;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** Commands that wait: their exit codes, and the lines they print about runs. */
class AwaitedRunsTest {
    private final ScriptedCoordinator coordinator = new ScriptedCoordinator();

    @AfterEach
    void end() {
        coordinator.close();
    }

    private static String run(String name, String state, String more) {
        return """
        {"run_id":"run-%s","session_id":"id-%s","session_name":"%s","type":"start_session",
         "parameters":{},"execution_mode":"sync","demands":{},"status":"x","state":"%s",
         "created_at":"2026-11-23T12:00:00Z","timeout_at":"2026-11-23T12:00:00Z"%s}
        """
                .formatted(name, name, name, state, more);
    }

    private static final String OVER = ",\"completed_at\":\"2026-11-23T12:01:00Z\"";

    private void ended(String name, String state, String more) {
        coordinator
                .session(name, state)
                .on("GET /runs", "{\"runs\":[%s]}".formatted(run(name, state, OVER + more)));
    }

    @ParameterizedTest
    @CsvSource({
        "finished, OK",
        "failed, FAILED",
        "stopped, STOPPED",
        "timed_out, TIMED_OUT",
        "lost, LOST"
    })
    void the_end_of_a_run_is_the_exit_code(String state, Exit exit) {
        ended("plan", state, ",\"error\":\"a\\nb\"");
        var said = coordinator.run("wait", "plan");
        assertThat(said.exit()).isEqualTo(exit);
        assertThat(said.out()).startsWith("plan  ").endsWith(" " + state + "  a\n");
    }

    @Test
    void a_run_that_is_awaited_twice_is_printed_once() {
        ended("plan", "finished", "");
        assertThat(coordinator.run("wait", "plan", "plan").lines()).hasSize(1);
    }

    @ParameterizedTest
    @CsvSource({"1ms, LATE", "0, LATE"})
    void a_wait_ends_with_its_time(String timeout, Exit exit) {
        coordinator
                .session("plan", "running")
                .on("GET /runs", "{\"runs\":[%s]}".formatted(run("plan", "running", "")));
        coordinator.on("GET /runs/run-plan", run("plan", "running", ""));
        var said = coordinator.run("wait", "plan", "--timeout", timeout);
        assertThat(said.exit()).isEqualTo(exit);
        assertThat(said.err()).isEqualTo("coppice: still at work: plan\n");
    }

    @Test
    void a_wait_may_be_longer_than_a_clock_counts() {
        ended("plan", "finished", "");
        assertThat(coordinator.run("wait", "plan", "--timeout", "999999999d").exit())
                .isEqualTo(Exit.OK);
    }

    @Test
    void a_session_without_a_run_cannot_be_awaited() {
        coordinator.session("plan", "pending").on("GET /runs", "{\"runs\":[]}");
        var said = coordinator.run("wait", "plan");
        assertThat(said.exit()).isEqualTo(Exit.USAGE);
        assertThat(said.err()).startsWith("coppice: the session 'plan' has no run\n");
    }

    @Test
    void a_wait_that_is_refused_ends_as_a_refusal() {
        coordinator
                .session("plan", "running")
                .on("GET /runs", "{\"runs\":[%s]}".formatted(run("plan", "running", "")));
        coordinator.refuse("GET /runs/run-plan", 404, "run_unknown", "there is no such run");
        assertThat(coordinator.run("wait", "plan").exit()).isEqualTo(Exit.NOT_FOUND);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "\"result_text\":\"done\"|done~",
                "\"result_text\":\"done\\n\"|done~",
                "\"result_text\":\"\"|''",
                "\"result_data\":{\"a\":[1]}|{\"a\":[1]}~",
                "\"result_data\":null|''"
            })
    void a_result_ends_with_one_line_end(String field, String printed) {
        coordinator
                .on(
                        "POST /runs",
                        "{\"run_id\":\"run-plan\",\"session_id\":\"id-plan\",\"status\":\"x\",\"session_name\":\"plan\"}")
                .on("GET /runs/run-plan", run("plan", "finished", OVER + "," + field));
        var said = coordinator.run("start", "plan", "--agent", "sh", "-p", "x");
        assertThat(said.err()).isEmpty();
        assertThat(said.out()).isEqualTo(printed.replace('~', '\n'));
    }

    private static String output(String state, boolean ended, String stdout, String stderr) {
        return "{\"run_id\":\"r\",\"state\":\"%s\",\"ended\":%s,\"stdout\":%s,\"stderr\":%s}"
                .formatted(state, ended, stdout, stderr);
    }

    private static String part(long next, long size, String text) {
        return "{\"offset\":0,\"next\":%d,\"size\":%d,\"text\":\"%s\"}".formatted(next, size, text);
    }

    private static final String NOTHING = part(0, 0, "");

    @Test
    void output_is_read_part_by_part_and_each_stream_goes_to_its_own() {
        ended("plan", "finished", "");
        coordinator.on(
                "GET /runs/run-plan/output",
                output("finished", true, part(3, 6, "abc"), part(1, 1, "!")),
                output("finished", true, part(6, 6, "def"), part(1, 1, "")));
        var said = coordinator.run("logs", "plan");
        assertThat(said.out()).isEqualTo("abcdef");
        assertThat(said.err()).isEqualTo("!");
        assertThat(coordinator.asked()).last().asString().contains("stdout=3", "stderr=1");
    }

    @ParameterizedTest
    @CsvSource({"0, ''", "1, c~", "2, b~c~", "9, a~b~c~"})
    void of_the_output_the_last_lines_are_printed(int lines, String printed) {
        ended("plan", "finished", "");
        var all = part(6, 6, "a\\nb\\nc\\n");
        coordinator.on("GET /runs/run-plan/output", output("finished", true, all, NOTHING));
        assertThat(coordinator.run("logs", "plan", "--tail", Integer.toString(lines)).out())
                .isEqualTo(printed.replace('~', '\n'));
    }

    @Test
    void a_last_line_without_an_end_is_a_line() {
        ended("plan", "finished", "");
        coordinator.on(
                "GET /runs/run-plan/output",
                output("finished", true, part(4, 4, "a\\nbc"), NOTHING));
        assertThat(coordinator.run("logs", "plan", "--tail", "1").out()).isEqualTo("bc");
    }

    @Test
    void fewer_than_no_lines_are_refused() {
        ended("plan", "finished", "");
        assertThat(coordinator.run("logs", "plan", "--tail", "-1").exit()).isEqualTo(Exit.USAGE);
    }

    @Test
    void output_that_is_gone_is_told() {
        ended("plan", "finished", "");
        coordinator.on(
                "GET /runs/run-plan/output",
                "{\"run_id\":\"r\",\"state\":\"x\",\"ended\":true,\"unavailable\":\"the host is"
                        + " gone\"}");
        var said = coordinator.run("logs", "plan");
        assertThat(said.exit()).isEqualTo(Exit.REFUSED);
        assertThat(said.err()).isEqualTo("coppice: no output of run-plan: the host is gone\n");
    }

    @Test
    void a_program_that_printed_nothing_is_told_apart_from_a_broken_pipe() {
        ended("plan", "finished", "");
        coordinator.on("GET /runs/run-plan/output", output("finished", true, NOTHING, NOTHING));
        assertThat(coordinator.run("logs", "plan").err()).contains("the program printed nothing");
    }

    @Test
    void a_program_reads_the_parts_of_both_streams_as_json() {
        ended("plan", "finished", "");
        coordinator.on(
                "GET /runs/run-plan/output",
                output("finished", true, part(1, 1, "a"), part(1, 1, "b")));
        assertThat(coordinator.run("logs", "plan", "--json").lines())
                .containsExactly(
                        "{\"session_name\":null,\"run_id\":\"run-plan\",\"stream\":\"stdout\",\"text\":\"a\"}",
                        "{\"session_name\":null,\"run_id\":\"run-plan\",\"stream\":\"stderr\",\"text\":\"b\"}");
    }
}
