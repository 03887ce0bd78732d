package dev.coppice.operations;

import dev.coppice.journal.Entry;
import dev.coppice.journal.EventIndex;
import dev.coppice.journal.EventIndex.Hit;
import dev.coppice.journal.Journal;
import dev.coppice.journal.SearchText;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.SessionId;
import dev.coppice.request.Context;
import dev.coppice.view.Events;
import dev.coppice.wire.event.EventCalls;

import java.util.List;
import java.util.Optional;

/** Finds events of any session that the caller may see. */
record FindEvents(Scope scope, Journal journal, EventIndex index) {

    Outcome<EventCalls.Found> find(Context x, EventCalls.Search in) {
        return scope.transactions().read(() -> Outcome.done(found(in, search(x, in))));
    }

    private EventIndex.Search search(Context x, EventCalls.Search in) {
        var text = SearchText.of(in.text() == null ? "" : in.text());
        var kinds = in.kinds();
        var search =
                new EventIndex.Search(
                        sessions(x, in),
                        kinds.waveId(),
                        text,
                        kinds.types() == null ? List.of() : kinds.types(),
                        kinds.tool(),
                        kinds.status());
        if (!text.isBounded()) {
            var rule =
                    "at most %d terms, of words of at most %d characters"
                            .formatted(SearchText.TERMS_MAX, SearchText.WORD_CHARS_MAX);
            throw Given.bad("text", String.valueOf(in.text()), rule);
        }
        if (in.text() != null && !text.isPositive()) {
            throw Given.bad("text", in.text(), "at least one word that must occur");
        }
        return search;
    }

    /** The sessions to search. A caller that is confined to a session searches only below it. */
    private Journal.Scope sessions(Context x, EventCalls.Search in) {
        var one = scope.visible(x, "session_id", in.sessionId());
        var below = scope.visible(x, "subtree", in.subtree());
        if (one != null && below != null) {
            throw Given.bad("subtree", below.value(), "absent if session_id is given");
        }
        SessionId top = one == null && below == null ? x.session() : below;
        return new Journal.Scope(one, top);
    }

    private EventCalls.Found found(EventCalls.Search in, EventIndex.Search search) {
        var after = in.after();
        var before = in.before();
        long from = after != null ? after : before == null ? Long.MAX_VALUE : before;
        var page = new EventIndex.Page(from, after == null, in.limit());
        var found = search.needsIndex() ? index.find(page, search) : all(page, search.scope());
        var next = found.next();
        return new EventCalls.Found(
                found.hits().stream().map(FindEvents::view).flatMap(Optional::stream).toList(),
                next == null ? null : next.toString(),
                index.reached());
    }

    /** Lists all events, for a search without a condition. They have no matching text. */
    private EventIndex.Found all(EventIndex.Page page, Journal.Scope within) {
        var entries = entries(page, within);
        var last = entries.isEmpty() ? null : entries.getLast().number();
        boolean isMore =
                last != null
                        && !entries(new EventIndex.Page(last, page.isBefore(), 1), within)
                                .isEmpty();
        return new EventIndex.Found(
                entries.stream()
                        .map(e -> new Hit(e, null, null, new EventIndex.Excerpt("", List.of())))
                        .toList(),
                isMore ? last : null);
    }

    private List<Entry> entries(EventIndex.Page page, Journal.Scope within) {
        return page.isBefore()
                ? journal.before(page.number(), within, page.max()).reversed()
                : journal.after(page.number(), within, page.max());
    }

    private static Optional<EventCalls.Hit> view(Hit hit) {
        return Events.row(hit.entry())
                .map(event ->
                        new EventCalls.Hit(
                                event,
                                hit.tool(),
                                hit.ending(),
                                hit.excerpt().text(),
                                hit.excerpt().matches().stream()
                                        .map(m -> List.of(m.from(), m.to()))
                                        .toList()));
    }
}
