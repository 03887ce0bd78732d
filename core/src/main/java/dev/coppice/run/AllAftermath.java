package dev.coppice.run;

import dev.coppice.session.Session;

import java.time.Duration;
import java.util.List;

/** Calls each part in the given order. */
public record AllAftermath(List<Aftermath> each) implements Aftermath {
    public AllAftermath {
        each = List.copyOf(each);
    }

    @Override
    public void runEnded(Desk desk, Run run) {
        for (var one : each) one.runEnded(desk, run);
    }

    @Override
    public void stopAsked(Desk desk, Session session) {
        for (var one : each) one.stopAsked(desk, session);
    }

    @Override
    public void sessionThawed(Desk desk, Session session, Duration lost) {
        for (var one : each) one.sessionThawed(desk, session, lost);
    }

    @Override
    public void sessionEnded(Desk desk, Session session) {
        for (var one : each) one.sessionEnded(desk, session);
    }
}
