package dev.coppice.operations.look;

import dev.coppice.access.Need;
import dev.coppice.health.Healths;
import dev.coppice.journal.Entry;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.Cursor;
import dev.coppice.operations.Scope;
import dev.coppice.request.Operation;
import dev.coppice.run.Runs;
import dev.coppice.session.Session;
import dev.coppice.session.SessionFilter;
import dev.coppice.session.StateWord;
import dev.coppice.usage.ModelUses;
import dev.coppice.view.Headlines;
import dev.coppice.view.Questions;
import dev.coppice.view.Talk;
import dev.coppice.view.Talk.Turn;
import dev.coppice.wire.look.OutlineCalls.QuestionView;
import dev.coppice.wire.look.TurnCalls;
import dev.coppice.wire.look.TurnCalls.ChildView;
import dev.coppice.wire.look.TurnCalls.Kind;
import dev.coppice.wire.look.TurnCalls.TurnView;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** Shows what was said and done in a session. */
public record TurnOperations(
        Scope scope, Journal journal, Runs runs, ModelUses uses, Healths healths) {
    private static final int ENTRIES_AT_ONCE = 200;

    /** So many entries are read for a page: most of them may only keep account. */
    private static final int ENTRIES_MAX = 2_000;

    /** The results of tools that a page shows are looked for in so many entries behind it. */
    private static final int RETURNS_MAX = 200;

    /** No page is made of more characters of events. */
    private static final long READ_CHARS_MAX = 4_000_000;

    private static final int CHARS_MAX = 1_000_000;

    private static final int USES_MAX = 2_000;

    /** Only the newest children of a session are shown in its conversation. */
    private static final int CHILDREN_MAX = 1_000;

    /** So many of them have cards on one page. */
    private static final int CARDS_MAX = 200;

    private static final Instant EVER = Instant.ofEpochMilli(253_402_300_799_000L);

    public List<Operation<?, ?>> all() {
        return List.of(
                Operation.of(
                        TurnCalls.LIST,
                        Need.READ,
                        (x, in) -> scope.showing(x, in.sessionId(), s -> page(s, in))));
    }

    /** The entries of a page; {@code isWhole} if there are none beyond. */
    private record Found(List<Entry> entries, boolean isWhole) {}

    private TurnCalls.Page page(Session session, TurnCalls.Find in) {
        return in.after() == null ? before(session, in) : after(session, in, in.after());
    }

    private TurnCalls.Page before(Session session, TurnCalls.Find in) {
        long before = in.before() == null ? Long.MAX_VALUE : in.before();
        var found = found(session, in, before, false);
        var all = turns(found.entries(), session);
        int size = fitting(all.reversed(), in.limit());
        var shown = all.subList(all.size() - size, all.size());
        boolean isFirst = found.isWhole() && size == all.size();
        var until = until(session, in.before());
        if (isFirst) {
            var views = views(session, shown, Instant.EPOCH, until);
            return new TurnCalls.Page(views, null, null);
        }
        var first = found.entries().getFirst();
        var from = shown.isEmpty() ? Talk.at(first) : shown.getFirst().at();
        long previous = shown.isEmpty() ? first.number() : shown.getFirst().number();
        return new TurnCalls.Page(views(session, shown, from, until), null, previous);
    }

    /** The time of the event with this number, or of the one after it. */
    private Instant until(Session session, @Nullable Long before) {
        if (before == null) return EVER;
        var at = journal.after(before - 1, Journal.Scope.of(session.id()), 1);
        return at.isEmpty() ? EVER : Talk.at(at.getFirst());
    }

    private TurnCalls.Page after(Session session, TurnCalls.Find in, long after) {
        var found = found(session, in, after, true);
        var all = turns(found.entries(), session);
        int size = fitting(all, in.limit());
        var shown = all.subList(0, size);
        boolean isLast = found.isWhole() && size == all.size();
        var from = until(session, after + 1);
        if (isLast) {
            return new TurnCalls.Page(views(session, shown, from, EVER), null, null);
        }
        long next =
                size < all.size() ? all.get(size).number() - 1 : found.entries().getLast().number();
        var views = views(session, shown, from, until(session, next + 1));
        return new TurnCalls.Page(views, next, null);
    }

    /** Reads entries until enough of them may be turns, or so many that it must do. */
    private Found found(Session session, TurnCalls.Find in, long from, boolean isOnward) {
        var scope = Journal.Scope.of(session.id());
        var all = new ArrayList<Entry>();
        long number = from;
        long telling = 0;
        long chars = 0;
        while (all.size() < ENTRIES_MAX && telling < 3L * in.limit() && chars < READ_CHARS_MAX) {
            var page =
                    isOnward
                            ? journal.after(number, scope, ENTRIES_AT_ONCE)
                            : journal.before(number, scope, ENTRIES_AT_ONCE);
            if (page.isEmpty()) return new Found(all, true);
            telling += page.stream().filter(Talk::mayTell).count();
            chars += page.stream().mapToLong(Talk::size).sum();
            all.addAll(isOnward ? all.size() : 0, page);
            number = isOnward ? page.getLast().number() : page.getFirst().number();
        }
        return new Found(all, false);
    }

    private List<Turn> turns(List<Entry> entries, Session session) {
        var turns = new Talk(id -> runs.find(id).map(run -> run.task().parameters()));
        entries.forEach(turns::read);
        if (!entries.isEmpty()) {
            long last = entries.getLast().number();
            journal.after(last, Journal.Scope.of(session.id()), RETURNS_MAX)
                    .forEach(turns::readReturn);
        }
        return turns.all();
    }

    private static int fitting(List<Turn> turns, int max) {
        int chars = 0;
        int size = 0;
        for (var turn : turns) {
            chars += turn.weight();
            if (size == max || (size > 0 && chars > CHARS_MAX)) break;
            size++;
        }
        return size;
    }

    private List<TurnView> views(Session session, List<Turn> turns, Instant from, Instant until) {
        charge(session, turns, from, until);
        var children = children(session, from, until);
        var views = new ArrayList<TurnView>(turns.size() + children.size());
        int next = 0;
        for (var turn : turns) {
            while (next < children.size() && created(children.get(next)).isBefore(turn.at())) {
                views.add(card(children.get(next++)));
            }
            views.add(turn.view());
        }
        children.subList(next, children.size()).forEach(child -> views.add(card(child)));
        return views;
    }

    private static Instant created(Card card) {
        return card.child().times().created();
    }

    /** A child, and what it asks. */
    private record Card(Session child, @Nullable QuestionView question) {}

    /** Charges what models used to the words and uses of tools that came of it. */
    private void charge(Session session, List<Turn> turns, Instant from, Instant until) {
        if (turns.isEmpty()) return;
        int next = 0;
        for (var use : uses.between(session.id(), from, until, USES_MAX)) {
            while (next < turns.size() - 1
                    && (!turns.get(next).isOfTheAgent()
                            || turns.get(next).at().isBefore(use.from()))) {
                next++;
            }
            turns.get(next).charge(use.tokens(), use.costMicros());
        }
    }

    private List<Card> children(Session session, Instant from, Instant until) {
        var found = new ArrayList<Session>();
        var marks = new SessionFilter.Marks(null, null, null, from);
        var filter =
                new SessionFilter(Set.of(), null, null, session.id(), null, false, null, marks);
        var cursor = Cursor.first(CARDS_MAX);
        for (int seen = 0; seen < CHILDREN_MAX; seen += CARDS_MAX) {
            var page = scope.sessions().list(filter, cursor);
            page.items().stream()
                    .filter(child -> child.times().created().isBefore(until))
                    .forEach(found::add);
            if (page.next() == null) break;
            cursor = new Cursor(page.next(), CARDS_MAX);
        }
        if (found.isEmpty()) return List.of();
        var questions = Questions.open(healths, session.id());
        // The newest come first.
        return found.subList(0, Math.min(CARDS_MAX, found.size())).reversed().stream()
                .map(child -> new Card(child, questions.get(child.id())))
                .toList();
    }

    private TurnView card(Card card) {
        var child = card.child();
        var view =
                new ChildView(
                        child.id().value(),
                        child.name(),
                        StateWord.of(child.state()),
                        new Headlines(healths).of(child, card.question()));
        return new TurnView(
                child.id().value(),
                Kind.CHILD,
                null,
                child.times().created().toString(),
                null,
                "",
                false,
                null,
                null,
                view,
                0,
                0);
    }
}
