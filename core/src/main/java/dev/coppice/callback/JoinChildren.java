package dev.coppice.callback;

import dev.coppice.kernel.CallbackRefusal;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.kernel.Topic;
import dev.coppice.run.Ports;
import dev.coppice.run.Run;
import dev.coppice.run.RunState;
import dev.coppice.session.Limits;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;

/** Wakes a session when enough of its children have ended, or at a deadline. */
public final class JoinChildren {
    private static final int JOINS_PER_SWEEP_MAX = 100;
    private final Ports ports;
    private final CallbackPorts own;

    public JoinChildren(Ports ports, CallbackPorts own) {
        this.ports = ports;
        this.own = own;
    }

    /** Opens a join on the latest runs of the children. */
    public Outcome<Join> open(
            SessionId by, List<SessionId> children, Join.Until until, Duration patience) {
        return ports.transactions()
                .write(() -> {
                    if (ports.sessions().find(by).isEmpty()) {
                        return Outcome.refused(new SessionRefusal.SessionUnknown(by.value()));
                    }
                    var full = ports.room().forbids(by, Limits.Kind.EVENT_BYTES, 1);
                    if (full.isPresent()) return Outcome.refused(full.get());
                    return runs(by, children).map(runs -> opened(by, runs, until, patience));
                });
    }

    private Outcome<List<Run>> runs(SessionId by, List<SessionId> children) {
        var runs = new ArrayList<Run>();
        for (var child : new LinkedHashSet<>(children)) {
            if (ports.sessions().find(child).isEmpty()) {
                return Outcome.refused(new SessionRefusal.SessionUnknown(child.value()));
            }
            var parent = ports.sessions().find(child).map(s -> s.place().parentId());
            if (parent.filter(by::equals).isEmpty()) {
                return Outcome.refused(
                        new CallbackRefusal.NothingToWaitFor(
                                child, "it is not a child of '%s'".formatted(by)));
            }
            var latest = ports.runs().latestOf(child);
            if (latest.isEmpty()) {
                return Outcome.refused(
                        new CallbackRefusal.NothingToWaitFor(child, "it never had a run"));
            }
            runs.add(latest.get());
        }
        return Outcome.done(runs);
    }

    private Join opened(SessionId by, List<Run> runs, Join.Until until, Duration patience) {
        var now = ports.clock().instant();
        var members = runs.stream().map(r -> new Join.Member(r.session(), r.id())).toList();
        var join =
                new Join(
                        JoinId.made(own.ids()),
                        by,
                        until,
                        members,
                        Join.Count.NONE,
                        now.plus(patience),
                        Join.State.OPEN);
        own.joins().add(join);
        for (var run : runs) {
            var owed = own.callbacks().ofChildRun(run.id());
            if (owed.isPresent()) takeIn(owed.get(), join.id(), now);
            if (join.isOpen() && run.state() instanceof RunState.Ended end) {
                join = join.counting(end instanceof RunState.Finished, now);
            }
        }
        own.joins().save(join);
        if (!join.isOpen()) tell(join, now);
        return join;
    }

    private void takeIn(Callback callback, JoinId join, Instant now) {
        own.move(callback, new CallbackEvent.TakenIntoJoin(now, join));
    }

    private void tell(Join over, Instant now) {
        own.oweOrHold(ports, over.by(), new About.JoinOver(over.id()), now);
        ports.signals().raise(new Topic.CallbackDue());
    }

    /** Ends joins past their deadline, with the results so far; returns how many. */
    public int closeTimedOut() {
        return ports.transactions()
                .write(() -> {
                    var now = ports.clock().instant();
                    int ended = 0;
                    for (var id : own.joins().dueAt(now, JOINS_PER_SWEEP_MAX)) {
                        var over = own.joins().find(id).flatMap(j -> timedOut(j, now));
                        if (over.isPresent()) ended++;
                    }
                    return ended;
                });
    }

    private Optional<Join> timedOut(Join join, Instant now) {
        if (!join.isOpen() || join.deadline().isAfter(now)) return Optional.empty();
        var over = join.timedOut(now);
        own.joins().save(over);
        tell(over, now);
        return Optional.of(over);
    }
}
