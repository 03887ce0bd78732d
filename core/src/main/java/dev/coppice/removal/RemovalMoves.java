package dev.coppice.removal;

import dev.coppice.journal.Fact;
import dev.coppice.kernel.Topic;
import dev.coppice.run.Desk;

import java.util.Optional;

/** Moves a removal, and writes down that it has moved, in one transaction. */
final class RemovalMoves {
    private final Desk desk;
    private final Removals removals;

    RemovalMoves(Desk desk, Removals removals) {
        this.desk = desk;
        this.removals = removals;
    }

    Optional<Removal> move(Removal removal, RemovalEvent event) {
        var moved = removal.on(event);
        moved.ifPresent(m -> {
            removals.save(m);
            tell(m);
        });
        return moved;
    }

    void tell(Removal removal) {
        var fact =
                new Fact.RemovalMoved(
                        removal.id().value(), removal.state().word(), removal.state().why());
        desk.journal().appendAbout(removal.top().id(), fact, desk.clock().instant());
        desk.signals().raise(new Topic.RemovalDue());
        desk.signals().raise(new Topic.RemovalMoved(removal.id().value()));
    }
}
