package dev.coppice.ask;

import dev.coppice.ask.Ask.End;
import dev.coppice.ask.Ask.Settled;
import dev.coppice.journal.Fact;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.Ids;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.kernel.Signals;
import dev.coppice.kernel.Topic;
import dev.coppice.kernel.Transactions;
import dev.coppice.session.Limits;
import dev.coppice.session.Session;
import dev.coppice.session.TreeQuota;
import dev.coppice.word.Verdict;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Locale;
import java.util.Optional;

/** Opens and settles the questions of programs, and keeps standing answers. */
public record AskPerson(
        Transactions transactions,
        Asks asks,
        Journal journal,
        Signals signals,
        Ids ids,
        InstantSource clock,
        TreeQuota room) {
    private static final int AT_ONCE = 200;

    /** Each open question holds a connection, and no other limit counts these connections. */
    private static final int OPEN_MAX = 1_000;

    private static final int OPEN_OF_SESSION_MAX = 32;
    private static final int OPEN_OF_TREE_MAX = 200;

    /** The request that holds a question settles it at its deadline; the sweep waits this long. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    private static final String NOBODY = "nobody";

    /** The time that a program waits, and its answer if no decision comes in time. */
    public record Patience(Duration length, Ask.Otherwise otherwise) {}

    /** Opens a question; empty if too many are open. Joins the current transaction. */
    public Optional<Ask> open(Session session, long event, ToolUse use, Patience patience) {
        var count = asks.countOpen(session.id());
        if (count.ofSession() >= OPEN_OF_SESSION_MAX
                || count.ofTree() >= OPEN_OF_TREE_MAX
                || count.ofAll() >= OPEN_MAX) {
            return Optional.empty();
        }
        var now = clock.instant();
        var ask =
                new Ask(
                        "ask_" + ids.twelveHex(),
                        session.id(),
                        session.name(),
                        event,
                        use,
                        now,
                        now.plus(patience.length()),
                        patience.otherwise(),
                        null);
        asks.add(ask);
        var fact = new Fact.QuestionHeld(ask.id(), event, use.tool(), ask.until().toString());
        journal.append(session.id(), null, fact, now);
        return Optional.of(ask);
    }

    /** Records that a standing answer has decided. Joins the current transaction. */
    public void used(StandingAnswer answer) {
        asks.used(answer, clock.instant());
    }

    /** Records a denial in the journal if the tree has room. Joins the current transaction. */
    public void denied(Session session, ToolUse use, String why, @Nullable StandingAnswer by) {
        if (room.forbids(session.id(), Limits.Kind.EVENT_BYTES, 1).isPresent()) return;
        var fact = new Fact.ToolDenied(use.tool(), why, by == null ? null : by.id());
        journal.append(session.id(), null, fact, clock.instant());
    }

    /** Settles a question with a person's answer. Joins the current transaction. */
    public Outcome<Ask> answer(Ask ask, End end, String by, @Nullable String reason) {
        var settled = ask.settled();
        if (settled != null) {
            return Outcome.refused(new SessionRefusal.AskIsSettled(ask.id(), word(settled.end())));
        }
        return settle(ask, end, by, reason)
                .<Outcome<Ask>>map(Outcome::done)
                .orElseGet(() ->
                        Outcome.refused(new SessionRefusal.AskIsSettled(ask.id(), "settled")));
    }

    /** Settles a question whose time is over, or whose program closed the connection. */
    public void giveUp(String id, End end) {
        transactions.write(() -> asks.find(id).flatMap(ask -> settle(ask, end, NOBODY, null)));
    }

    private Optional<Ask> settle(Ask ask, End end, String by, @Nullable String reason) {
        var settled = ask.with(new Settled(end, by, reason, null, clock.instant()));
        if (!asks.settle(settled)) return Optional.empty();
        tell(settled);
        return Optional.of(settled);
    }

    private void tell(Ask ask) {
        var end = ask.settled();
        if (end == null) return;
        var fact =
                new Fact.QuestionSettled(
                        ask.id(), word(end.end()), end.by(), end.reason(), end.standing());
        journal.append(ask.session(), null, fact, end.at());
        signals.raise(new Topic.AskSettled(ask.id()));
    }

    private static String word(Enum<?> constant) {
        return constant.name().toLowerCase(Locale.ROOT);
    }

    /** Settles questions whose request is gone; returns how many. */
    public int sweep() {
        var moment = clock.instant().minus(GRACE);
        if (transactions.read(() -> asks.overdue(moment, 1)).isEmpty()) return 0;
        return transactions.write(() -> {
            var overdue = asks.overdue(moment, AT_ONCE);
            for (var ask : overdue) settle(ask, End.UNANSWERED, NOBODY, null);
            return overdue.size();
        });
    }

    /** Settles the questions of an earlier process, whose connections are closed. */
    public int withdrawAll() {
        var end = new Settled(End.WITHDRAWN, NOBODY, null, null, clock.instant());
        return transactions.write(() -> asks.withdrawAll(end));
    }

    public record Terms(
            ToolPattern pattern, Verdict verdict, Duration length, @Nullable String reason) {}

    /**
     * Adds a standing answer, and settles the open questions that it decides. Joins the current
     * transaction.
     */
    public StandingAnswer stand(Session top, Terms terms, String by) {
        var now = clock.instant();
        var answer =
                new StandingAnswer(
                        "sta_" + ids.twelveHex(),
                        top.id(),
                        top.name(),
                        terms.pattern(),
                        terms.verdict(),
                        terms.reason(),
                        by,
                        now,
                        now.plus(terms.length()),
                        null,
                        StandingAnswer.Used.NEVER);
        asks.add(answer);
        tell(answer, "made", by, now);
        if (answer.verdict() != Verdict.ASK) answerOpen(answer, by);
        return asks.findStanding(answer.id()).orElse(answer);
    }

    private void answerOpen(StandingAnswer answer, String by) {
        var end = answer.verdict() == Verdict.ALLOW ? End.ALLOWED : End.DENIED;
        var open = asks.open(answer.session(), Cursor.first(OPEN_MAX));
        while (true) {
            for (var ask : open.items()) {
                if (!decides(answer, ask)) continue;
                var settled = new Settled(end, by, answer.reason(), answer.id(), clock.instant());
                if (!asks.settle(ask.with(settled))) continue;
                tell(ask.with(settled));
                used(answer);
            }
            // A page may end early because of its size.
            if (open.next() == null) return;
            open = asks.open(answer.session(), new Cursor(open.next(), OPEN_MAX));
        }
    }

    private boolean decides(StandingAnswer answer, Ask ask) {
        var above = asks.above(ask.session(), clock.instant());
        return StandingAnswer.deciding(above, ask.use())
                .filter(one -> one.id().equals(answer.id()))
                .isPresent();
    }

    /** Joins the current transaction. */
    public StandingAnswer revoke(StandingAnswer answer, String by) {
        var now = clock.instant();
        if (answer.revoked() != null) return answer;
        asks.revoke(answer, new StandingAnswer.Revoked(by, now));
        tell(answer, "revoked", by, now);
        return asks.findStanding(answer.id()).orElse(answer);
    }

    private void tell(StandingAnswer answer, String what, String by, Instant at) {
        var fact =
                new Fact.StandingAnswerMoved(
                        answer.id(),
                        what,
                        answer.pattern().toString(),
                        word(answer.verdict()),
                        by,
                        answer.until().toString());
        journal.append(answer.session(), null, fact, at);
    }
}
