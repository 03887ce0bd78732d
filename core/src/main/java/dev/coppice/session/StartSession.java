package dev.coppice.session;

import dev.coppice.journal.Journal;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.Ids;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RemovalRefusal;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.kernel.Transactions;
import dev.coppice.word.OnParentEnd;
import dev.coppice.word.SessionType;

import org.jspecify.annotations.Nullable;

import java.time.InstantSource;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * Creates sessions. One transaction checks the parent and the limits and inserts the session, so
 * that no session is created below one that is being stopped or removed.
 */
public final class StartSession {
    private final Transactions transactions;
    private final Sessions sessions;
    private final SessionJournal journal;

    /** So many sessions below one are looked at; the names of others stay taken. */
    private static final int FREED_MAX = 200;

    /** About so many sessions are renamed in a transaction. */
    private static final int RENAMED_MAX = 400;

    private final FormerNames former;
    private final TreeQuota room;
    private final InstantSource clock;
    private final Ids ids;

    public StartSession(
            Transactions transactions,
            Sessions sessions,
            Journal journal,
            TreeQuota room,
            InstantSource clock,
            Ids ids) {
        this.transactions = transactions;
        this.sessions = sessions;
        this.journal = new SessionJournal(journal, clock);
        this.former = new FormerNames(sessions);
        this.room = room;
        this.clock = clock;
        this.ids = ids;
    }

    public Outcome<Session> start(NewSession asked) {
        return transactions.write(() -> startWithin(asked));
    }

    /**
     * Adds a session that another program runs, in the state it was seen in. Its parent may have
     * ended, because events come late. Joins the current transaction.
     */
    public Outcome<Session> observe(NewSession seen, SessionId id, SessionState state) {
        if (sessions.isHidden(id)) {
            return Outcome.refused(new RemovalRefusal.SessionIdHidden(id));
        }
        var name = freeName(seen.name());
        var parent = seen.parent().in(sessions);
        var fenced = parent.flatMap(p -> Fences.at(sessions, p.id()));
        return fenced.isPresent()
                ? Outcome.refused(fenced.get())
                : create(seen, id, name, parent, state);
    }

    /** True if an existing session and its descendants may be moved below another session. */
    public boolean hasRoomFor(SessionId child, SessionId parent) {
        var above = sessions.ancestry(parent);
        int depth = above.getFirst().session().place().depth() + 1 + sessions.levelsBelow(child);
        return depth <= Bounds.TREE_DEPTH_MAX
                && new Growth(above, room.defaults()).forbidden().isEmpty();
    }

    /** Returns the limit that would be exceeded by one more child. */
    public Optional<Refusal> forbidsChildOf(SessionId parent) {
        return new Growth(sessions.ancestry(parent), room.defaults()).forbidden();
    }

    /**
     * Returns why an ended session cannot be resumed: other sessions may fill the limits above it.
     */
    public @Nullable Refusal noRoomFor(Session ended) {
        var parent = ended.place().parentId();
        if (parent == null) return null;
        return new Growth(sessions.ancestry(parent), room.defaults()).crowded().orElse(null);
    }

    private Outcome<Session> startWithin(NewSession asked) {
        var id = asked.id() == null ? freeId() : asked.id();
        if (id.isOfAgent()) {
            return Outcome.refused(
                    new RequestRefusal.BadValue("session_id", id.value(), SessionId.RULE));
        }
        var name = asked.name() == null ? freeName(asked.profile().blueprint()) : asked.name();
        if (asked.id() != null && sessions.find(id).isPresent()) {
            return Outcome.refused(new SessionRefusal.SessionIdTaken(id));
        }
        if (asked.id() != null && sessions.isHidden(id)) {
            return Outcome.refused(new RemovalRefusal.SessionIdHidden(id));
        }
        if (asked.name() != null) {
            var by = former.holder(name, !asked.parent().isMade());
            if (by.isPresent()) {
                return Outcome.refused(new SessionRefusal.NameTaken(name, by.get().id()));
            }
        }
        return parentOf(asked, id, name)
                .then(parent ->
                        create(asked, id, name, parent, new SessionState.Pending(clock.instant())));
    }

    /** Generates an unused name: a clash of generated names must not refuse the request. */
    private String freeName(@Nullable String blueprint) {
        var name = SessionName.made(blueprint, ids);
        while (sessions.named(name).isPresent()) name = SessionName.made(blueprint, ids);
        return name;
    }

    private SessionId freeId() {
        var id = SessionId.made(ids);
        while (sessions.find(id).isPresent()) id = SessionId.made(ids);
        return id;
    }

    private Outcome<Optional<Session>> parentOf(NewSession asked, SessionId id, String name) {
        var claim = asked.parent();
        if (!claim.isMade()) return Outcome.done(Optional.empty());
        if (id.value().equals(claim.id()) || name.equals(claim.name())) {
            return Outcome.refused(new SessionRefusal.ParentIsItself(id));
        }
        var found = claim.in(sessions);
        if (found.isEmpty())
            return Outcome.refused(new SessionRefusal.ParentUnknown(claim.asSaid()));
        var parent = found.get();
        // A removal stops its sessions: it is the cause to name, not the stopped parent.
        var fenced = Fences.at(sessions, parent.id());
        if (fenced.filter(RemovalRefusal.class::isInstance).isPresent()) {
            return Outcome.refused(fenced.get());
        }
        return canHaveChildren(parent)
                .then(p -> fenced.<Outcome<Session>>map(Outcome::refused).orElse(Outcome.done(p)))
                .map(Optional::of);
    }

    /**
     * Accepts a finished parent, because a callback of a child can wake it. No new callback wakes a
     * parent that was stopped, failed, timed out or was lost.
     */
    private static Outcome<Session> canHaveChildren(Session parent) {
        return forbidsChildren(parent)
                .<Outcome<Session>>map(Outcome::refused)
                .orElseGet(() -> Outcome.done(parent));
    }

    static Optional<SessionRefusal> forbidsChildren(Session parent) {
        return switch (parent.state()) {
            case SessionState.Pending _,
                    SessionState.Running _,
                    SessionState.Idle _,
                    SessionState.Finished _ ->
                    Optional.empty();
            case SessionState.Stopping _ ->
                    Optional.of(new SessionRefusal.ParentIsStopping(parent.id()));
            case SessionState.Failed _,
                    SessionState.Stopped _,
                    SessionState.TimedOut _,
                    SessionState.Lost _ ->
                    Optional.of(
                            new SessionRefusal.ParentHasEnded(
                                    parent.id(), StateWord.of(parent.state())));
        };
    }

    private Outcome<Session> create(
            NewSession asked,
            SessionId id,
            String name,
            Optional<Session> parent,
            SessionState state) {
        var limits = asked.limits();
        var place = Place.ofRoot(id, name);
        if (parent.isPresent()) {
            var above = parent.get();
            var growth = new Growth(sessions.ancestry(above.id()), room.defaults());
            var forbidden = growth.forbidden().or(() -> forbidden(asked, above));
            if (forbidden.isPresent()) return Outcome.refused(forbidden.get());
            limits = limits.clampedTo(growth.left());
            place = above.place().ofChild(above.id(), above.name(), name);
        }
        var now = clock.instant();
        var type =
                asked.type() != null
                        ? asked.type()
                        : parent.isPresent() ? SessionType.SUBAGENT : SessionType.MAIN;
        var session =
                new Session(
                        id,
                        name,
                        type,
                        place,
                        asked.profile(),
                        state,
                        Times.createdAt(now).after(state),
                        limits,
                        Standing.of(
                                parent.map(p -> p.standing().frozen()).orElse(null),
                                asked.onParentEnd() == null
                                        ? OnParentEnd.KEEP
                                        : asked.onParentEnd()));
        former.free(name);
        sessions.add(session);
        journal.created(session);
        return Outcome.done(session);
    }

    private Optional<Refusal> forbidden(NewSession asked, Session above) {
        for (var kind : Limits.Kind.values()) {
            var limit = asked.limits().of(kind);
            if (limit == null || !kind.isOfWholeTree()) continue;
            return Optional.of(
                    new RequestRefusal.BadValue(
                            "limits." + kind.word(),
                            limit.toString(),
                            "left out below another session: it holds for a whole tree and is set"
                                    + " at its root"));
        }
        var metadata = Bounds.bytesOf(asked.profile().metadata().value());
        return room.forbids(above.id(), Limits.Kind.METADATA_BYTES, metadata);
    }

    /**
     * Frees the names of a session that has ended and of those below it that have ended, so that
     * another try can use them, too. Joins the current transaction.
     */
    public void freeNames(Session top) {
        var below = sessions.descendants(top.id(), Bounds.TREE_DEPTH_MAX, Cursor.first(FREED_MAX));
        var ended =
                Stream.concat(Stream.of(top), below.items().stream())
                        .filter(session -> !session.state().isAlive())
                        .filter(session -> SessionName.isValid(session.name()))
                        .iterator();
        int renamed = 0;
        while (ended.hasNext() && renamed < RENAMED_MAX) {
            renamed += former.free(ended.next().name());
        }
    }
}
