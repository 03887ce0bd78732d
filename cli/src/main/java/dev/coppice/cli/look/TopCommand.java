package dev.coppice.cli.look;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Screen;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Table;
import dev.coppice.cli.engine.Usage;
import dev.coppice.cli.engine.Width;
import dev.coppice.wire.look.ActivityCalls;
import dev.coppice.wire.look.ActivityCalls.HealthView;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;

/** Shows live sessions, first those that need attention. */
public final class TopCommand implements Command {
    private static final List<String> HEADINGS =
            List.of("", "NAME", "STATE", "TIME", "QUIET", "CPU", "MEM", "TOKENS", "COST", "DOING");

    /** The columns that a narrow terminal omits, the least informative first. */
    private static final List<String> SPARE = List.of("MEM", "CPU", "COST", "TIME", "TOKENS");

    private static final int COLUMNS_WIDE = 110;
    private static final int COLUMNS_PER_SPARE = 12;

    @Override
    public String name() {
        return "top";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Watch what is at work: first what a person should look at",
                List.of("[NAME]"),
                List.of(
                        Option.flag("once", "print it once, as in a pipe"),
                        Option.of("limit", "N", "show at most N sessions (default 100)")),
                """
                With NAME, only that session and all below it. Shows live sessions, and those that
                failed within the last hour, in this order:
                  ?  asks a person    ✗  failed          …  silent for five minutes at work
                  !  a budget is nearly spent, or half of its last steps failed
                CPU is the number of busy processors; QUIET the time since it last said or printed
                something; DOING what its agent said or used last, what it printed, or asks.
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var name = args.wordOrNull(0);
        var find =
                new ActivityCalls.Find(
                        name == null ? null : connection.id(name),
                        args.count("limit", 100),
                        ActivityCalls.FAILED_HOURS);
        if (args.has(Option.JSON)) {
            console.out().println(connection.ask(ActivityCalls.LIST, find).body());
            return Exit.OK;
        }
        if (args.has("once") || !console.isWatched()) {
            console.out().print(screen(connection, find, console));
            return Exit.OK;
        }
        return Screen.watch(console, () -> screen(connection, find, console));
    }

    private static String screen(Connection connection, ActivityCalls.Find find, Console console) {
        var sessions = connection.call(ActivityCalls.LIST, find).sessions();
        if (sessions.isEmpty()) return "Nothing is at work.\n";
        var spare = spare(console.size().columns());
        var now = InstantSource.system().instant();
        var headings = HEADINGS.stream().filter(h -> !spare.contains(h)).toList();
        var rows = new ArrayList<List<String>>();
        for (var session : sessions) rows.add(row(session, spare, now));
        var summary = Width.cut(summary(sessions).strip(), console.size().columns());
        return summary + "\n\n" + Table.of(headings, rows, console);
    }

    private static List<String> spare(int columns) {
        int missing = COLUMNS_WIDE - columns;
        if (missing <= 0) return List.of();
        int count = (missing + COLUMNS_PER_SPARE - 1) / COLUMNS_PER_SPARE;
        return SPARE.subList(0, Math.min(SPARE.size(), count));
    }

    private static String summary(List<HealthView> sessions) {
        var parts = new ArrayList<String>();
        count(sessions, "asks", "ask a person", parts);
        count(sessions, "failed", "failed", parts);
        count(sessions, "silent", "silent", parts);
        count(sessions, "burning", "burning", parts);
        count(sessions, "working", "at work", parts);
        count(sessions, "idle", "idle", parts);
        double cpu = sessions.stream().mapToDouble(s -> s.use().cpuShare()).sum();
        long memory = sessions.stream().mapToLong(s -> s.use().memoryBytes()).sum();
        return "%s; %s CPU, %s%n"
                .formatted(String.join(", ", parts), share(cpu), Shown.size(memory));
    }

    private static void count(
            List<HealthView> sessions, String attention, String said, List<String> parts) {
        long count = sessions.stream().filter(s -> s.attention().equals(attention)).count();
        if (count > 0) parts.add(count + " " + said);
    }

    private static List<String> row(HealthView session, List<String> spare, Instant now) {
        var use = session.use();
        var cells = new ArrayList<String>();
        for (var heading : HEADINGS) {
            if (spare.contains(heading)) continue;
            cells.add(
                    switch (heading) {
                        case "" -> sign(session.attention());
                        case "NAME" -> Shown.clean(session.sessionName());
                        case "STATE" ->
                                Shown.state(
                                        session.attention().equals("asks")
                                                ? "asking"
                                                : session.state());
                        case "TIME" -> age(session, now);
                        case "QUIET" -> Shown.length(Duration.ofMillis(session.silenceMs()));
                        case "CPU" -> use.processes() == 0 ? "" : share(use.cpuShare());
                        case "MEM" -> use.processes() == 0 ? "" : Shown.size(use.memoryBytes());
                        case "TOKENS" ->
                                session.tokens() == 0 ? "" : "%,d".formatted(session.tokens());
                        case "COST" -> cost(session.costMicros());
                        default -> Shown.headline(session.headline());
                    });
        }
        return cells;
    }

    private static String sign(String attention) {
        return switch (attention) {
            case "asks" -> "?";
            case "failed" -> "✗";
            case "silent" -> "…";
            case "burning" -> "!";
            default -> " ";
        };
    }

    private static String age(HealthView session, Instant now) {
        var started = session.startedAt();
        if (started == null) return "";
        var end = session.endedAt() == null ? now : Instant.parse(session.endedAt());
        return Shown.length(Duration.between(Instant.parse(started), end));
    }

    private static String share(double share) {
        return String.format(Locale.ROOT, "%.1f", share);
    }

    private static String cost(long micros) {
        return micros == 0 ? "" : Shown.dollars(micros);
    }
}
