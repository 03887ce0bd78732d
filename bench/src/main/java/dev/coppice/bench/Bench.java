package dev.coppice.bench;

import java.util.LinkedHashMap;
import java.util.Map;
import java.util.logging.Level;
import java.util.logging.Logger;

/** Runs one benchmark by name, or all of them. */
public final class Bench {
    private static final Map<String, Measure> ALL = new LinkedHashMap<>();

    static {
        ALL.put("sessions", SessionsBench::run);
        ALL.put("events", EventsBench::run);
        ALL.put("dispatch", DispatchBench::run);
        ALL.put("callback", CallbackBench::run);
        ALL.put("stop", StopBench::run);
        ALL.put("claim", ClaimBench::run);
        ALL.put("tree", TreeBench::run);
        ALL.put("removal", RemovalBench::run);
        ALL.put("neighbour", NeighbourBench::run);
        ALL.put("start", StartBench::run);
    }

    /** Referenced here, because a logger without references is collected and loses its level. */
    private static final Logger WEB_SERVER = Logger.getLogger("org.eclipse.jetty");

    private static final Logger REMOVALS = Logger.getLogger("removal");

    private Bench() {}

    /** One benchmark; prints its figures. */
    interface Measure {
        void run(Verdicts verdicts) throws Exception;
    }

    public static void main(String[] args) throws Exception {
        WEB_SERVER.setLevel(Level.WARNING);
        // Drops log lines that name every removed session, which would bury the figures.
        REMOVALS.setFilter(record -> record.getThrown() != null);
        var verdicts = new Verdicts();
        for (var name : args.length == 0 ? ALL.keySet().toArray(String[]::new) : args) {
            var measure = ALL.get(name);
            if (measure == null) {
                System.err.println("no benchmark \"" + name + "\"; choose from " + ALL.keySet());
                System.exit(2);
                return;
            }
            System.out.println("\n" + name);
            measure.run(verdicts);
        }
        System.exit(verdicts.areAllMet() ? 0 : 1);
    }
}
