package dev.coppice.bench;

import dev.coppice.bench.Verdicts.Amount;
import dev.coppice.runner.drive.Drive;
import dev.coppice.wire.Json;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;

/**
 * Time from {@code POST /runs} to the first line of the agent, under every containment, against
 * starting the same program by hand; then through a driver. All pause before each start, as agents
 * do between starts.
 */
final class DispatchBench {
    private static final int RUNS = 100;
    private static final int PLAYED = 3_000;
    private static final int WARMING = 200;
    private static final double TARGET = 3.0;

    private static final int DRIVEN = 30;
    private static final double DRIVEN_TARGET = 60;
    private static final int WAITING = 8;
    private static final double DRIVER_MB_MAX = 64;

    /** Says when it began, in the protocol of "codex exec". */
    private static final String SPEAKS =
            """
            now=$(date +%s%N)
            echo '{"type":"thread.started","thread_id":"t1"}'
            echo '{"type":"turn.started"}'
            item='{"id":"i","type":"agent_message","text":"'$now'"}'
            echo '{"type":"item.completed","item":'$item'}'
            echo '{"type":"turn.completed","usage":{"input_tokens":1,"output_tokens":1}}'
            """;

    private static final List<String> COMMAND = List.of("date", "+%s%N");

    private DispatchBench() {}

    static void run(Verdicts verdicts) throws Exception {
        for (var containment : List.of("cgroup", "namespace", "lineage")) {
            try (var server = new Server()) {
                warm(server);
                try (var _ = server.runner(64, containment)) {
                    measure(verdicts, server, containment);
                    if (containment.equals("lineage")) driven(verdicts, server);
                } catch (IllegalArgumentException e) {
                    Verdicts.note("%s: %s", containment, String.valueOf(e.getMessage()));
                }
            }
        }
    }

    /** Runs without processes: the coordinator is one that has been in use. */
    private static void warm(Server server) throws InterruptedException {
        var completed = new CountDownLatch(PLAYED);
        try (var _ = new Player(server, "warm", Player.Ends.AT_ONCE, completed)) {
            for (int i = 0; i < PLAYED; i++) server.post("/runs", "{\"prompt\":\"x\"}");
            completed.await();
        }
    }

    private static void measure(Verdicts verdicts, Server server, String containment)
            throws Exception {
        server.post("/agents", "{\"name\":\"date\",\"command\":[\"date\",\"+%s%N\"]}");
        for (int i = 0; i < WARMING; i++) dispatched(server, "date");
        var ours = new ArrayList<Long>();
        for (int i = 0; i < RUNS; i++) {
            Load.rest();
            ours.add(dispatched(server, "date"));
        }
        var bare = new ArrayList<Long>();
        for (int i = 0; i < RUNS; i++) {
            Load.rest();
            bare.add(startedByHand());
        }
        var dispatched = Load.of(ours, 1);
        var byHand = Load.of(bare, 1);
        verdicts.atMost(
                containment + ": from the request to the agent's first line, p50; against by hand",
                Amount.millis(dispatched.p50Millis()),
                Amount.millis(byHand.p50Millis()),
                TARGET);
        verdicts.atMost(
                containment + ": the same, p99",
                Amount.millis(dispatched.p99Millis()),
                Amount.millis(byHand.p99Millis()),
                TARGET);
    }

    /** The same through a driver, to a program that speaks as Codex does, and its memory. */
    private static void driven(Verdicts verdicts, Server server) throws Exception {
        define(server, "driven", SPEAKS);
        define(server, "waiting", "sleep 30");
        var ours = new ArrayList<Long>();
        var undriven = new ArrayList<Long>();
        for (int i = 0; i < DRIVEN; i++) {
            Load.rest();
            ours.add(dispatched(server, "driven"));
            Load.rest();
            undriven.add(dispatched(server, "date"));
        }
        verdicts.atMost(
                "the same through a driver, p50; against without one",
                Amount.millis(Load.of(ours, 1).p50Millis()),
                Amount.millis(Load.of(undriven, 1).p50Millis()),
                DRIVEN_TARGET);
        for (int i = 0; i < WAITING; i++) {
            server.post("/runs", "{\"agent_name\":\"waiting\",\"prompt\":\"x\"}");
        }
        while (programs("sleep 30").count() < WAITING) Load.rest();
        double bytes = 0;
        for (var driver : programs(Drive.class.getName()).toList()) bytes += resident(driver);
        verdicts.atMost("memory of a driver", Amount.megabytes(bytes / WAITING), DRIVER_MB_MAX);
    }

    private static void define(Server server, String name, String script) {
        var blueprint = Json.object().put("name", name).put("kind", "codex");
        blueprint.put("protocol", "exec");
        blueprint.putArray("command").add("sh").add("-c").add(script);
        server.post("/agents", Json.write(blueprint));
    }

    /** The processes below this one with these words in their command line. */
    private static Stream<ProcessHandle> programs(String words) {
        return ProcessHandle.current()
                .descendants()
                .filter(p -> commandLine(p.pid()).contains(words));
    }

    private static String commandLine(long pid) {
        try {
            return Files.readString(Path.of("/proc/" + pid + "/cmdline")).replace('\0', ' ');
        } catch (IOException _) {
            return "";
        }
    }

    /** Megabytes; a page that processes share counts for each in part. */
    private static double resident(ProcessHandle process) throws IOException {
        var rollup = Path.of("/proc/" + process.pid() + "/smaps_rollup");
        return Files.readAllLines(rollup).stream()
                        .filter(line -> line.startsWith("Pss:"))
                        .mapToLong(line -> Long.parseLong(line.replaceAll("[^0-9]", "")))
                        .sum()
                / 1024.0;
    }

    private static long dispatched(Server server, String agent) {
        long from = now();
        var run = server.post("/runs", "{\"agent_name\":\"%s\",\"prompt\":\"x\"}".formatted(agent));
        var path = "/runs/" + Json.text(run, "run_id") + "?wait=20s";
        return printed(String.valueOf(Json.text(server.get(path), "result_text"))) - from;
    }

    private static long startedByHand() throws IOException {
        long from = now();
        var process = new ProcessBuilder(COMMAND).start();
        try (var reader = process.inputReader()) {
            return printed(reader.readLine()) - from;
        }
    }

    private static long printed(String nanos) {
        return Long.parseLong(nanos.strip());
    }

    /** Reads the same clock as date. */
    private static long now() {
        var now = java.time.InstantSource.system().instant();
        return now.getEpochSecond() * 1_000_000_000L + now.getNano();
    }
}
