package dev.coppice.view;

import dev.coppice.ask.Ask;
import dev.coppice.ask.StandingAnswer;
import dev.coppice.ask.ToolPattern;
import dev.coppice.wire.session.AskCalls.AskView;
import dev.coppice.wire.session.AskCalls.StandingView;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/** Questions of waiting programs, and standing answers. */
public final class AskViews {
    private AskViews() {}

    public static AskView of(Ask ask) {
        var end = ask.settled();
        return new AskView(
                ask.id(),
                ask.session().value(),
                ask.sessionName(),
                ask.event(),
                ask.use().tool(),
                ask.use().subject(),
                ToolPattern.exactly(ask.use()).map(ToolPattern::toString).orElse(null),
                end == null ? "open" : Views.word(end.end()),
                ask.asked().toString(),
                ask.until().toString(),
                Views.word(ask.otherwise()),
                end == null ? null : end.by(),
                end == null ? null : end.reason(),
                end == null ? null : end.standing(),
                end == null ? null : end.at().toString());
    }

    public static StandingView of(StandingAnswer answer, Instant now) {
        var revoked = answer.revoked();
        return new StandingView(
                answer.id(),
                answer.session().value(),
                answer.sessionName(),
                answer.pattern().toString(),
                Views.word(answer.verdict()),
                answer.reason(),
                revoked != null ? "revoked" : answer.holds(now) ? "holds" : "over",
                answer.madeBy(),
                answer.made().toString(),
                answer.until().toString(),
                revoked == null ? null : revoked.by(),
                revoked == null ? null : revoked.at().toString(),
                answer.used().times(),
                textOf(answer.used().last()));
    }

    private static @Nullable String textOf(@Nullable Instant time) {
        return time == null ? null : time.toString();
    }
}
