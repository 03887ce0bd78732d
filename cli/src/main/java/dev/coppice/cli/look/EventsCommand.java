package dev.coppice.cli.look;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Pipe;
import dev.coppice.cli.engine.Usage;
import dev.coppice.client.CoppiceClient;
import dev.coppice.client.Pause;
import dev.coppice.wire.Json;
import dev.coppice.wire.Length;
import dev.coppice.wire.SseFrame;
import dev.coppice.wire.event.Bookkeeping;
import dev.coppice.wire.event.EventCalls;
import dev.coppice.wire.event.EventView;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.List;

/** Prints events from the journal, or as they happen. */
public final class EventsCommand implements Command {
    private static final int PAGE = 1000;
    private static final Duration AGAIN = Duration.ofSeconds(1);

    @Override
    public String name() {
        return "events";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Print the events of a session, or follow all events",
                List.of("[NAME]"),
                List.of(
                        Option.flag("follow", "keep printing new events, until Ctrl-C").as("f"),
                        Option.flag("tree", "include all sessions below"),
                        EventText.ALL,
                        Option.of("type", "TYPES", "only these types, such as message,result"),
                        SearchCommand.WAVE,
                        SearchCommand.TOOL,
                        SearchCommand.STATUS,
                        Option.of("since", "TIME", "only since TIME ago (10m), or a moment (ISO)"),
                        Option.of("after", "NUMBER", "only after the event with this number"),
                        Option.of("limit", "N", "print at most the last N (default 100)")),
                """
                Events that only keep account, as those of callbacks, are left out unless --all or
                --type asks for them; --json has all. Every event has a number; pass the last one
                that you read as --after to continue. With --since or --after, prints all of them.
                Without NAME, follows the events of all sessions until Ctrl-C. --wave, --tool and
                --status select from what is followed; 'coppice search' finds earlier events by
                them.

                  coppice events plan --tree --since 10m --type result,run_failed
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var name = args.wordOrNull(0);
        var now = InstantSource.system().instant();
        var asked =
                new Asked(
                        name == null ? null : connection.id(name),
                        args.has("tree"),
                        SearchCommand.kinds(args),
                        args.number("after"),
                        since(args.value("since"), now),
                        EventText.isWhole(args));
        if (asked.id() == null && asked.since() != null) {
            throw new Args.Invalid("--since requires a NAME; without one, pass --after");
        }
        var kinds = asked.kinds();
        boolean selects = kinds.waveId() != null || kinds.tool() != null || kinds.status() != null;
        if (selects && asked.id() != null && !args.has("follow")) {
            throw new Args.Invalid(
                    "--wave, --tool and --status require --follow; 'coppice search' finds earlier"
                            + " events by them");
        }
        var printer = new Printer(new EventText(connection, now), args, console);
        if (args.has("follow") || asked.id() == null) {
            Pipe.watch(console);
            try {
                follow(connection, asked, printer);
                return Exit.OK;
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                return Exit.INTERRUPTED;
            }
        }
        printer.print(new History(connection, asked).read(args.count("limit", 100)));
        return Exit.OK;
    }

    private static @Nullable Instant since(@Nullable String text, Instant now) {
        if (text == null) return null;
        var ago = Length.read(text);
        if (ago != null) return now.minus(ago);
        try {
            return Instant.parse(text);
        } catch (DateTimeParseException _) {
            throw new Args.Invalid(
                    "--since is '%s'; it must be %s, or a moment such as 2026-01-31T12:00:00Z"
                            .formatted(text, Length.RULE));
        }
    }

    /** Follows across a restart of the coordinator, from the last number that was printed. */
    private static void follow(Connection connection, Asked asked, Printer printer)
            throws InterruptedException {
        Long from = asked.after();
        if (asked.since() != null) from = new History(connection, asked).lastBefore();
        boolean isBroken = true;
        while (isBroken) {
            var follow =
                    new EventCalls.Follow(
                            asked.tree() ? null : asked.id(),
                            asked.tree() ? asked.id() : null,
                            asked.kinds(),
                            from,
                            false);
            try {
                connection.client().follow(EventCalls.FOLLOW, follow, printer::print);
                isBroken = false;
            } catch (CoppiceClient.Unreachable e) {
                var last = printer.last;
                if (last == null) throw e;
                if (!last.equals(from)) printer.sayTryingAgain();
                from = last;
                Pause.of(AGAIN);
            }
        }
    }

    /** The requested events: the session, whether to include its tree, the types, and the start. */
    private record Asked(
            @Nullable String id,
            boolean tree,
            EventCalls.Kinds kinds,
            @Nullable Long after,
            @Nullable Instant since,
            boolean isWhole) {
        boolean fits(EventView event) {
            var types = kinds.types();
            boolean isShown = isWhole || !Bookkeeping.is(event.eventType());
            return isShown
                    && (types == null || types.contains(event.eventType()))
                    && !isTooOld(event);
        }

        boolean isTooOld(EventView event) {
            return since != null && EventText.time(event).isBefore(since);
        }
    }

    /** The events of a session or tree so far, read in pages. */
    private record History(Connection connection, Asked asked) {
        /** All events that fit; without a place to begin, at most the newest {@code max}. */
        List<EventView> read(int max) {
            var after = asked.after();
            if (after != null) return onward(after);
            boolean isBounded = asked.since() == null;
            var found = new ArrayList<EventView>();
            Long before = null;
            do {
                var page = page(null, before);
                for (var event : page.events().reversed()) {
                    if (asked.fits(event)) found.add(event);
                    if (isBounded && found.size() == max) return found.reversed();
                }
                before = page.previous() == null ? null : Long.valueOf(page.previous());
                boolean isPast =
                        !page.events().isEmpty() && asked.isTooOld(page.events().getFirst());
                if (isPast) before = null;
            } while (before != null);
            return found.reversed();
        }

        private List<EventView> onward(long after) {
            var found = new ArrayList<EventView>();
            Long at = after;
            while (at != null) {
                var page = page(at, null);
                page.events().stream().filter(asked::fits).forEach(found::add);
                at = page.next() == null ? null : Long.valueOf(page.next());
            }
            return found;
        }

        /** The number of the newest event that is too old; zero if none is. */
        long lastBefore() {
            Long before = null;
            do {
                var page = page(null, before);
                for (var event : page.events().reversed()) {
                    if (asked.isTooOld(event)) return event.id();
                }
                before = page.previous() == null ? null : Long.valueOf(page.previous());
            } while (before != null);
            return 0;
        }

        private EventCalls.Page page(@Nullable Long after, @Nullable Long before) {
            var find =
                    new EventCalls.Find(
                            String.valueOf(asked.id()), after, before, PAGE, asked.tree());
            return connection.call(EventCalls.LIST, find);
        }
    }

    /** Prints events for people or for programs. */
    private static final class Printer {
        private final EventText text;
        private final Console console;
        private final boolean isJson;
        private final @Nullable Bookkeeping read;
        private @Nullable Long last;

        Printer(EventText text, Args args, Console console) {
            this.text = text;
            this.console = console;
            this.isJson = args.has(Option.JSON);
            this.read = EventText.isWhole(args) ? null : new Bookkeeping();
        }

        private boolean isShown(EventView event) {
            return read == null || !read.hides(event);
        }

        void print(List<EventView> events) {
            if (isJson) {
                var page = new EventCalls.Page(events, null, null, false);
                console.out().println(Json.write(page));
            } else {
                events.stream()
                        .filter(this::isShown)
                        .forEach(event -> console.out().println(text.line(event)));
            }
        }

        void sayTryingAgain() {
            console.err().println("coppice: the event stream broke off; trying again");
        }

        boolean print(SseFrame frame) {
            if (!frame.id().isEmpty()) last = Long.valueOf(frame.id());
            var told = isJson ? null : EventText.told(frame);
            if (told != null && !isShown(told)) return true;
            console.out().println(isJson ? json(frame) : text.line(frame));
            return !console.out().checkError();
        }

        private record Line(String number, String event, JsonNode data) {}

        private static String json(SseFrame frame) {
            return Json.write(new Line(frame.id(), frame.event(), Json.read(frame.data())));
        }
    }
}
