package dev.coppice.view;

import dev.coppice.health.Healths;
import dev.coppice.health.LastWords;
import dev.coppice.session.Session;
import dev.coppice.session.SessionState;
import dev.coppice.session.StateWord;
import dev.coppice.wire.Json;
import dev.coppice.wire.event.Saying;
import dev.coppice.wire.event.Sentence;
import dev.coppice.wire.look.OutlineCalls.QuestionView;
import dev.coppice.wire.session.HeadlineView;
import dev.coppice.wire.session.HeadlineView.Kind;

import org.jspecify.annotations.Nullable;

import java.time.Instant;

/** Makes headlines: the line that says what a session does, or how it ended. */
public record Headlines(Healths healths) {
    /** The headline of a session with its open question. Joins the current transaction. */
    public @Nullable HeadlineView of(Session session, @Nullable QuestionView question) {
        var since = session.state().since();
        return switch (session.state()) {
            case SessionState.Finished _ -> finished(healths.lastWords(session.id()), since);
            case SessionState.Stopped(_, var why) -> view(Kind.STOPPED, Sentence.line(why), since);
            case SessionState.Ended ended -> view(Kind.FAILED, failure(ended), since);
            case SessionState live when question == null ->
                    live(live, healths.lastWords(session.id()));
            default ->
                    new HeadlineView(Kind.ASKS, Sentence.line(question.text()), question.askedAt());
        };
    }

    /** Programs say in their last line what went wrong. */
    private static String failure(SessionState.Ended ended) {
        var last = Sentence.lastLine(ended.reason());
        return last.isEmpty() ? StateWord.of(ended).replace('_', ' ') : last;
    }

    private static @Nullable HeadlineView finished(LastWords words, Instant since) {
        var said = newest(words, Saying.Kind.SAYS);
        var result = words.result();
        if (result == null || result.isBlank()) return said;
        // Without words of an agent, the result is what its program printed.
        var line = said == null ? Sentence.lastLine(result) : Sentence.last(result);
        return line.isEmpty() ? said : view(Kind.RESULT, line, since);
    }

    private static @Nullable HeadlineView live(SessionState state, LastWords words) {
        var said = newest(words, null);
        var printed = words.printed();
        if (printed != null && isNewer(printed.at(), said)) {
            return view(Kind.PRINTS, Sentence.lastLine(printed.line()), printed.at());
        }
        if (said != null || !(state instanceof SessionState.Pending)) return said;
        return view(Kind.WAITS, "waits for a runner", state.since());
    }

    private static boolean isNewer(Instant at, @Nullable HeadlineView than) {
        return than == null || at.isAfter(Instant.parse(than.at()));
    }

    /** Returns the headline of the newest telling event, of this kind if one is given. */
    private static @Nullable HeadlineView newest(LastWords words, Saying.@Nullable Kind kind) {
        for (var sent : words.events()) {
            var body = Json.valueOf(sent.body().value());
            var saying = body == null ? null : Saying.of(sent.type(), body).orElse(null);
            if (saying == null || (kind != null && kind != saying.kind())) continue;
            var line = line(saying);
            if (!line.isEmpty()) return view(word(saying.kind()), line, sent.at());
        }
        return null;
    }

    private static String line(Saying saying) {
        return switch (saying.kind()) {
            case SAYS -> Sentence.last(saying.text());
            case DOES -> Sentence.line(saying.text());
            case TOLD -> Sentence.firstLine(saying.text());
            case FAILED -> Sentence.lastLine(saying.text());
        };
    }

    private static Kind word(Saying.Kind kind) {
        return switch (kind) {
            case SAYS -> Kind.SAYS;
            case DOES -> Kind.DOES;
            case TOLD -> Kind.TOLD;
            case FAILED -> Kind.FAILED;
        };
    }

    private static HeadlineView view(Kind kind, String text, Instant at) {
        return new HeadlineView(kind, text, at.toString());
    }
}
