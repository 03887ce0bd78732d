package dev.coppice.sim.invariant;

import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.SessionId;
import dev.coppice.session.Session;
import dev.coppice.sim.World;

import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/** 1. A session has no parent or an existing one. There is no cycle. Depth is bounded. */
public final class TreesAreTrees implements Invariant<World> {
    @Override
    public Optional<String> broken(World world) {
        var all =
                world.sessions().stream()
                        .collect(Collectors.toMap(Session::id, Function.identity()));
        return all.values().stream().flatMap(s -> broken(s, all).stream()).findFirst();
    }

    private static Optional<String> broken(Session session, Map<SessionId, Session> all) {
        int steps = 0;
        var at = session;
        while (at.place().parentId() != null) {
            var parent = all.get(at.place().parentId());
            if (parent == null) return Optional.of(at.id() + " has a parent that does not exist");
            at = parent;
            if (++steps > Bounds.TREE_DEPTH_MAX) {
                return Optional.of(session.id() + " is in a cycle or too deep");
            }
        }
        if (steps != session.place().depth() || !at.id().equals(session.place().root())) {
            return Optional.of(session.id() + " has the wrong depth or root");
        }
        return Optional.empty();
    }
}
