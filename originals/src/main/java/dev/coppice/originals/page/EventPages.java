package dev.coppice.originals.page;

import dev.coppice.access.Need;
import dev.coppice.boot.Ground;
import dev.coppice.hooks.SentText;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.request.Reply;
import dev.coppice.web.Exchange;
import dev.coppice.web.Route;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.stream.Collectors;

/** The paths of the hook server's pages. */
public record EventPages(Ground ground) {
    /** {@code pages} says how pages follow the events. */
    public List<Route> routes(PageStream pages) {
        return List.of(
                new Route(PageCalls.RECENT, Need.READ, this::recent),
                new Route(PageCalls.OPTIONS, Need.READ, this::options),
                new Route(PageCalls.STREAM, Need.READ, x -> stream(x, pages)));
    }

    private Reply stream(Exchange x, PageStream pages) {
        // Check the limit now: an open socket can only be closed without a reason.
        ground.following().followers().checkLimit(x.caller());
        return new Reply.Socket(new StreamTalk(ground, x.caller(), pages));
    }

    private Reply recent(Exchange x) {
        int max = max(x.query("limit"));
        var below = x.caller().session();
        var found =
                ground.scope().transactions().read(() -> ground.observations().recent(below, max));
        var text = found.stream().map(SentText::of).collect(Collectors.joining(",", "[", "]"));
        return new Reply.Text(200, "application/json", text);
    }

    /** Clients send any number, and expect all events for a negative one. */
    private static int max(@Nullable String limit) {
        if (limit == null) return PageCalls.OPTIONS_MAX;
        try {
            int asked = Integer.parseInt(limit);
            return asked < 0 ? PageCalls.RECENT_MAX : Math.min(asked, PageCalls.RECENT_MAX);
        } catch (NumberFormatException _) {
            throw new Rejected(
                    new RequestRefusal.BadValue(
                            "limit", limit, "a whole number up to " + PageCalls.RECENT_MAX));
        }
    }

    private Reply options(Exchange x) {
        var below = x.caller().session();
        var all =
                ground.scope()
                        .transactions()
                        .read(() -> ground.observations().options(below, PageCalls.OPTIONS_MAX));
        return Reply.ok(new PageCalls.Options(all.apps(), all.sessions(), all.types()));
    }
}
