package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.coppice.wire.Json;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * An agent that tries to leave processes behind in every way it can, and a second one that does the
 * same and is not stopped: none of the first may stay, and all of the second must.
 */
class EscapesTest {
    /** Each of its processes shows the number, whatever else it has thrown away. */
    private static final String ESCAPES =
            """
            sleep N &
            setsid sleep N &
            (setsid sh -c 'sleep N & sleep N' &)
            (setsid env -i /bin/sh -c '/bin/sleep N & exec /bin/sleep N' &)
            (setsid env -i /bin/sh -c 'trap "" TERM INT HUP; while :; do /bin/sleep N; done' &)
            (setsid sh -c 'ulimit -f 1000; exec env -i /bin/sh -c "/bin/sleep N & exec /bin/sleep N"' &)
            trap '' TERM INT HUP
            (setsid bash -c 'ring() { sleep 0.01; ring N & }; ring N & exec sleep N' &)
            exec sleep N
            """;

    private static final int PROCESSES_MIN = 10;

    /** A process that loses both marks, and whose supervisor is killed by the agent. */
    private static final String FREED =
            """
            (setsid sh -c 'ulimit -f 1000; : >freed; exec env -i /bin/sleep N' &)
            until [ -e freed ]; do :; done
            kill -9 $PPID
            exec sleep N
            """;

    /** For 30 seconds, if nobody ends it. */
    private static final String CHAIN =
            """
            cat >chain.pl <<'END'
            use POSIX;
            my $n = 0;
            my $end = time + 30;
            $SIG{TERM} = 'IGNORE';
            while (time < $end) {
                my $child = fork();
                next unless defined $child;
                POSIX::_exit(0) if $child;
                POSIX::setsid() if ++$n % 200 == 0;
            }
            END
            (ulimit -f 1000000; exec setsid env -i /usr/bin/perl chain.pl N) &
            until [ -s chain.pl ]; do :; done
            echo done
            """;

    @ParameterizedTest
    @ValueSource(strings = {"cgroup", "namespace", "lineage"})
    void nobody_escapes_and_nobody_is_confused(String containment) {
        Assumptions.assumeTrue(isPossible(containment), containment + " is not possible here");
        try (var machine = new Machine(Map.of("COPPICE_CONTAINMENT", containment))) {
            machine.up();
            stopOneOfTwo(machine);
        }
    }

    /** What root may do is not what users may do. */
    @Test
    void the_same_for_an_ordinary_user() {
        try (var machine = new Machine()) {
            Machine.ready(machine.startAsNobody("up", "--port", "0"));
            stopOneOfTwo(machine);
        }
    }

    @Test
    void what_its_agent_took_from_its_supervisor_is_ended() {
        try (var machine = new Machine()) {
            Machine.ready(machine.startAsNobody("up", "--port", "0"));
            assertThat(machine.run("doctor")).contains("adopts the orphans");
            var number = freed(machine);
            Machine.await(() -> showing(number).isEmpty(), () -> showing(number).toString());
        }
    }

    /** The orphan may belong to any run at work, so it is named, and ended after the last run. */
    @Test
    void without_perl_it_is_found_while_it_lives() throws IOException {
        try (var machine = new Machine(Map.of("COPPICE_CONTAINMENT", "lineage"))) {
            var up = machine.startWith(Map.of("PATH", withoutPerl(machine)), "up", "--port", "0");
            Machine.ready(up);
            machine.run("start", "works", "--mode", "async_poll", "-p", "hang");
            machine.awaitState("works", "running");
            var number = freed(machine);
            assertThat(showing(number)).hasSize(1);
            assertThat(machine.run(3, "fsck")).contains("processes of no known run", "(sleep)");
            assertThat(machine.run(11, "doctor")).contains("processes of no known run");
            machine.run("stop", "works");
            Machine.await(() -> showing(number).isEmpty(), () -> showing(number).toString());
            assertThat(machine.run("fsck")).doesNotContain("processes");
        }
    }

    /** Each process starts the next and ends, with nothing in between. */
    @Test
    void a_chain_that_forks_faster_than_it_is_counted_ends_with_its_run() {
        try (var machine = new Machine()) {
            Machine.ready(machine.startAsNobody("up", "--port", "0"));
            var number = Long.toString(600_000_000 + ProcessHandle.current().pid());
            for (int i = 0; i < 3; i++) {
                ended(machine, "chain-" + i, CHAIN.replace("N", number));
                assertThat(showing(number)).isEmpty();
            }
        }
    }

    @Test
    void a_supervisor_that_its_agent_suspends_is_woken() {
        try (var machine = new Machine(Map.of("COPPICE_CONTAINMENT", "lineage"))) {
            machine.up();
            var ended = ended(machine, "suspends", "kill -STOP $PPID; echo done");
            assertThat(Json.text(ended, "state")).isEqualTo("finished");
        }
    }

    @Test
    void an_agent_with_another_path_has_the_same_supervisor() {
        try (var machine = new Machine()) {
            machine.up();
            machine.post(
                    "/agents",
                    "{\"name\":\"bare\",\"kind\":\"command\",\"command\":[\"/bin/sh\"],\"env\":{\"PATH\":\"/nowhere\"}}");
            var ended =
                    machine.post(
                            "/runs?wait=60s",
                            "{\"session_name\":\"bare\",\"agent_name\":\"bare\",\"prompt\":\"echo"
                                    + " done\"}");
            assertThat(Json.text(ended, "state")).isEqualTo("finished");
        }
    }

    /** A shell starts something and is then replaced by the runner. */
    @Test
    void what_was_below_the_runner_at_its_start_is_nobodys_business() throws Exception {
        try (var machine = new Machine()) {
            var number = Long.toString(500_000_000 + ProcessHandle.current().pid());
            Machine.ready(
                    machine.startLimited(
                            "setsid sleep " + number + " & true", "up", "--port", "0"));
            Machine.await(() -> !showing(number).isEmpty(), () -> "no sleep yet");
            ended(machine, "short", "echo done");
            assertThat(machine.run("fsck")).contains("no references to missing");
            var left = showing(number);
            assertThat(left).hasSize(1);
            for (var one : left)
                ProcessHandle.of(Long.parseLong(one.split(" ", 2)[0])).orElseThrow().destroy();
        }
    }

    private static JsonNode ended(Machine machine, String name, String script) {
        var sh = "{\"name\":\"sh\",\"kind\":\"command\",\"command\":[\"bash\"]}";
        if (!machine.client().get("/agents/sh").isGood()) machine.post("/agents", sh);
        return machine.post(
                "/runs?wait=60s",
                Json.object()
                        .put("session_name", name)
                        .put("agent_name", "sh")
                        .put("prompt", script)
                        .toString());
    }

    private static String freed(Machine machine) {
        var number = Long.toString(900_000_000 + ProcessHandle.current().pid());
        var ended = ended(machine, "freed", FREED.replace("N", number));
        assertThat(ended.toString()).contains("its supervisor was killed");
        return number;
    }

    /** Links to every program here but Perl. */
    private static String withoutPerl(Machine machine) throws IOException {
        var programs = Files.createDirectory(machine.data().resolve("programs"));
        for (var place : List.of("/usr/bin", "/bin")) {
            try (var all = Files.list(Path.of(place))) {
                for (var program : all.toList()) {
                    var name = String.valueOf(program.getFileName());
                    var link = programs.resolve(name);
                    if (name.startsWith("perl") || Files.exists(link, NOFOLLOW_LINKS)) continue;
                    Files.createSymbolicLink(link, program);
                }
            }
        }
        return programs.toString();
    }

    private static void stopOneOfTwo(Machine machine) {
        machine.post("/agents", "{\"name\":\"sh\",\"kind\":\"command\",\"command\":[\"bash\"]}");
        var first = Long.toString(700_000_000 + ProcessHandle.current().pid());
        var second = Long.toString(800_000_000 + ProcessHandle.current().pid());
        for (var number : List.of(first, second)) {
            var request =
                    Json.object()
                            .put("session_name", "escapes-" + number)
                            .put("agent_name", "sh")
                            .put("execution_mode", "async_poll")
                            .put("prompt", ESCAPES.replace("N", number));
            machine.post("/runs", request.toString());
            Machine.await(
                    () -> showing(number).size() >= PROCESSES_MIN,
                    () -> showing(number).size() + " processes");
        }
        machine.run("stop", "escapes-" + first, "--deadline", "200ms");
        machine.awaitState("escapes-" + first, "stopped");
        assertThat(showing(first)).isEmpty();
        assertThat(showing(second)).hasSizeGreaterThanOrEqualTo(PROCESSES_MIN);
        machine.run("stop", "escapes-" + second, "--deadline", "200ms");
        machine.awaitState("escapes-" + second, "stopped");
        assertThat(showing(second)).isEmpty();
    }

    /** Processes whose command line shows the number; the shells that only read it are not. */
    private static List<String> showing(String number) {
        var found = new ArrayList<String>();
        ProcessHandle.allProcesses()
                .forEach(p -> {
                    var file = Path.of("/proc", Long.toString(p.pid()), "cmdline");
                    try {
                        var line = Files.readString(file, StandardCharsets.ISO_8859_1);
                        if (line.contains(number))
                            found.add(p.pid() + " " + line.replace('\0', ' '));
                    } catch (IOException _) {
                        // Gone in the meantime.
                    }
                });
        return found;
    }

    static boolean isPossible(String containment) {
        return switch (containment) {
            case "cgroup" -> Machine.isRoot() && hasGroups();
            case "namespace" -> Machine.isRoot() && Files.isExecutable(Path.of("/usr/bin/unshare"));
            default -> true;
        };
    }

    private static boolean hasGroups() {
        try {
            return Files.readString(Path.of("/proc/self/mountinfo")).contains(" - cgroup2 ");
        } catch (IOException _) {
            return false;
        }
    }
}
