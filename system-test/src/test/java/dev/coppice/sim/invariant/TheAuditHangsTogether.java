package dev.coppice.sim.invariant;

import dev.coppice.audit.AuditChain;
import dev.coppice.removal.Removal;
import dev.coppice.sim.World;

import java.util.Optional;
import java.util.stream.Collectors;

/** Whatever broke off in the middle: no record is missing, and no removal is without its record. */
public final class TheAuditHangsTogether implements Invariant {
    @Override
    public Optional<String> broken(World world) {
        if (!world.isCalm()) return Optional.empty();
        var records = world.audit();
        var check = new AuditChain.Check(null);
        records.forEach(check::read);
        if (!check.flaws().isEmpty()) return Optional.of(check.flaws().toString());
        var known =
                records.stream()
                        .map(r -> String.valueOf(r.act().what().removal()))
                        .collect(Collectors.toSet());
        return world.removals().stream()
                .map(Removal::id)
                .filter(id -> !known.contains(id.value()))
                .findFirst()
                .map(id -> id + " has no audit record");
    }
}
