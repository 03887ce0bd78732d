package dev.coppice.http;

import dev.coppice.kernel.Topic;
import dev.coppice.kernel.Transactions;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalId;
import dev.coppice.removal.RemovalState;
import dev.coppice.removal.Removals;
import dev.coppice.web.Bell;
import dev.coppice.web.Reply;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.time.Duration;
import java.time.InstantSource;
import java.util.function.Function;

/** Waits for a removal to come to rest. */
final class RemovalWaits {
    private final Transactions transactions;
    private final Removals removals;
    private final Bell bell;
    private final InstantSource clock;

    RemovalWaits(Transactions transactions, Removals removals, Bell bell, InstantSource clock) {
        this.transactions = transactions;
        this.removals = removals;
        this.bell = bell;
        this.clock = clock;
    }

    /** Hidden or over, or waiting for something that only a person can decide. */
    private static boolean isSettled(Removal removal) {
        return removal.state() instanceof RemovalState.Hidden
                || removal.state().isOver()
                || removal.state().waitsFor() != null;
    }

    Reply untilSettled(RemovalId id, Duration patience, Function<Removal, ObjectNode> view) {
        return untilSettled(id, patience, view, view);
    }

    /** What is shown of it before it is settled is another view. */
    Reply untilSettled(
            RemovalId id,
            Duration patience,
            Function<Removal, ObjectNode> view,
            Function<Removal, ObjectNode> before) {
        var until = clock.instant().plus(patience);
        return new Reply.Patient(
                200,
                new Reply.Wait() {
                    @Override
                    public @Nullable Object within(Duration time) throws InterruptedException {
                        var left = Duration.between(clock.instant(), until);
                        boolean last = left.compareTo(time) <= 0;
                        boolean settled = isSettledWithin(id, last ? left : time);
                        return settled || last || !bell.isOpen() ? shown(id, view) : null;
                    }

                    @Override
                    public Object soFar() {
                        return shown(id, before);
                    }
                });
    }

    /** It moves on several times before it is settled, and rings each time. */
    private boolean isSettledWithin(RemovalId id, Duration time) throws InterruptedException {
        long until = System.nanoTime() + time.toNanos();
        try (var ear = bell.ear(new Topic.RemovalMoved(id.value()))) {
            while (bell.isOpen() && !isSettled(look(id))) {
                long left = until - System.nanoTime();
                if (left <= 0) return false;
                ear.heard(Duration.ofNanos(left));
            }
        }
        return true;
    }

    private Removal look(RemovalId id) {
        return transactions.read(() -> removals.find(id).orElseThrow());
    }

    private ObjectNode shown(RemovalId id, Function<Removal, ObjectNode> view) {
        return transactions.read(() -> view.apply(look(id)));
    }
}
