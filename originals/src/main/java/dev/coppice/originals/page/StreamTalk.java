package dev.coppice.originals.page;

import dev.coppice.access.Caller;
import dev.coppice.boot.Ground;
import dev.coppice.follow.Follower;
import dev.coppice.follow.Followers;
import dev.coppice.follow.Item;
import dev.coppice.hooks.SentText;
import dev.coppice.journal.Fact;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.Bounds;
import dev.coppice.observe.Observations.Sent;
import dev.coppice.request.Reply;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.stream.Collectors;

/**
 * One page that follows the events. First it gets the newest ones, then each further one, and an
 * event again when a person answers it: nothing twice and nothing left out in between.
 */
final class StreamTalk implements Reply.Talk {
    private static final Duration HEARTBEAT = Duration.ofSeconds(15);

    /** The interval of checks that the page is connected and its token valid. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final Ground ground;
    private final Caller caller;
    private final Tidings tidings;
    private final PageStream stream;

    /** The newest events and the number up to which they are complete. */
    private record Beginning(long head, List<Sent> newest) {}

    StreamTalk(Ground ground, Caller caller, PageStream stream) {
        this.ground = ground;
        this.caller = caller;
        this.tidings = stream.tidings().apply(caller);
        this.stream = stream;
    }

    @Override
    public void over(Reply.Line line) throws IOException, InterruptedException {
        var all = Journal.Scope.ALL;
        var following = ground.following();
        try (var place = following.followers().enter(caller);
                var follower =
                        Follower.of(following.tail(), place, caller, all, following.validity())) {
            var page = new Page(line, place);
            follower.from(begin(line, place), page);
            while (line.isOpen() && follower.isOpen()) {
                follower.next(LOOK, page);
                page.beat();
            }
        }
    }

    /** Sends the newest events, and returns the number up to which they are complete. */
    private long begin(Reply.Line line, Followers.Place place)
            throws IOException, InterruptedException {
        try (var held = place.holdPage()) {
            if (!line.isOpen()) throw new IOException("the page has disconnected");
            var beginning = ground.scope().transactions().read(this::beginning);
            var text = initial(beginning.newest()).getBytes(StandardCharsets.UTF_8);
            held.shrinkTo(text.length);
            line.send(text);
            for (var more : tidings.first()) line.send(more);
            return beginning.head();
        }
    }

    /** The two reads may see different states: newer events follow after the number. */
    private Beginning beginning() {
        var observations = ground.observations();
        long head = observations.head();
        var newest = observations.recent(caller.session(), stream.newestMax());
        return new Beginning(head, newest.stream().filter(e -> e.number() <= head).toList());
    }

    private String initial(List<Sent> newest) {
        var list = stream.order() == PageStream.Order.NEWEST_FIRST ? newest.reversed() : newest;
        return list.stream()
                .map(SentText::of)
                .collect(Collectors.joining(",", "{\"type\":\"initial\",\"data\":[", "]}"));
    }

    /** Sends events to the page, and a heartbeat while there are none. */
    private final class Page implements Follower.Face {
        private final Reply.Line line;
        private final Followers.Place place;
        private long beat = System.nanoTime();

        Page(Reply.Line line, Followers.Place place) {
            this.line = line;
            this.place = place;
        }

        @Override
        public boolean isThere() {
            return line.isOpen();
        }

        @Override
        public void send(Item item) throws IOException, InterruptedException {
            if (item.entry().fact() instanceof Fact.EventAnswered(var number)) {
                answered(number);
            } else {
                send(item.as(PageEvent.FORM));
            }
        }

        /** An answer is rare, and its event may be large and old: each page reads it. */
        private void answered(long number) throws IOException, InterruptedException {
            try (var _ = place.hold(2L * Bounds.EVENT_BYTES_MAX)) {
                var event =
                        ground.scope()
                                .transactions()
                                .read(() -> ground.observations().find(number));
                if (event.isPresent()) send(PageEvent.of(event.get()));
            }
        }

        private void send(PageEvent told) throws IOException, InterruptedException {
            var event = told.event();
            if (event == null) return;
            line.send(told.text());
            for (var more : tidings.after(event)) line.send(more);
            beat = System.nanoTime();
        }

        void beat() throws IOException, InterruptedException {
            if (System.nanoTime() - beat <= HEARTBEAT.toNanos()) return;
            line.ping();
            beat = System.nanoTime();
        }
    }

    @Override
    public @Nullable String answer(String text) {
        return text.contains("\"ping\"") ? "{\"type\":\"pong\"}" : tidings.answer(text);
    }
}
