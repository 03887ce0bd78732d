package dev.coppice.cli.session;

import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Shown;
import dev.coppice.client.Pause;
import dev.coppice.wire.Paging;
import dev.coppice.wire.Reason;
import dev.coppice.wire.session.SessionCalls;
import dev.coppice.wire.session.SessionView;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.function.BooleanSupplier;

/** Tells a person who waits for sessions what these, and those below them, ask meanwhile. */
final class QuestionNews {
    private static final Duration LOOK = Duration.ofSeconds(2);

    private final Connection connection;
    private final List<SessionView> awaited;
    private final Set<String> told = new HashSet<>();

    QuestionNews(Connection connection, List<SessionView> awaited) {
        this.connection = connection;
        this.awaited = List.copyOf(awaited);
    }

    /** Takes a line of this, and may wait for room. */
    interface Reader {
        void take(String line) throws InterruptedException;
    }

    /** Tells each question once, until it is over. A failure is told, and ends only this. */
    void tell(Reader reader, BooleanSupplier isOver) throws InterruptedException {
        try {
            while (!isOver.getAsBoolean()) {
                for (var line : news()) reader.take(line);
                Pause.of(LOOK);
            }
        } catch (RuntimeException | Error e) {
            reader.take("coppice: questions are not told any more: " + Reason.of(e));
        }
    }

    private List<String> news() {
        var root = awaited.size() == 1 ? awaited.getFirst().sessionId() : null;
        var find = SessionCalls.Find.asking(root, Paging.FIRST);
        var answer = connection.client().callPatiently(SessionCalls.LIST, find);
        var lines = new ArrayList<String>();
        if (!answer.isGood()) return lines;
        for (var session : answer.value().sessions()) {
            var question = session.headline();
            if (question == null || awaited.stream().noneMatch(top -> isAtOrBelow(session, top))) {
                continue;
            }
            if (!told.add(session.sessionId() + " " + question.at())) continue;
            var name = Shown.clean(session.sessionName());
            lines.add(
                    "coppice: %s asks: %s%n  coppice ask answer %s …"
                            .formatted(name, Shown.line(question.text()), name));
        }
        return lines;
    }

    private static boolean isAtOrBelow(SessionView session, SessionView top) {
        return session.sessionId().equals(top.sessionId())
                || (session.rootSessionId().equals(top.rootSessionId())
                        && session.path().startsWith(top.path() + "."));
    }
}
