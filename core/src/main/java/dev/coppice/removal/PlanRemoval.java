package dev.coppice.removal;

import static java.util.stream.Collectors.joining;

import dev.coppice.callback.Callbacks;
import dev.coppice.kernel.Canonical;
import dev.coppice.kernel.Counted;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RemovalRefusal;
import dev.coppice.kernel.RemovalRefusal.Objection;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.outside.OutsideProcess;
import dev.coppice.run.Ports;
import dev.coppice.session.Session;
import dev.coppice.word.Choice;
import dev.coppice.work.InspectedWork;
import dev.coppice.work.WorkItem;
import dev.coppice.work.Workplaces;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;

/** Computes everything that a removal would remove, and changes nothing. */
public final class PlanRemoval {
    private static final int RUNNING_SHOWN_MAX = 100;
    private static final int CRITICAL_SHOWN_MAX = 100;
    private static final int CRITICAL_SAID_MAX = 5;
    private static final int NAMES_SAID_MAX = 5;
    private final Ports ports;
    private final Removals removals;
    private final Callbacks callbacks;
    private final CriticalOperations critical;
    private final Workplaces workplaces;

    public PlanRemoval(
            Ports ports,
            Removals removals,
            Callbacks callbacks,
            CriticalOperations critical,
            Workplaces workplaces) {
        this.ports = ports;
        this.callbacks = callbacks;
        this.removals = removals;
        this.critical = critical;
        this.workplaces = workplaces;
    }

    public Outcome<RemovalPlan> plan(SessionId top, Choices choices, InspectedWork work) {
        return ports.transactions()
                .read(() -> {
                    var session = ports.sessions().find(top);
                    return session.isEmpty()
                            ? Outcome.refused(gone(top))
                            : Outcome.done(of(session.get(), choices, survey(top, choices), work));
                });
    }

    Survey survey(SessionId top, Choices choices) {
        return removals.survey(top, choices.children());
    }

    /** The refusal for a session that does not exist: it was removed, or is unknown. */
    Refusal gone(SessionId id) {
        return removals.of(id)
                .<Refusal>map(r -> new RemovalRefusal.SessionRemoved(id.value(), r.id().value()))
                .orElseGet(() -> new SessionRefusal.SessionUnknown(id.value()));
    }

    /**
     * Joins the current transaction. The survey, which counts every event, may be older than it.
     */
    public RemovalPlan of(Session top, Choices choices, Survey survey, InspectedWork work) {
        var taken = new Taken(choices);
        removals.outline(top.id(), choices.children(), taken::add);
        var running = running(taken);
        var busy = new ArrayList<>(critical.of(top.id(), choices.children(), CRITICAL_SHOWN_MAX));
        for (var item : work.items()) {
            var whose = String.join(", ", item.sessions());
            item.busy().forEach(what -> busy.add(new RemovalPlan.Critical(whose, what)));
        }
        var earlier = earlier(top.id(), choices);
        earlier.forEach(r -> taken.digest.with("earlier", r.id().value()));
        var outside = outside(top, choices);
        outside.forEach(p -> taken.digest.with("process", p.pid() + " " + p.consent()));
        var objections = objections(top, choices, taken, busy);
        if (choices.purge() == Choice.Purge.NOW && !earlier.isEmpty()) {
            objections.add(windowsOpen(earlier));
        }
        if (!choices.discards() && !work.failures().isEmpty()) {
            objections.add(notInspected(work));
        }
        objections.forEach(o -> taken.digest.with("objection", o.kind()));
        // Files of live sessions change until these are stopped, and are preserved: leave them out
        // of the digest. Work to be discarded is always covered: it must be exactly what was seen.
        var covered = work.covered(item -> choices.discards() || !isInUse(item));
        if (covered != null) taken.digest.with("work", covered.digest());
        return new RemovalPlan(
                top,
                choices,
                survey,
                running,
                outside,
                busy,
                work,
                freed(work),
                covered,
                objections,
                earlier,
                taken.count,
                owedBy(top),
                taken.digest.shortHash());
    }

    /**
     * The number of open callbacks to the parent about this session. One notice of the removal
     * replaces them.
     */
    private int owedBy(Session top) {
        var parent = top.place().parentId();
        return parent == null ? 0 : callbacks.openAbout(parent, top.id()).size();
    }

    private long freed(InspectedWork work) {
        return work.items().stream()
                .filter(item -> item.kind().isWork())
                .filter(item -> workplaces.isMade(item.host(), item.directory()))
                .filter(item -> !isInUse(item))
                .mapToLong(item -> item.counts().bytes())
                .sum();
    }

    private boolean isInUse(WorkItem item) {
        return workplaces.isInUse(item.host(), item.directory());
    }

    /** True if the nearest visible ancestor is being removed, and this removal with it. */
    public boolean isBelowFence(Removal removal) {
        var above = nearestAbove(removal);
        return above != null && above.standing().removal() != null;
    }

    private @Nullable Session nearestAbove(Removal removal) {
        var above = removal.top().parent();
        while (above != null) {
            var found = ports.sessions().find(above);
            if (found.isPresent()) return found.get();
            above = removals.of(above).map(r -> r.top().parent()).orElse(null);
        }
        return null;
    }

    /** Hidden removals that this one includes, the oldest first. */
    public List<Removal> earlier(Removal removal) {
        return earlier(removal.top().id(), removal.choices());
    }

    /** Removals hidden below the top. Those below a child that is detached stay with that child. */
    private List<Removal> earlier(SessionId top, Choices choices) {
        var below = removals.earlierBelow(top);
        return choices.children() == Choice.Children.DETACH
                ? below.stream().filter(r -> hangsOn(top, r)).toList()
                : below;
    }

    /** True if the session is the nearest visible ancestor of the removal's top. */
    private boolean hangsOn(SessionId top, Removal removal) {
        var above = nearestAbove(removal);
        return above != null && above.id().equals(top);
    }

    /** The first outside processes of the sessions that the removal covers. */
    private List<OutsideProcess> outside(Session top, Choices choices) {
        boolean isAlone = choices.children() == Choice.Children.DETACH;
        var all = ports.outside().list(top.id(), Cursor.first(RUNNING_SHOWN_MAX)).items();
        return all.stream()
                .filter(p -> !isAlone || p.session().equals(top.id()))
                .map(p -> isLive(p.session()) ? p : p.watched())
                .toList();
    }

    /** A removal stops only live sessions, so only their processes end. */
    private boolean isLive(SessionId id) {
        return ports.sessions().find(id).filter(s -> s.state().isAlive()).isPresent();
    }

    private List<Session> running(Taken taken) {
        return taken.running.stream().flatMap(id -> ports.sessions().find(id).stream()).toList();
    }

    private List<Objection> objections(
            Session top, Choices choices, Taken taken, List<RemovalPlan.Critical> busy) {
        var found = new ArrayList<Objection>();
        if (choices.children() == Choice.Children.REFUSE) {
            long children = ports.sessions().countChildren(top.id());
            if (children > 0) found.add(hasChildren(children));
        }
        if (choices.running() == Choice.Running.REFUSE && taken.atWork > 0) {
            found.add(stillRunning(taken));
        }
        if (choices.critical() == Choice.Critical.REFUSE && !busy.isEmpty()) {
            found.add(criticalOperations(busy));
        }
        removals.underWayBelow(top.id()).ifPresent(r -> found.add(underWay(r)));
        return found;
    }

    private static Objection hasChildren(long children) {
        return new Objection(
                Objection.Kind.HAS_CHILDREN, "it has " + Counted.of(children, "child", "children"));
    }

    private Objection stillRunning(Taken taken) {
        var names = taken.atWorkFirst.stream().flatMap(this::nameOf).toList();
        return new Objection(
                Objection.Kind.STILL_RUNNING,
                "%s running: %s%s"
                        .formatted(
                                Counted.of(taken.atWork, "session is", "sessions are"),
                                Refusal.quoted(names),
                                taken.atWork > names.size() ? ", …" : ""));
    }

    private Stream<String> nameOf(SessionId id) {
        return ports.sessions().find(id).map(Session::name).stream();
    }

    private static Objection criticalOperations(List<RemovalPlan.Critical> busy) {
        var all = busy.stream().map(c -> c.session() + ": " + c.what()).toList();
        var said =
                busy.stream()
                        .limit(CRITICAL_SAID_MAX)
                        .map(c -> "'%s': %s".formatted(c.session(), c.what()));
        var atLeast = busy.size() < CRITICAL_SHOWN_MAX ? "" : "at least ";
        var more = busy.size() > CRITICAL_SAID_MAX ? "; …" : "";
        return new Objection(
                Objection.Kind.CRITICAL_OPERATIONS,
                "it has %s%s: %s%s"
                        .formatted(
                                atLeast,
                                Counted.of(
                                        busy.size(), "critical operation", "critical operations"),
                                said.collect(joining("; ")),
                                more),
                all);
    }

    /** Callers were promised an undo window for earlier removals; a purge must not end it. */
    private static Objection windowsOpen(List<Removal> earlier) {
        var said =
                earlier.stream()
                        .map(r -> "'%s' of '%s'".formatted(r.id(), r.top().name()))
                        .toList();
        return new Objection(
                Objection.Kind.EARLIER_REMOVALS,
                "%s below it can still be undone: %s"
                        .formatted(
                                Counted.of(earlier.size(), "removal", "removals"),
                                Counted.Few.of(said)));
    }

    /** A runner that cannot inspect work now could not preserve it after the stop either. */
    private static Objection notInspected(InspectedWork work) {
        var failed = new TreeMap<>(work.failures()).entrySet();
        var all = failed.stream().map(f -> "%s (%s)".formatted(f.getKey(), f.getValue()));
        var said = failed.stream().map(f -> "'%s' (%s)".formatted(f.getKey(), f.getValue()));
        return new Objection(
                Objection.Kind.WORK_NOT_INSPECTED,
                "unsaved work cannot be inspected on " + Counted.Few.of(said.toList()),
                all.toList());
    }

    private static Objection underWay(Removal removal) {
        return new Objection(
                Objection.Kind.REMOVAL_BELOW,
                "its descendant '%s' is being removed by '%s'"
                        .formatted(removal.top().name(), removal.id()));
    }

    /**
     * The sessions of the removal. There may be very many, so only their digest and some live ones
     * are kept.
     */
    private static final class Taken {
        private final List<SessionId> running = new ArrayList<>();
        private final List<SessionId> atWorkFirst = new ArrayList<>();
        private long atWork;
        private long count;
        private final Canonical digest = new Canonical();

        Taken(Choices choices) {
            digest.with(choices.chosen());
        }

        void add(Removals.Outline session) {
            count++;
            if (session.isAlive() && running.size() < RUNNING_SHOWN_MAX) running.add(session.id());
            if (session.isAtWork() && atWork++ < NAMES_SAID_MAX) atWorkFirst.add(session.id());
            digest.with("session", session.id().value());
        }
    }
}
