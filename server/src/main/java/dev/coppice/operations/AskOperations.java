package dev.coppice.operations;

import dev.coppice.access.Need;
import dev.coppice.ask.Ask;
import dev.coppice.ask.Ask.End;
import dev.coppice.ask.AskPerson;
import dev.coppice.ask.AskPerson.Terms;
import dev.coppice.ask.Asks;
import dev.coppice.ask.StandingAnswer;
import dev.coppice.ask.ToolPattern;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.request.Operation.Commit;
import dev.coppice.session.Session;
import dev.coppice.view.AskViews;
import dev.coppice.wire.session.AskCalls;
import dev.coppice.wire.session.AskCalls.AnswerWord;
import dev.coppice.wire.session.AskCalls.AskView;
import dev.coppice.wire.session.AskCalls.StandingView;
import dev.coppice.word.Verdict;

import java.time.InstantSource;
import java.util.List;

/** Lists and answers the questions of waiting programs, and keeps standing answers. */
public record AskOperations(Scope scope, Asks asks, AskPerson person, InstantSource clock) {

    public List<Operation<?, ?>> all() {
        return List.of(
                Operation.of(AskCalls.LIST, Need.READ, this::list),
                Operation.changing(
                        AskCalls.ANSWER, Need.DECIDE, scope.transactions(), this::answer),
                Operation.of(AskCalls.STANDING, Need.READ, this::listStanding),
                Operation.changing(AskCalls.STAND, Need.DECIDE, scope.transactions(), this::stand),
                Operation.changing(
                        AskCalls.REVOKE, Need.DECIDE, scope.transactions(), this::revoke));
    }

    private Outcome<AskCalls.Page> list(Context x, AskCalls.Find in) {
        return scope.transactions()
                .read(() -> {
                    var named = scope.visible(x, "session_id", in.sessionId());
                    var within = named == null ? x.session() : named;
                    var cursor = Given.cursor(in.page());
                    var page = in.all() ? asks.list(within, cursor) : asks.open(within, cursor);
                    return Outcome.done(
                            new AskCalls.Page(
                                    page.items().stream().map(AskViews::of).toList(), page.next()));
                });
    }

    private Outcome<AskCalls.StandingPage> listStanding(Context x, AskCalls.FindStanding in) {
        return scope.transactions()
                .read(() -> {
                    var named = scope.visible(x, "session_id", in.sessionId());
                    var within = named == null ? x.session() : named;
                    var page = asks.listStanding(within, Given.cursor(in.page()));
                    return Outcome.done(
                            new AskCalls.StandingPage(
                                    page.items().stream().map(this::view).toList(), page.next()));
                });
    }

    private StandingView view(StandingAnswer answer) {
        return AskViews.of(answer, clock.instant());
    }

    private Outcome<Commit<AskView>> answer(Context x, AskCalls.Answer in) {
        return Outcome.done(
                () -> asked(x, in.askId()).then(ask -> answered(x, ask, in)).map(AskViews::of));
    }

    /** Checks everything before anything changes: a refused answer leaves the question open. */
    private Outcome<Ask> answered(Context x, Ask ask, AskCalls.Answer in) {
        boolean isAllowed = in.answer() == AnswerWord.ALLOW;
        var end = isAllowed ? End.ALLOWED : End.DENIED;
        var by = x.who().name();
        var length = in.length();
        if (length == null) {
            if (in.below() != null) throw Given.bad("below", in.below(), "left out without 'for'");
            if (in.match() != null) throw Given.bad("match", in.match(), "left out without 'for'");
            return person.answer(ask, end, by, in.reason());
        }
        var verdict = isAllowed ? Verdict.ALLOW : Verdict.DENY;
        var terms = new Terms(pattern(ask, in), verdict, length.value(), in.reason());
        return top(x, ask, in)
                .then(top ->
                        person.answer(ask, end, by, in.reason())
                                .map(settled -> {
                                    person.stand(top, terms, by);
                                    return settled;
                                }));
    }

    /** The given pattern, which must match the question, or the pattern of exactly its use. */
    private static ToolPattern pattern(Ask ask, AskCalls.Answer in) {
        var given = in.match();
        if (given == null) {
            return ToolPattern.exactly(ask.use())
                    .orElseThrow(() ->
                            Given.bad(
                                    "match",
                                    "",
                                    "given: a star or a line break keeps '%s' from being"
                                                    .formatted(ask.use().subject())
                                            + " a pattern"));
        }
        var pattern = pattern(given);
        if (pattern.matches(ask.use())) return pattern;
        throw Given.bad("match", given, "a pattern that selects the question itself");
    }

    private static ToolPattern pattern(String text) {
        return ToolPattern.of(text).orElseThrow(() -> Given.bad("match", text, ToolPattern.RULE));
    }

    private Outcome<Session> top(Context x, Ask ask, AskCalls.Answer in) {
        var below = in.below() == null ? ask.session().value() : in.below();
        return scope.session(x, Need.DECIDE, below)
                .map(top -> {
                    if (scope.sessions().isWithin(ask.session(), top.id())) return top;
                    throw Given.bad("below", below, "the session that asks, or one above it");
                });
    }

    /** The question, if the caller may decide for its session. */
    private Outcome<Ask> asked(Context x, String id) {
        return asks.find(id)
                .filter(ask -> scope.access().sees(x.caller(), ask.session()))
                .map(ask -> scope.session(x, Need.DECIDE, ask.session().value()).map(_ -> ask))
                .orElseGet(() -> Outcome.refused(new SessionRefusal.AskUnknown(id)));
    }

    private Outcome<Commit<StandingView>> stand(Context x, AskCalls.Stand in) {
        var terms = new Terms(pattern(in.match()), in.answer(), in.length().value(), in.reason());
        return scope.change(
                x,
                Need.DECIDE,
                in.sessionId(),
                top -> Outcome.done(view(person.stand(top, terms, x.who().name()))));
    }

    private Outcome<Commit<StandingView>> revoke(Context x, AskCalls.At in) {
        var id = in.standingAnswerId();
        return Outcome.done(() ->
                asks.findStanding(id)
                        .filter(a -> scope.access().sees(x.caller(), a.session()))
                        .map(a ->
                                scope.session(x, Need.DECIDE, a.session().value())
                                        .map(_ -> view(person.revoke(a, x.who().name()))))
                        .orElseGet(() -> Outcome.refused(new SessionRefusal.AskUnknown(id))));
    }
}
