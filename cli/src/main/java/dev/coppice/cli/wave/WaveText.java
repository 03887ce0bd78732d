package dev.coppice.cli.wave;

import static java.util.stream.Collectors.joining;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Table;
import dev.coppice.client.Refused;
import dev.coppice.wire.Patience;
import dev.coppice.wire.wave.WaveCalls;
import dev.coppice.wire.wave.WaveCalls.MemberView;
import dev.coppice.wire.wave.WaveCalls.WaveView;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** Waves as text, and the wait for their end. */
final class WaveText {
    /** The longest wait of one request. */
    private static final Duration AT_MOST = Duration.ofDays(1);

    private WaveText() {}

    /** A wave, as JSON or as text. */
    static void print(JsonNode body, WaveView wave, Args args, Console console) {
        console.out().print(args.has(Option.JSON) ? body + "\n" : text(wave, console));
    }

    private static String text(WaveView wave, Console console) {
        var text = new StringBuilder();
        text.append(
                "%s  %s  %s  %s%n"
                        .formatted(
                                Shown.clean(wave.name()),
                                wave.waveId(),
                                state(wave.state()),
                                progress(wave)));
        if (wave.startedAt() != null) text.append(figures(wave)).append('\n');
        if (!wave.phases().isEmpty() && wave.startedAt() != null) {
            text.append("  phases: ")
                    .append(wave.phases().stream().map(WaveText::phase).collect(joining(", ")))
                    .append('\n');
        }
        if (wave.members().isEmpty()) return text.toString();
        var rows = new ArrayList<List<String>>();
        for (var member : wave.members()) rows.add(row(member));
        text.append('\n');
        text.append(Table.of(List.of("MEMBER", "STATE", "TIME", "SESSION", "NOTE"), rows, console));
        return text.toString();
    }

    private static String phase(WaveCalls.PhaseView phase) {
        return "%s %s %d/%d"
                .formatted(
                        Shown.clean(phase.name()),
                        phase.state(),
                        over(phase.counts()),
                        phase.counts().total());
    }

    /** The figures of a wave: its time, its work, and its critical path or slowest member. */
    private static String figures(WaveView wave) {
        var text = new StringBuilder();
        text.append(
                "  %s since the start, %s of work, %.1f at once (%d %% of the peak of %d)"
                        .formatted(
                                length(wave.wallMs()),
                                length(wave.workMs()),
                                wave.speedup(),
                                Math.round(wave.efficiency() * 100),
                                wave.peak()));
        if (wave.tokens() > 0) {
            text.append(", %,d tokens".formatted(wave.tokens()));
        }
        if (wave.costMicros() > 0) {
            text.append(", ").append(Shown.dollars(wave.costMicros()));
        }
        if (wave.criticalPath().size() > 1) {
            var names = wave.criticalPath().stream().map(t -> Shown.clean(t.name())).toList();
            long sum = wave.criticalPath().stream().mapToLong(WaveCalls.TimedView::ms).sum();
            text.append(
                    "%n  critical path: %s (%s)".formatted(String.join(" → ", names), length(sum)));
        } else if (wave.slowest() != null) {
            text.append(
                    "%n  slowest: %s (%s)"
                            .formatted(
                                    Shown.clean(wave.slowest().name()),
                                    length(wave.slowest().ms())));
        }
        return text.toString();
    }

    static String progress(WaveView wave) {
        if (wave.state().equals("planned")) return wave.counts().total() + " members";
        return "%d of %d over".formatted(over(wave.counts()), wave.counts().total());
    }

    private static int over(WaveCalls.CountsView counts) {
        return counts.total() - counts.waiting() - counts.busy();
    }

    static String state(String state) {
        return switch (state) {
            case "empty", "planned" -> state;
            default -> Shown.state(state);
        };
    }

    static String length(long ms) {
        return Shown.length(Duration.ofMillis(ms));
    }

    private static List<String> row(MemberView member) {
        var needs = new ArrayList<String>();
        if (member.below() != null) needs.add("below " + member.below());
        if (!member.after().isEmpty()) needs.add("after " + String.join(", ", member.after()));
        boolean isTelling = member.reason() != null && !member.state().equals("finished");
        return List.of(
                "  ".repeat(member.level()) + Shown.clean(member.name()),
                Shown.state(member.state()),
                member.startedAt() == null ? "" : length(member.ms()),
                Shown.clean(member.sessionName()),
                Shown.clean(isTelling ? Shown.line(member.reason()) : String.join("; ", needs)));
    }

    /** Waits until the wave is over or the time is up, and prints it. */
    static Exit await(Connection connection, String id, Args args, Console console) {
        var timeout = args.length("timeout");
        long from = System.nanoTime();
        while (true) {
            var left =
                    timeout == null
                            ? AT_MOST
                            : timeout.value().minusNanos(System.nanoTime() - from);
            boolean isLate = left.isNegative() || left.isZero();
            var patience = isLate ? Duration.ZERO : left.compareTo(AT_MOST) > 0 ? AT_MOST : left;
            var await = new WaveCalls.Await(id, Patience.of(patience));
            var answer = connection.client().callPatiently(WaveCalls.READ, await);
            if (!answer.isGood()) throw new Refused(answer.problem());
            var wave = answer.value();
            boolean isOver = !wave.state().equals("running");
            if (!isOver && !isLate) continue;
            print(answer.body(), wave, args, console);
            if (wave.state().equals("empty")) return Exit.OK;
            return isOver ? Exit.ofRun(wave.state()) : Exit.LATE;
        }
    }
}
