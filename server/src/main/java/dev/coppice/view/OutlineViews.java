package dev.coppice.view;

import dev.coppice.kernel.SessionId;
import dev.coppice.outline.Line;
import dev.coppice.outline.Tally;
import dev.coppice.session.Session;
import dev.coppice.wire.look.OutlineCalls.QuestionView;
import dev.coppice.wire.look.OutlineCalls.RowView;
import dev.coppice.wire.look.OutlineCalls.TallyView;

import org.jspecify.annotations.Nullable;

import java.util.Map;
import java.util.function.Function;

/** The rows of outlines as the wire shows them. */
public record OutlineViews(
        Function<SessionId, @Nullable Session> sessions,
        Headlines headlines,
        Map<SessionId, QuestionView> questions) {
    public RowView row(Line line) {
        return switch (line) {
            case Line.OfSession of -> {
                var session = sessions.apply(of.node().id());
                var question = questions.get(of.node().id());
                yield new RowView(
                        of.node().id().value(),
                        of.level(),
                        of.place(),
                        of.siblings(),
                        Views.word(of.openness()),
                        of.children(),
                        tally(of.tree()),
                        of.node().tokens(),
                        of.node().costMicros(),
                        null,
                        session == null
                                ? null
                                : Views.session(session, headlines.of(session, question)),
                        question);
            }
            case Line.OfFold of ->
                    new RowView(
                            of.id(),
                            of.level(),
                            of.place(),
                            of.siblings(),
                            Views.word(of.openness()),
                            of.tally().all(),
                            tally(of.tally()),
                            of.tokens(),
                            of.costMicros(),
                            of.kind(),
                            null,
                            null);
        };
    }

    public static TallyView tally(Tally tally) {
        return new TallyView(
                tally.all(),
                tally.live(),
                tally.waiting(),
                tally.failed(),
                tally.finished(),
                tally.stopped(),
                Views.text(tally.askedFirst()));
    }
}
