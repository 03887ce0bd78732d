package dev.coppice.cli;

import static dev.coppice.cli.ScriptedCoordinator.view;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Width;

import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import java.util.Arrays;
import java.util.stream.Collectors;

/** Lists in pages, in the width of a terminal, in a pipe and as JSON. */
class PagedCommandsTest {
    private final ScriptedCoordinator coordinator = new ScriptedCoordinator();

    @AfterEach
    void end() {
        coordinator.close();
    }

    private static String events(String next, String previous, int... numbers) {
        var all =
                Arrays.stream(numbers)
                        .mapToObj(n ->
                                """
                                {"id":%d,"session_id":"id-plan","event_type":"message",
                                 "timestamp":"2020-01-01T00:00:%02dZ","text":"t%d"}
                                """
                                        .formatted(n, n, n))
                        .collect(Collectors.joining(","));
        return "{\"events\":[%s],\"next\":%s,\"previous\":%s}".formatted(all, next, previous);
    }

    private static String texts(String out) {
        return out.lines()
                .map(line -> line.replaceFirst(".* ", ""))
                .collect(Collectors.joining(" "));
    }

    @Test
    void one_page_is_shown_and_the_way_to_the_next_is_told_beside_it() {
        coordinator.on(
                "GET /sessions",
                "{\"sessions\":[%s],\"next\":\"c7\"}".formatted(view("plan", "idle")));
        var said =
                coordinator.run("list", "--limit", "1", "--after", "c6", "--status", "idle,failed");
        assertThat(said.lines()).hasSize(2).last().asString().startsWith("plan  ◐ idle");
        assertThat(said.err()).isEqualTo("more: pass --after c7\n");
        assertThat(coordinator.asked())
                .singleElement()
                .asString()
                .contains("status=idle%2Cfailed", "after=c6", "limit=1");
    }

    @Test
    void the_children_are_shown_from_all_pages() {
        coordinator
                .session("plan", "running")
                .on(
                        "GET /sessions/id-plan/children",
                        "{\"children\":[%s],\"next\":\"c1\"}".formatted(view("one", "idle")),
                        "{\"children\":[%s],\"next\":null}".formatted(view("two", "lost")));
        assertThat(coordinator.run("children", "plan").out()).contains("◐ idle", "× lost");
        assertThat(coordinator.asked()).last().asString().contains("after=c1");
    }

    @ParameterizedTest
    @ValueSource(ints = {40, 80, 160})
    void a_list_fits_the_terminal(int columns) {
        var name = "a-name-of-a-session-that-is-long-in-a-table";
        coordinator.on("GET /sessions", "{\"sessions\":[%s]}".formatted(view(name, "timed_out")));
        var lines = coordinator.terminal(columns).run("list").lines();
        assertThat(lines)
                .allSatisfy(line -> assertThat(Width.of(line)).isLessThanOrEqualTo(columns));
        assertThat(lines.getLast()).contains("⧗");
        assertThat(lines.getLast().contains(name)).isEqualTo(columns == 160);
    }

    @Test
    void json_is_what_the_coordinator_answered() {
        var body = "{\"sessions\":[],\"next\":null,\"newer\":{\"a\":1}}";
        assertThat(coordinator.on("GET /sessions", body).run("list", "--json").out())
                .isEqualTo(body + "\n");
    }

    @Test
    void the_last_events_are_read_backwards_and_printed_forwards() {
        coordinator
                .session("plan", "running")
                .on(
                        "GET /sessions/id-plan/events",
                        events("null", "\"4\"", 4, 5),
                        events("null", "null", 2, 3));
        assertThat(texts(coordinator.run("events", "plan", "--limit", "3").out()))
                .isEqualTo("t3 t4 t5");
        assertThat(coordinator.asked().stream().filter(r -> r.contains("/events?")))
                .hasSize(2)
                .last()
                .asString()
                .contains("before=4");
    }

    @Test
    void enough_events_are_not_followed_by_another_page() {
        coordinator
                .session("plan", "running")
                .on("GET /sessions/id-plan/events", events("null", "\"4\"", 4, 5));
        assertThat(texts(coordinator.run("events", "plan", "--limit", "2").out()))
                .isEqualTo("t4 t5");
        assertThat(coordinator.asked().stream().filter(r -> r.contains("/events?"))).hasSize(1);
    }

    @Test
    void from_a_number_on_all_events_are_printed_whatever_the_limit() {
        coordinator
                .session("plan", "running")
                .on(
                        "GET /sessions/id-plan/events",
                        events("\"3\"", "null", 2, 3),
                        events("null", "null", 4));
        assertThat(texts(coordinator.run("events", "plan", "--after", "1", "--limit", "1").out()))
                .isEqualTo("t2 t3 t4");
    }

    @Test
    void events_since_a_time_end_with_the_first_page_that_is_older() {
        coordinator
                .session("plan", "running")
                .on(
                        "GET /sessions/id-plan/events",
                        events("null", "\"6\"", 6, 7),
                        events("null", "\"2\"", 2, 5));
        assertThat(
                        texts(
                                coordinator
                                        .run("events", "plan", "--since", "2020-01-01T00:00:05Z")
                                        .out()))
                .isEqualTo("t5 t6 t7");
        assertThat(coordinator.asked().stream().filter(r -> r.contains("/events?"))).hasSize(2);
    }

    @Test
    void events_are_selected_by_type_here() {
        coordinator
                .session("plan", "running")
                .on("GET /sessions/id-plan/events", events("null", "null", 4, 5));
        assertThat(coordinator.run("events", "plan", "--type", "result").out()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"yesterday", "10", "2020-01-01", "-5m"})
    void a_time_is_a_length_or_a_moment(String since) {
        coordinator
                .session("plan", "running")
                .on("GET /sessions/id-plan/events", events("null", "null"));
        var said = coordinator.run("events", "plan", "--since", since);
        assertThat(said.exit()).isEqualTo(since.equals("10") ? Exit.OK : Exit.USAGE);
    }

    @Test
    void a_stream_is_printed_until_it_ends() {
        coordinator.on(
                "GET /sse/sessions",
                """
                : still here

                id: 5
                event: event
                data: {"data":{"id":5,"session_id":"id-x","event_type":"message","timestamp":"2020-01-01T00:00:00Z","text":"hi\\u001b[2J"}}

                event: newer
                data: {"a":1}

                """);
        var said = coordinator.run("events");
        assertThat(said.exit()).isEqualTo(Exit.OK);
        assertThat(said.lines()).hasSize(2);
        assertThat(said.lines().getFirst()).startsWith("5 ").endsWith("hi\ufffd[2J");
        assertThat(said.lines().getLast()).endsWith("{\"a\":1}");
        assertThat(coordinator.run("events", "--json").lines().getFirst())
                .startsWith("{\"number\":\"5\",\"event\":\"event\",\"data\":{\"data\":{\"id\":5");
    }

    @Test
    void an_export_has_the_events_of_all_pages() {
        coordinator
                .session("plan", "running")
                .on(
                        "GET /sessions/id-plan/events",
                        events("\"1\"", "null", 1),
                        events("null", "null", 2));
        assertThat(coordinator.run("export", "plan").lines())
                .hasSize(2)
                .allSatisfy(line -> assertThat(line).startsWith("{\"id\":").endsWith("}"));
        coordinator.on("GET /sessions/id-plan/events", events("null", "null", 1));
        assertThat(coordinator.run("export", "plan", "--format", "csv").lines())
                .containsExactly(
                        "id,timestamp,session_id,session_name,run_id,event_type,details",
                        "1,2020-01-01T00:00:01Z,id-plan,plan,,message,\"{\"\"text\"\":\"\"t1\"\"}\"");
    }

    @Test
    void a_found_event_fits_the_terminal_with_its_matches_in_bold() {
        coordinator.on(
                "GET /events",
                """
                {"events":[{"event":{"id":7,"session_id":"id-x","event_type":"message","timestamp":"2020-01-01T00:00:00Z"},
                 "tool":"Bash","status":"failed","excerpt":"the\\nconnection was refused by 計画計画計画計画",
                 "matches":[[4,14],[19,26]]}],"next":"5"}
                """);
        var said = coordinator.terminal(40).run("search", "connection refused");
        assertThat(said.lines()).hasSize(2);
        assertThat(said.lines().getLast())
                .isEqualTo(
                        "       the \u001b[1mconnection\u001b[0m was \u001b[1mrefused\u001b[0m by"
                                + " 計…");
        assertThat(said.err()).isEqualTo("More: pass --before 5\n");
        assertThat(coordinator.asked().getFirst()).contains("text=%22connection%20refused%22");
        var piped = coordinator.with("COPPICE_TERMINAL", "").run("search", "x").lines().getLast();
        assertThat(piped).isEqualTo("       the connection was refused by 計画計画計画計画");
    }

    @ParameterizedTest
    @ValueSource(ints = {40, 80, 160})
    void what_is_at_work_fits_the_terminal_with_fewer_columns(int columns) {
        coordinator.on(
                "GET /activity",
                """
                {"sessions":[{"session_id":"id-plan","session_name":"plan","state":"running","attention":"silent",
                 "started_at":"2020-01-01T00:00:00Z","ended_at":"2020-01-01T00:01:30Z","silence_ms":65000,
                 "headline":{"kind":"does","text":"Bash: mvn test","at":"x"},"tokens":1200,
                 "cost_micros":20000,"use":{"cpu_share":0.5,"memory_bytes":20000000,"processes":2}}],"sum":{}}
                """);
        var lines = coordinator.terminal(columns).run("top", "--once").lines();
        assertThat(lines)
                .allSatisfy(line -> assertThat(Width.of(line)).isLessThanOrEqualTo(columns));
        var headings = lines.get(2).strip().replaceAll(" +", " ");
        assertThat(headings)
                .isEqualTo(
                        switch (columns) {
                            case 40 -> "NAME STATE QUIET DOING";
                            case 80 -> "NAME STATE TIME QUIET TOKENS DOING";
                            default -> "NAME STATE TIME QUIET CPU MEM TOKENS COST DOING";
                        });
        assertThat(lines.get(3)).startsWith("…  plan  ● running").contains("1m05s", "Bash: mvn");
    }
}
