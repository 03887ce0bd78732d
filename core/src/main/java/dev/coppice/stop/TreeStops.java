package dev.coppice.stop;

import dev.coppice.kernel.SessionId;

import java.util.List;
import java.util.Optional;

/** Every stop of a tree. All of it acts within the transaction under way. */
public interface TreeStops {
    /** With the sessions that lived when it began. */
    void add(TreeStop stop, List<SessionId> members);

    void save(TreeStop stop);

    Optional<TreeStop> find(StopId id);

    /** Those not over in the tree with this root. */
    List<TreeStop> openIn(SessionId root);

    /** Those not over, the oldest first. */
    List<TreeStop> open(int max);

    /** In the order in which they were born. */
    List<SessionId> membersOf(StopId id);
}
