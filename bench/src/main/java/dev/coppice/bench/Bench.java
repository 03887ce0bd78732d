package dev.coppice.bench;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.logging.Level;
import java.util.logging.Logger;

/**
 * Runs benchmarks by name, or all that are not large, three rounds each, and writes their figures
 * into the page. With {@code --flame} it runs one round and draws where the time goes instead.
 */
public final class Bench {
    private static final Map<String, Measure> ALL = new LinkedHashMap<>();

    static {
        ALL.put("dispatch", DispatchBench::run);
        ALL.put("callback", CallbackBench::run);
        ALL.put("stop", StopBench::run);
        ALL.put("claim", ClaimBench::run);
        ALL.put("queue", QueueBench::run);
        ALL.put("sessions", WriteBench::sessions);
        ALL.put("events", WriteBench::events);
        ALL.put("ingest", IngestBench::run);
        ALL.put("hooks", IngestBench::hooks);
        ALL.put("lookups", IngestBench::lookups);
        ALL.put("soak", IngestBench::soak);
        ALL.put("mcp", McpBench::run);
        ALL.put("tree", TreeBench::run);
        ALL.put("dashboard", DashboardBench::run);
        ALL.put("start", StartBench::run);
        ALL.put("commands", CommandsBench::run);
        ALL.put("removal", RemovalBench::run);
        ALL.put("neighbour", NeighbourBench::run);
    }

    /** These benchmarks take longer than all others together, so they run only when named. */
    private static final List<String> LARGE =
            List.of("commands", "queue", "ingest", "lookups", "soak", "removal", "neighbour");

    private static final int ROUNDS = 3;

    /** One round of these takes as long as all rounds of most others. */
    private static final Map<String, Integer> FEWER_ROUNDS =
            Map.of("lookups", 1, "soak", 1, "neighbour", 1);

    private static final String FLAME = "--flame";

    /** Referenced here, because a logger without references is collected and loses its level. */
    private static final Logger WEB_SERVER = Logger.getLogger("org.eclipse.jetty");

    private static final Logger REMOVALS = Logger.getLogger("removal");

    private Bench() {}

    /** One benchmark; records its figures. */
    interface Measure {
        void run(Verdicts verdicts) throws Exception;
    }

    public static void main(String[] args) throws Exception {
        WEB_SERVER.setLevel(Level.WARNING);
        // For as many clients as a benchmark has at once.
        System.setProperty("http.maxConnections", "128");
        // Drops log lines that name every removed session, which would bury the figures.
        REMOVALS.setFilter(record -> record.getThrown() != null);
        var names = new ArrayList<>(List.of(args));
        boolean flame = names.remove(FLAME);
        if (!ALL.keySet().containsAll(names)) {
            names.removeAll(ALL.keySet());
            System.err.println("no benchmark " + names + "; choose from " + ALL.keySet());
            System.exit(2);
        }
        if (names.isEmpty()) {
            names.addAll(ALL.keySet());
            names.removeAll(LARGE);
        }
        boolean isMet = true;
        for (var name : names) {
            var measure = Objects.requireNonNull(ALL.get(name));
            isMet &= flame ? drawn(name, measure) : measured(name, measure);
        }
        System.exit(isMet ? 0 : 1);
    }

    private static boolean measured(String name, Measure measure) throws Exception {
        var verdicts = new Verdicts();
        int rounds = FEWER_ROUNDS.getOrDefault(name, ROUNDS);
        for (int round = 1; round <= rounds; round++) {
            System.out.printf("%n%s, round %d of %d%n", name, round, rounds);
            measure.run(verdicts);
        }
        new Page(Path.of("bench/README.md"), List.copyOf(ALL.keySet())).write(name, verdicts);
        return verdicts.areAllMet();
    }

    private static boolean drawn(String name, Measure measure) throws Exception {
        var verdicts = new Verdicts();
        Flame.record(Path.of("bench/target", name + ".html"), () -> measure.run(verdicts));
        return verdicts.areAllMet();
    }
}
