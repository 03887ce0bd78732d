package dev.coppice.cli.machine;

import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.OnInterrupt;
import dev.coppice.cli.engine.Shown;
import dev.coppice.wire.Call;
import dev.coppice.wire.Length;
import dev.coppice.wire.Paging;
import dev.coppice.wire.Patience;
import dev.coppice.wire.fleet.DrainCalls;
import dev.coppice.wire.run.RunCalls;
import dev.coppice.wire.run.RunView;

import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/** Waits until the last live run of a coordinator has ended, while it starts no others. */
final class LiveRuns {
    /** How long to wait unless the command line says otherwise. */
    static final Duration PATIENCE = Duration.ofMinutes(10);

    /** The coordinator starts nothing for so long after the wait: its end takes a moment. */
    private static final Duration AFTER = Duration.ofMinutes(1);

    private static final List<String> LIVE = List.of("claimed", "running", "stopping");
    private static final int NAMED_MAX = 10;
    private final Connection connection;
    private final Console console;

    LiveRuns(Connection connection, Console console) {
        this.connection = connection;
        this.console = console;
    }

    /** True if none is live; otherwise they have been named, and runs start again. */
    boolean haveEndedWithin(Duration patience) {
        long until = System.nanoTime() + patience.toNanos();
        var length = new Length(patience.plus(AFTER));
        connection.call(DrainCalls.DRAIN, new DrainCalls.Drain(length));
        boolean isOver = false;
        try (var _ = OnInterrupt.say(console, this::ended)) {
            var told = "";
            while (true) {
                var live = live();
                if (live.isEmpty()) {
                    isOver = true;
                    return true;
                }
                var left = Duration.ofNanos(until - System.nanoTime());
                var names = names(live);
                if (!left.isPositive()) {
                    console.err().println("coppice: still at work: %s".formatted(names));
                    return false;
                }
                if (!names.equals(told)) console.err().println("waiting for " + names);
                told = names;
                connection.call(
                        RunCalls.READ, new RunCalls.Await(live.getFirst().runId(), patience(left)));
            }
        } finally {
            if (!isOver) console.err().println(ended());
        }
    }

    private static Patience patience(Duration left) {
        var most = Connection.PATIENCE.orZero();
        return left.compareTo(most) < 0 ? Patience.of(left) : Connection.PATIENCE;
    }

    private String ended() {
        connection.call(DrainCalls.END, new Call.Nothing());
        return "coppice: the coordinator starts runs again; 'coppice down' stops it at once";
    }

    private List<RunView> live() {
        var find = new RunCalls.Find(LIVE, null, null, Paging.FIRST);
        return connection.call(RunCalls.LIST, find).runs();
    }

    private static String names(List<RunView> live) {
        var named =
                live.stream()
                        .limit(NAMED_MAX)
                        .map(run -> Shown.clean(run.sessionName()))
                        .collect(Collectors.joining(", "));
        int more = live.size() - NAMED_MAX;
        return more > 0 ? "%s and %d more".formatted(named, more) : named;
    }
}
