package dev.coppice.cli.look;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Pipe;
import dev.coppice.cli.engine.Usage;
import dev.coppice.client.Pause;
import dev.coppice.wire.Json;
import dev.coppice.wire.event.Bookkeeping;
import dev.coppice.wire.event.EventCalls;
import dev.coppice.wire.event.EventView;

import org.jspecify.annotations.Nullable;

import java.math.BigDecimal;
import java.math.RoundingMode;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;

/** Plays the events of a tree as they happened. */
public final class ReplayCommand implements Command {
    private static final int PAGE = 500;
    private static final BigDecimal SPEED = BigDecimal.TEN;
    private static final BigDecimal SPEED_MAX = BigDecimal.valueOf(1_000_000);

    @Override
    public String name() {
        return "replay";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Play the events of a tree as they happened",
                List.of("NAME"),
                List.of(
                        Option.of("speed", "N", "N times as fast (default 10); 0 does not wait"),
                        Option.of("from", "NUMBER", "begin with the event of this number"),
                        Option.of("to", "NUMBER", "end with the event of this number"),
                        Option.of("longest", "TIME", "wait at most TIME (default 3s)"),
                        EventText.ALL,
                        Option.flag("alone", "leave out the sessions below")),
                "  coppice replay plan --speed 60 --from 1200\n");
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var id = connection.id(args.word(0));
        var pace = new Pace(speed(args), longest(args));
        var from = args.number("from");
        var to = args.number("to");
        var text = new EventText(connection, InstantSource.system().instant());
        var read = EventText.isWhole(args) ? null : new Bookkeeping();
        Pipe.watch(console);
        long at = from == null ? 0 : Math.max(0, from - 1);
        try {
            while (true) {
                var find = new EventCalls.Find(id, at, null, PAGE, !args.has("alone"));
                var page = connection.call(EventCalls.LIST, find).events();
                if (page.isEmpty()) return Exit.OK;
                for (var event : page) {
                    if (to != null && event.id() > to) return Exit.OK;
                    if (read != null && read.hides(event)) continue;
                    pace.before(event);
                    console.out()
                            .println(args.has(Option.JSON) ? Json.write(event) : text.line(event));
                    if (console.out().checkError()) return Exit.OK;
                }
                at = page.getLast().id();
            }
        } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
            return Exit.INTERRUPTED;
        }
    }

    private static BigDecimal speed(Args args) {
        var speed = args.decimal("speed");
        if (speed == null) return SPEED;
        if (speed.signum() >= 0 && speed.compareTo(SPEED_MAX) <= 0) return speed;
        throw new Args.Invalid(
                "--speed is '%s'; it must be a number from 0 to %s".formatted(speed, SPEED_MAX));
    }

    private static Duration longest(Args args) {
        var length = args.length("longest");
        return length == null ? Duration.ofSeconds(3) : length.value();
    }

    /** Waits between events. Their times may jump, in both directions. */
    private static final class Pace {
        private final BigDecimal speed;
        private final Duration longest;
        private @Nullable Instant last;

        Pace(BigDecimal speed, Duration longest) {
            this.speed = speed;
            this.longest = longest;
        }

        void before(EventView event) throws InterruptedException {
            var now = EventText.time(event);
            var before = last;
            last = now;
            if (before == null || speed.signum() == 0 || !now.isAfter(before)) return;
            var millis =
                    BigDecimal.valueOf(Duration.between(before, now).toMillis())
                            .divide(speed, RoundingMode.HALF_UP)
                            .min(BigDecimal.valueOf(longest.toMillis()));
            var wait = Duration.ofMillis(millis.longValue());
            if (wait.isPositive()) Pause.of(wait);
        }
    }
}
