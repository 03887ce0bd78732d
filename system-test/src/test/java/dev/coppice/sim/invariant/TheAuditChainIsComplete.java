package dev.coppice.sim.invariant;

import dev.coppice.audit.AuditChain;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalState;
import dev.coppice.sim.World;

import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * Whatever a crash interrupts: the audit chain has no gap, and every state of a removal is recorded
 * in the same transaction.
 */
public final class TheAuditChainIsComplete implements Invariant<World> {
    private final AuditChain.Check check = new AuditChain.Check(null);
    private final Set<String> known = new HashSet<>();
    private long read;

    @Override
    public Optional<String> broken(World world) {
        for (var record : world.auditAfter(read)) {
            read = record.number();
            check.read(record);
            known.add(record.act().what().removal() + " " + record.act().what().act());
        }
        if (!check.flaws().isEmpty()) return Optional.of(check.flaws().toString());
        return world.removals().stream()
                .map(r -> r.id() + " " + act(r))
                .filter(move -> !known.contains(move))
                .findFirst()
                .map(move -> "no audit record says " + move);
    }

    private static String act(Removal removal) {
        return switch (removal.state()) {
            case RemovalState.Fencing _ -> "removal.ask";
            case RemovalState.Restoring _ -> "restore.ask";
            case RemovalState state -> "removal." + state.word();
        };
    }
}
