package dev.coppice.observe;

import dev.coppice.access.Caller;
import dev.coppice.journal.Journal;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.observe.Observation.Moment;
import dev.coppice.observe.Observation.Spawn;
import dev.coppice.observe.Observations.Edge;
import dev.coppice.observe.Observations.Evidence;
import dev.coppice.observe.Observations.Seen;
import dev.coppice.session.AttachRoot;
import dev.coppice.session.Limits;
import dev.coppice.session.NewSession;
import dev.coppice.session.ParentReference;
import dev.coppice.session.Profile;
import dev.coppice.session.SessionJournal;
import dev.coppice.session.SessionState;
import dev.coppice.session.Sessions;
import dev.coppice.session.StartSession;
import dev.coppice.session.StateWord;
import dev.coppice.session.TreeQuota;
import dev.coppice.wave.Wave;
import dev.coppice.wave.WavePlan;
import dev.coppice.wave.Waves;
import dev.coppice.word.SessionType;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Records the events of agents that Coppice did not start. A session is created by its first event,
 * a subagent as a child of the session in which it works. An event whose place in the tree is not
 * available is stored under the session above.
 */
public final class RecordObservations {
    private static final String CHILD = "parent/child";

    /** A call that is open for longer counts as never carried out. */
    private static final Duration CALLED_BEFORE_MAX = Duration.ofMinutes(10);

    private final Observations observations;
    private final Sessions sessions;
    private final StartSession start;
    private final SessionJournal journal;
    private final Waves waves;
    private final TreeQuota room;
    private final InstantSource clock;
    private final PlaceAgents placing;

    public RecordObservations(
            Observations observations,
            Sessions sessions,
            Journal journal,
            StartSession start,
            Waves waves,
            TreeQuota room,
            InstantSource clock) {
        this.observations = observations;
        this.sessions = sessions;
        this.start = start;
        this.waves = waves;
        this.journal = new SessionJournal(journal, clock);
        this.room = room;
        this.clock = clock;
        var attaching = new AttachRoot(sessions, journal, room, clock);
        this.placing = new PlaceAgents(sessions, start, this.journal, attaching);
    }

    /**
     * Joins the current transaction. Returns the number of each event, or why it was refused. The
     * sessions of a caller that is confined to a subtree are within it, and new ones become
     * children of its top.
     */
    public List<Outcome<Long>> record(List<Observation> events, Caller by) {
        var batch = new Batch(by, clock.instant());
        var numbers = new ArrayList<Outcome<Long>>(events.size());
        for (var event : events) numbers.add(batch.record(event));
        observations.addTypes(batch.types);
        return List.copyOf(numbers);
    }

    /** The node of an agent, and the session of its program. */
    public record Place(SessionId node, SessionId main) {}

    /**
     * Returns the place of the agent that this is about, creating an unknown one; stores no event.
     * A session that Coppice runs is refused: its driver reports it. Joins the current transaction.
     */
    public Outcome<Place> place(Observation seen, Caller by) {
        if (observations.runOf(seen.session()).isPresent()) {
            return Outcome.refused(new SessionRefusal.SessionUnknown(seen.session().value()));
        }
        return new Batch(by, clock.instant()).place(seen);
    }

    /**
     * Places an agent below another one of its program, or below its session for null, and records
     * the evidence. Joins the current transaction.
     */
    public Outcome<Place> relate(
            Observation seen, @Nullable String parent, Evidence evidence, Caller by) {
        var place = place(seen, by);
        if (!(place instanceof Outcome.Done<Place>(var known)) || seen.agent() == null) {
            return place;
        }
        new Batch(by, clock.instant()).relate(seen, known, parent, evidence);
        return place;
    }

    /** Events that are recorded together, and what was read for them. */
    private final class Batch {
        private final Caller by;
        private final @Nullable SessionId below;
        private final Instant now;
        private final Map<SessionId, Seen> known = new HashMap<>();
        private final Map<SessionId, Long> added = new HashMap<>();
        private final Set<String> types = new LinkedHashSet<>();

        Batch(Caller by, Instant now) {
            this.by = by;
            this.below = by.session();
            this.now = now;
        }

        Outcome<Long> record(Observation event) {
            var own = ofOwnProgram(event);
            return own.map(Outcome::done)
                    .orElseGet(() -> session(event))
                    .then(main -> record(event, main, own.isPresent()));
        }

        /**
         * The caller's session, if the event is of the program that works for it. The driver
         * reports the subagents of such a program, so the events of its hooks create none.
         */
        private Optional<Seen> ofOwnProgram(Observation event) {
            if (below == null || !by.isAgent()) return Optional.empty();
            return sessions.find(below)
                    .map(session -> session.profile().binding().executorSessionId())
                    .filter(program -> program.equals(event.session().value()))
                    .flatMap(_ -> look(below));
        }

        Outcome<Place> place(Observation seen) {
            return session(seen)
                    .map(main -> {
                        var agent = seen.agent();
                        var node = agent == null ? main : agent(main, seen, agent);
                        if (!node.equals(main) || agent == null) happened(node, Sighting.of(seen));
                        return new Place(node.id(), main.id());
                    });
        }

        void relate(Observation seen, Place place, @Nullable String parent, Evidence evidence) {
            var main = look(place.main()).orElseThrow();
            var child = look(place.node()).orElseThrow();
            if (child.equals(main)) return;
            var above = parent == null ? main : agent(main, seen.of(parent), parent);
            if (above.id().equals(child.id())) return;
            if (!above.id().equals(child.parent()) && !move(child, above)) return;
            observations.relate(above.id(), child.id(), new Edge(CHILD, "task_tool", evidence));
        }

        private Outcome<Long> record(Observation event, Seen main, boolean isOwnProgram) {
            var full = full(main, event.message().bytes());
            if (full.isPresent()) return Outcome.refused(full.get());
            var agent = isOwnProgram ? null : event.agent();
            var node = agent == null ? main : agent(main, event, agent);
            if (!isOwnProgram) spawn(main, node, event);
            // The end of a subagent that has no node must not end the session above.
            boolean isOwn = !node.equals(main) || event.agent() == null;
            if (isOwn) happened(node, Sighting.of(event));
            if (event.message().isSent()) types.add(event.type());
            added.merge(main.root(), (long) event.message().bytes(), Long::sum);
            return Outcome.done(observations.append(node.id(), event, now));
        }

        private Optional<Refusal> full(Seen main, int bytes) {
            long stored = main.bytes() + added.getOrDefault(main.root(), 0L);
            return room.forbids(
                    main.root(),
                    Limits.Kind.EVENT_BYTES,
                    bytes,
                    new Sessions.Stored(stored, main.bytesMax()));
        }

        private Outcome<Seen> session(Observation event) {
            var id = event.session();
            return find(id).then(found -> {
                if (found.isEmpty()) return unseen(event);
                var known = found.get();
                boolean isRoot = known.parent() == null && known.isObserved();
                return Outcome.done(isRoot ? declaredLate(event, known) : known);
            });
        }

        private Outcome<Seen> unseen(Observation event) {
            var id = event.session();
            return id.isOfAgent()
                    ? Outcome.refused(
                            new RequestRefusal.BadValue("session_id", id.value(), SessionId.RULE))
                    : parent(event).then(above -> create(event, above));
        }

        /** Attaches a root whose parent no earlier event declared. */
        private Seen declaredLate(Observation event, Seen root) {
            var declared = event.hints().parent();
            if (declared == null || declared.equals(root.id())) return root;
            if (!(parent(event) instanceof Outcome.Done<Optional<Seen>>(var above))) return root;
            if (above.isEmpty() || !placing.attach(root, above.get())) return root;
            var parent = above.get();
            known.clear();
            observations.relate(parent.id(), root.id(), declared(event.hints()));
            joinWave(parent.id(), root.id(), event.hints().wave());
            return look(root.id()).orElseThrow();
        }

        /**
         * Finds a node that an event names, if the caller may touch it. Every name in an event is
         * looked up here: a node may have been moved out of the caller's tree.
         */
        private Outcome<Optional<Seen>> find(SessionId id) {
            var found = look(id);
            return found.isEmpty() || mayTouch(found.get())
                    ? Outcome.done(found)
                    : Outcome.refused(new SessionRefusal.SessionUnknown(id.value()));
        }

        /** Finds an agent of a session's program; empty if it is unknown, or not the caller's. */
        private Optional<Seen> findAgent(SessionId id) {
            return find(id) instanceof Outcome.Done<Optional<Seen>>(var found)
                    ? found
                    : Optional.empty();
        }

        /** An agent may not report events of another session that Coppice runs. */
        private boolean mayTouch(Seen session) {
            if (!isOfSender(session)) return false;
            if (below == null) return true;
            boolean isOwn = session.id().equals(below);
            return sessions.isWithin(session.id(), below)
                    && (isOwn || session.isObserved() || !by.isAgent());
        }

        /**
         * Hooks may report sessions that they reported first, and the run that they are in. An
         * agent belongs to its session, even if a transcript reported it first.
         */
        private boolean isOfSender(Seen node) {
            var sender = by.sender();
            if (sender == null) return true;
            var session = node.id().program().orElse(node.id());
            return session.equals(sender.run())
                    || (node.isObserved() && observations.isToldFirst(session, sender.source()));
        }

        /**
         * The declared parent, created if it is unknown; or the session that the caller is confined
         * to.
         */
        private Outcome<Optional<Seen>> parent(Observation event) {
            var hints = event.hints();
            var declared = hints.parent();
            var inherited = below == null ? Optional.<Seen>empty() : look(below);
            if (declared == null || declared.equals(event.session())) {
                return Outcome.done(inherited);
            }
            return find(declared)
                    .then(found -> {
                        if (found.isPresent()) return Outcome.done(found);
                        // Only an event of its program creates an agent.
                        if (declared.isOfAgent()) return Outcome.done(inherited);
                        var state = new SessionState.Pending(event.sentAt());
                        var node = new Node(declared, declared.value(), hints.app());
                        return create(node, hints, inherited, state).map(Optional::of);
                    });
        }

        private Outcome<Seen> create(Observation event, Optional<Seen> above) {
            var hints = event.hints();
            // An event of a subagent shows only that its session works.
            var moment = event.agent() == null ? hints.moment() : Moment.WORKS;
            var state = new Sighting(moment, event.sentAt()).first();
            boolean isNamed = event.agent() == null && hints.agentType() != null;
            var label = isNamed ? hints.agentType() : hints.app();
            var node = new Node(event.session(), event.session().value(), label);
            return create(node, hints, above, state)
                    .map(seen -> {
                        if (hints.parent() != null && above.isPresent()) {
                            observations.relate(above.get().id(), seen.id(), declared(hints));
                            joinWave(above.get().id(), seen.id(), hints.wave());
                        }
                        return seen;
                    });
        }

        /** A wave is declared by its first member. Its label need not be an id. */
        private void joinWave(SessionId parent, SessionId child, @Nullable String wave) {
            if (wave == null || !SessionId.isValid(wave)) return;
            var known = waves.find(wave);
            if (known.isEmpty() && waves.isTaken(wave)) return;
            if (known.isEmpty()) {
                waves.add(new WavePlan(Wave.of(wave, wave, parent, now), List.of()));
            }
            // A wave of another parent has the same label by chance.
            if (known.isEmpty() || parent.equals(known.get().parent())) {
                waves.join(child, wave, null);
            }
        }

        private static Edge declared(Observation.Hints hints) {
            return hints.wave() == null
                    ? new Edge(CHILD, "subagent_delegation", Evidence.DECLARED)
                    : new Edge("wave_member", "wave_orchestration", Evidence.DECLARED);
        }

        /** The node of a subagent; the session itself if it cannot have that node. */
        private Seen agent(Seen main, Observation event, String agent) {
            var id = main.id().agent(agent).orElse(null);
            if (id == null) return main;
            // The agent was moved out of the caller's tree: store the event under the session.
            if (!(find(id) instanceof Outcome.Done<Optional<Seen>>(var found))) return main;
            if (found.isPresent()) return found.get();
            var hints = event.hints();
            var state = new Sighting(hints.moment(), event.sentAt()).first();
            var created =
                    create(new Node(id, agent, hints.agentType()), hints, Optional.of(main), state);
            if (!(created instanceof Outcome.Done<Seen>(var child))) return main;
            var edge = new Edge(CHILD, "subagent_delegation", Evidence.INFERRED);
            observations.relate(main.id(), child.id(), edge);
            return child;
        }

        private void spawn(Seen main, Seen node, Observation event) {
            switch (event.hints().spawn()) {
                case null -> {}
                case Spawn.Called call ->
                        observations.called(main.id(), node.id(), call, event.sentAt());
                case Spawn.Begun(var type) -> begun(main, node, type, event.sentAt());
                case Spawn.Unanswered(var call) ->
                        observations.answered(main.id(), call, null, event.sentAt());
                case Spawn.Answered answer -> answered(main, node, event, answer);
            }
        }

        /**
         * Places a subagent below the agent that probably called for it, until the answer is known.
         */
        private void begun(Seen main, Seen child, String type, Instant at) {
            if (child.equals(main) || child.parent() == null) return;
            if (observations.isCertain(child.parent(), child.id())) return;
            var since = at.minus(CALLED_BEFORE_MAX);
            var parent =
                    observations
                            .caller(main.id(), child.id(), type, since)
                            .flatMap(this::findAgent);
            if (parent.isEmpty() || parent.get().id().equals(child.id())) return;
            var caller = parent.get();
            if (!caller.id().equals(child.parent()) && !move(child, caller)) return;
            var edge = new Edge(CHILD, "task_tool", Evidence.CALLED);
            observations.relate(caller.id(), child.id(), edge);
        }

        /** Places a subagent below the agent that started it. */
        private void answered(Seen main, Seen parent, Observation event, Spawn.Answered spawn) {
            var id = main.id().agent(spawn.agent()).orElse(null);
            if (id == null || id.equals(parent.id())) return;
            if (!(find(id) instanceof Outcome.Done<Optional<Seen>>(var found))) return;
            if (spawn.call() != null) {
                observations.answered(main.id(), spawn.call(), id, event.sentAt());
            }
            if (found.isEmpty()) {
                var node = new Node(id, spawn.agent(), spawn.agentType());
                var state = new SessionState.Pending(event.sentAt());
                var created = create(node, event.hints(), Optional.of(parent), state);
                if (!(created instanceof Outcome.Done<Seen>)) return;
            } else if (!parent.id().equals(found.get().parent()) && !move(found.get(), parent)) {
                return;
            }
            var edge = new Edge(CHILD, "task_tool", Evidence.TOOL_RESPONSE);
            observations.relate(parent.id(), id, edge);
            var child = look(id).orElseThrow();
            // The last event of the subagent itself is missing.
            if (spawn.hasEnded() && StateWord.ALIVE.contains(child.state())) {
                happened(child, new Sighting(Moment.ENDS, event.sentAt()));
            }
        }

        /** Returns false if the child cannot move there. */
        private boolean move(Seen child, Seen parent) {
            if (!placing.move(child, parent)) return false;
            known.clear();
            return true;
        }

        /**
         * The id of a new session, that of the agent in its own program, and the stem of its name.
         */
        private record Node(SessionId id, String own, @Nullable String label) {}

        private Outcome<Seen> create(
                Node node, Observation.Hints hints, Optional<Seen> above, SessionState state) {
            var parent = above.map(p -> ParentReference.of(p.id())).orElse(ParentReference.NONE);
            var type = parent.isMade() && hints.wave() != null ? SessionType.WAVE : null;
            var profile = Profile.observed(hints.app(), node.own());
            var asked = new NewSession(node.id(), node.label(), type, parent, profile, Limits.NONE);
            return start.observe(asked, node.id(), state)
                    .map(_ -> {
                        var sender = by.sender();
                        if (sender != null) observations.toldFirst(node.id(), sender.source());
                        return look(node.id()).orElseThrow();
                    });
        }

        private void happened(Seen seen, Sighting sighting) {
            if (!sighting.mayChange(seen)) return;
            var session = sessions.find(seen.id()).orElseThrow();
            var after = sighting.on(session);
            if (after.equals(session)) return;
            sessions.save(after);
            journal.updated(after);
            known.remove(seen.id());
        }

        private Optional<Seen> look(SessionId id) {
            var before = known.get(id);
            if (before != null) return Optional.of(before);
            var found = observations.look(id);
            found.ifPresent(seen -> known.put(id, seen));
            return found;
        }
    }
}
