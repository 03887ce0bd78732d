package dev.coppice.sim;

import dev.coppice.access.PeopleOnly;
import dev.coppice.kernel.SessionId;

import java.util.HashSet;
import java.util.Set;

/** The settings of people, each for its session alone. */
final class SimPeopleOnly implements PeopleOnly {
    private final Set<Setting> settings = new HashSet<>();

    private record Setting(SessionId session, What what) {}

    @Override
    public void add(SessionId session, What what) {
        settings.add(new Setting(session, what));
    }

    @Override
    public void forget(SessionId session, What what) {
        settings.remove(new Setting(session, what));
    }

    @Override
    public void forgetBelow(SessionId session, What what) {
        forget(session, what);
    }

    @Override
    public boolean isOn(SessionId session, What what) {
        return settings.contains(new Setting(session, what));
    }

    @Override
    public boolean isAround(SessionId session, What what) {
        return isOn(session, what);
    }
}
