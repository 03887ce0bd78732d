package dev.coppice.stop;

import dev.coppice.kernel.SessionId;

import java.util.List;
import java.util.Optional;

/** All tree stops. Every method joins the current transaction. */
public interface TreeStops {
    /** {@code members} are the sessions that were live when the stop began. */
    void add(TreeStop stop, List<SessionId> members);

    void save(TreeStop stop);

    Optional<TreeStop> find(StopId id);

    /** The stops under way in the tree with this root. */
    List<TreeStop> openIn(SessionId root);

    /** The stops under way, oldest first. */
    List<TreeStop> open(int max);

    /** In the order of their creation. */
    List<SessionId> membersOf(StopId id);
}
