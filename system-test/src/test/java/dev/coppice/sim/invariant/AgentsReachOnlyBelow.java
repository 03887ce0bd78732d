package dev.coppice.sim.invariant;

import dev.coppice.access.Need;
import dev.coppice.kernel.SessionId;
import dev.coppice.session.Session;
import dev.coppice.sim.World;

import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * 11. An agent reads and spawns at its own session or below it, acts only below it, reports only
 * for it, and may do nothing else. Computed from the parents that sessions name, not from any
 * index.
 */
public final class AgentsReachOnlyBelow implements Invariant<World> {
    /** Checked only when the world is calm, because there are many pairs. */
    @Override
    public Optional<String> broken(World world) {
        if (!world.isCalm()) return Optional.empty();
        var parents = new HashMap<SessionId, SessionId>();
        var all = world.sessions();
        for (var session : all) {
            var parent = session.place().parentId();
            if (parent != null) parents.put(session.id(), parent);
        }
        for (var agent : all) {
            for (var target : all) {
                var broken = broken(world, parents, agent, target);
                if (broken.isPresent()) return broken;
            }
        }
        return Optional.empty();
    }

    private static Optional<String> broken(
            World world, Map<SessionId, SessionId> parents, Session agent, Session target) {
        boolean itself = agent.id().equals(target.id());
        boolean below = false;
        for (var at = parents.get(target.id()); at != null; at = parents.get(at)) {
            if (at.equals(agent.id())) below = true;
        }
        for (var need : Need.values()) {
            boolean may =
                    switch (need) {
                        case NOTHING, READ, SPAWN -> itself || below;
                        case ACT -> below;
                        case REPORT, TELL, BIND -> itself;
                        case DECIDE, DEFINE, READ_AUDIT, READ_FLEET, MANAGE_FLEET, RUN, SIGN_IN ->
                                false;
                    };
            if (world.reaches(agent.id(), need, target.id()) != may) {
                var what =
                        may ? "is denied, but must be allowed," : "is allowed, but must be denied,";
                return Optional.of("%s %s %s on %s".formatted(agent.id(), what, need, target.id()));
            }
        }
        return Optional.empty();
    }
}
