package dev.coppice.run;

import dev.coppice.session.Session;

import java.time.Duration;
import java.util.List;

/** Calls each listener in the given order. */
public record LifecycleListeners(List<Ports.LifecycleListener> each)
        implements Ports.LifecycleListener {
    public LifecycleListeners {
        each = List.copyOf(each);
    }

    @Override
    public void runEnded(Ports ports, Run run) {
        for (var one : each) one.runEnded(ports, run);
    }

    @Override
    public void stopAsked(Ports ports, Session session) {
        for (var one : each) one.stopAsked(ports, session);
    }

    @Override
    public void sessionThawed(Ports ports, Session session, Duration lost) {
        for (var one : each) one.sessionThawed(ports, session, lost);
    }

    @Override
    public void sessionEnded(Ports ports, Session session) {
        for (var one : each) one.sessionEnded(ports, session);
    }
}
