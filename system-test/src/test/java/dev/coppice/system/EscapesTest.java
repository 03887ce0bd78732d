package dev.coppice.system;

import static org.assertj.core.api.Assertions.assertThat;

import static java.nio.file.LinkOption.NOFOLLOW_LINKS;

import dev.coppice.scene.Eventually;
import dev.coppice.wire.Json;

import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/**
 * Two agents start processes that try to escape in every known way. One agent is stopped: none of
 * its processes may remain, and all processes of the other must.
 */
class EscapesTest {
    /** Every process has the number N in its command line, whatever else it discards. */
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

    /** A process that discards both marks, and an agent that kills its supervisor. */
    private static final String FREED =
            """
            (setsid sh -c 'ulimit -f 1000; exec env -i /bin/sh -c ": >freed; exec /bin/sleep N"' &)
            until [ -e freed ]; do :; done
            kill -9 $PPID
            exec sleep N
            """;

    /** A chain of forks that runs for 30 seconds unless it is ended. */
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
    void a_stop_ends_all_processes_of_one_agent_and_none_of_the_other(String containment) {
        Assumptions.assumeTrue(isPossible(containment), containment + " is not possible here");
        try (var machine = new Machine(Map.of("COPPICE_CONTAINMENT", containment))) {
            machine.up();
            stopOneOfTwo(machine);
        }
    }

    /** Root may use other containments than ordinary users. */
    @Test
    void a_stop_ends_all_processes_of_one_agent_for_an_ordinary_user() {
        try (var machine = new Machine()) {
            Machine.ready(machine.startAsNobody("up", "--port", "0"));
            stopOneOfTwo(machine);
        }
    }

    @Test
    void an_orphan_whose_supervisor_was_killed_is_ended() {
        try (var machine = new Machine()) {
            Machine.ready(machine.startAsNobody("up", "--port", "0"));
            assertThat(machine.run("doctor")).contains("adopts the orphans");
            var number = freed(machine);
            Eventually.await(() -> showing(number).isEmpty(), () -> showing(number).toString());
        }
    }

    /** The orphan may belong to any live run, so it is reported, and ended after the last run. */
    @Test
    void without_perl_an_orphan_is_reported_while_other_runs_work() throws IOException {
        try (var machine = new Machine(Map.of("COPPICE_CONTAINMENT", "lineage"))) {
            var up = machine.startWith(Map.of("PATH", withoutPerl(machine)), "up", "--port", "0");
            Machine.ready(up);
            machine.run("start", "works", "--mode", "async_poll", "-p", "hang");
            machine.awaitState("works", "running");
            var number = freed(machine);
            assertThat(showing(number)).hasSize(1);
            assertThat(machine.run(11, "fsck")).contains("processes of no known run", "(sleep)");
            assertThat(machine.run(11, "doctor")).contains("processes of no known run");
            machine.run("stop", "works");
            Eventually.await(() -> showing(number).isEmpty(), () -> showing(number).toString());
            assertThat(machine.run("fsck")).doesNotContain("processes");
        }
    }

    /** Each process forks the next one and exits at once. */
    @Test
    void a_chain_that_forks_faster_than_processes_are_listed_ends_with_its_run() {
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
    void a_supervisor_suspended_by_its_agent_is_continued() {
        try (var machine = new Machine(Map.of("COPPICE_CONTAINMENT", "lineage"))) {
            machine.up();
            var ended = ended(machine, "suspends", "kill -STOP $PPID; echo done");
            assertThat(Json.text(ended, "state")).isEqualTo("finished");
        }
    }

    @Test
    void an_agent_with_its_own_path_still_has_a_working_supervisor() {
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

    /** The runner replaces a shell that has started a process. */
    @Test
    void processes_started_before_the_runner_are_left_alone() throws Exception {
        try (var machine = new Machine()) {
            var number = Long.toString(500_000_000 + ProcessHandle.current().pid());
            Machine.ready(
                    machine.startLimited(
                            "setsid sleep " + number + " & true", "up", "--port", "0"));
            Eventually.await(() -> !showing(number).isEmpty(), () -> "no sleep yet");
            ended(machine, "short", "echo done");
            assertThat(machine.run("fsck")).contains("no references to missing");
            var left = showing(number);
            assertThat(left).hasSize(1);
            for (var one : left)
                ProcessHandle.of(Long.parseLong(one.split(" ", 2)[0])).orElseThrow().destroy();
        }
    }

    /** They wait on a pipe, which ends with the runner, however it ends. */
    @Test
    void supervisors_without_an_order_end_with_a_killed_runner() throws IOException {
        try (var machine = new Machine()) {
            var up = machine.up();
            var script = machine.data().resolve("runner/supervise.pl").toString();
            Eventually.await(() -> showing(script).size() >= 8, () -> showing(script).toString());
            up.process().destroyForcibly();
            Eventually.await(() -> showing(script).isEmpty(), () -> showing(script).toString());
            var groups = machine.data().resolve("runner/cgroup");
            if (!Files.exists(groups)) return;
            var base = Path.of(Files.readString(groups));
            Eventually.await(() -> groupsIn(base).isEmpty(), () -> groupsIn(base).toString());
            machine.up();
        }
    }

    private static List<Path> groupsIn(Path base) {
        try (var all = Files.list(base)) {
            return all.filter(Files::isDirectory).toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
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

    /** Makes a directory with links to every program except Perl. */
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
            Eventually.await(
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

    /** Processes with the number in their command line; shells that only read it are left out. */
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
                        // The process has exited.
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
