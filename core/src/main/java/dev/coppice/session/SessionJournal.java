package dev.coppice.session;

import dev.coppice.journal.Fact;
import dev.coppice.journal.Journal;

import java.time.InstantSource;
import java.util.Locale;
import java.util.Objects;

/** Records in the journal what happens to sessions, in the same transaction. */
public final class SessionJournal {
    private final Journal journal;
    private final InstantSource clock;

    public SessionJournal(Journal journal, InstantSource clock) {
        this.journal = journal;
        this.clock = clock;
    }

    void created(Session session) {
        journal.append(session.id(), null, new Fact.SessionCreated(shot(session)), clock.instant());
    }

    public void updated(Session session) {
        journal.append(session.id(), null, new Fact.SessionUpdated(shot(session)), clock.instant());
    }

    /** Records that the session has another parent. */
    public void moved(Session session) {
        updated(session);
        var parent = Objects.requireNonNull(session.place().parentId());
        var fact = new Fact.SessionAttached(null, parent.value());
        journal.append(session.id(), null, fact, clock.instant());
    }

    /** Returns the present session in the form that the journal stores. */
    public static Fact.SessionShot shot(Session s) {
        var parent = s.place().parent();
        var binding = s.profile().binding();
        return new Fact.SessionShot(
                s.id().value(),
                s.name(),
                s.type().name().toLowerCase(Locale.ROOT),
                StateWord.of(s.state()),
                s.state().why(),
                new Fact.Where(
                        parent == null ? null : parent.id().value(),
                        parent == null ? null : parent.name(),
                        s.place().root().value(),
                        s.place().depth(),
                        s.place().path()),
                new Fact.When(
                        s.times().created(),
                        s.times().started(),
                        s.times().resumed(),
                        s.times().ended()),
                new Fact.What(
                        s.profile().projectDir(),
                        s.profile().blueprint(),
                        s.profile().sourceApp(),
                        binding.executorSessionId(),
                        binding.executorProfile(),
                        binding.hostname()));
    }
}
