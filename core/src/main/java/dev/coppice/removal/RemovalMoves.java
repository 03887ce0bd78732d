package dev.coppice.removal;

import dev.coppice.audit.Act;
import dev.coppice.journal.Fact;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.Topic;
import dev.coppice.run.Ports;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/** Changes the state of a removal and records the change and its reason, in one transaction. */
public final class RemovalMoves {
    private static final System.Logger LOG = System.getLogger("removal");
    private static final int TROUBLES_TO_TELL = 3;
    private final Ports ports;
    private final Removals removals;
    private final RemovalAudit audit;

    public RemovalMoves(Ports ports, Removals removals, RemovalAudit audit) {
        this.ports = ports;
        this.removals = removals;
        this.audit = audit;
    }

    /** Applies an event that no caller requested. */
    public Optional<Removal> move(Removal removal, RemovalEvent event) {
        return move(removal, event, null);
    }

    /** Applies an event that a caller requested. A refusal is audited too. */
    Outcome<Removal> asked(Removal removal, RemovalEvent event, Act.Who by, Refusal not) {
        var moved = move(removal, event, by);
        return moved.isPresent() ? Outcome.done(moved.get()) : refused(removal, event, by, not);
    }

    Outcome<Removal> refused(Removal removal, RemovalEvent event, Act.Who by, Refusal not) {
        audit.refused("removal." + request(event), removal, by, not);
        return Outcome.refused(not);
    }

    /** The request behind an event, as the audit names it. */
    private static String request(RemovalEvent event) {
        return switch (event) {
            case RemovalEvent.CancelBegan _ -> "cancel";
            case RemovalEvent.UndoAsked _ -> "undo";
            case RemovalEvent.PurgeBegan _ -> "purge";
            default -> throw new IllegalArgumentException("no caller requests " + event);
        };
    }

    /** Records what the removal waits for. False if that is recorded already. */
    public boolean waits(Removal removal, @Nullable String what) {
        return what != null
                && !what.equals(removal.state().why())
                && move(removal, new RemovalEvent.WaitsFor(ports.clock().instant(), what))
                        .isPresent();
    }

    /** Ends a series of failures, unless a time for the next try was set. */
    public void clearFailures(Removal seen) {
        if (seen.tries().failed() == 0 || seen.tries().next() != null) return;
        ports.transactions()
                .write(() -> {
                    removals.find(seen.id())
                            .ifPresent(r -> removals.save(r.with(Removal.Tries.NONE)));
                    return true;
                });
    }

    /** Counts a failure; after a few in a row the removal says that it waits, and why. */
    public void failed(RemovalId id, Duration longestPause, RuntimeException trouble) {
        var what = "the last attempt failed; retrying: " + trouble.getMessage();
        try {
            ports.transactions()
                    .write(() -> removals.find(id).map(r -> failed(r, longestPause, what)));
        } catch (RuntimeException e) {
            LOG.log(System.Logger.Level.DEBUG, "removal " + id, e);
        }
    }

    private boolean failed(Removal removal, Duration longestPause, String what) {
        var tried = removal.with(removal.tries().failedOnce(ports.clock().instant(), longestPause));
        removals.save(tried);
        return tried.tries().failed() >= TROUBLES_TO_TELL && waits(tried, what);
    }

    /** Removals hidden below this one whose own undo window is open. */
    List<Removal> swallowed(Removal removal) {
        var now = ports.clock().instant();
        return removals.hiddenBelow(removal).stream()
                .filter(r ->
                        r.state() instanceof RemovalState.Hidden(_, var until)
                                && until.isAfter(now))
                .toList();
    }

    /** The end of the undo window: not before that of any removal hidden below it. */
    public Instant undoUntil(Removal removal, Duration window) {
        var until = ports.clock().instant().plus(window);
        for (var below : swallowed(removal)) {
            if (below.state() instanceof RemovalState.Hidden(_, var end) && end.isAfter(until)) {
                until = end;
            }
        }
        return until;
    }

    private Optional<Removal> move(Removal removal, RemovalEvent event, Act.@Nullable Who by) {
        var moved = removal.on(event);
        moved.ifPresent(m -> {
            removals.save(m);
            tell(m);
            audit.moved(removal, m, by);
        });
        return moved;
    }

    void tell(Removal removal) {
        var fact =
                new Fact.RemovalMoved(
                        removal.id().value(), removal.state().word(), removal.state().why());
        ports.journal().appendAbout(removal.top().id(), fact, ports.clock().instant());
        ports.signals().raise(new Topic.RemovalDue());
        ports.signals().raise(new Topic.RemovalMoved(removal.id().value()));
    }
}
