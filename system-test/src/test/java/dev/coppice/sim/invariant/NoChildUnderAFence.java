package dev.coppice.sim.invariant;

import dev.coppice.journal.Entry;
import dev.coppice.journal.Fact;
import dev.coppice.sim.World;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * 2. When a child is inserted, its parent is live, and no session above it is being stopped or
 * removed. The state of the parent at that moment comes from the journal.
 *
 * <p>A fence belongs to a session and not to its id. A purge deletes the rows first, and may then
 * wait for a host that cannot delete its directories. The id is free in between, while the journal
 * still says that the removal is purging. At ce98c3e, seed 2641 started another session with such
 * an id and a child below it, and this invariant took the child for one under the fence. Nothing in
 * the rules was wrong, and nothing has changed there since: later seeds play other worlds, because
 * a runner draws how many runs it asks for since 2d6d1cfe.
 */
public final class NoChildUnderAFence implements Invariant<World> {
    private static final Set<String> FORBIDDEN =
            Set.of("stopping", "stopped", "failed", "timed_out", "lost");
    private static final Set<String> UNDER_REMOVAL =
            Set.of(
                    "fencing",
                    "quiescing",
                    "preserving",
                    "backing_up",
                    "detaching",
                    "hiding",
                    "hidden",
                    "purging",
                    "restoring",
                    "undoing",
                    "taking_back");
    private final Map<String, String> states = new HashMap<>();
    private final Map<String, String> parents = new HashMap<>();
    private final Set<String> fences = new HashSet<>();
    private final Set<String> removed = new HashSet<>();
    private long seen;

    @Override
    public Optional<String> broken(World world) {
        for (var entry : world.entriesAfter(seen)) {
            seen = entry.number();
            var broken = broken(entry);
            if (broken.isPresent()) return broken;
        }
        return Optional.empty();
    }

    private Optional<String> broken(Entry entry) {
        return switch (entry.fact()) {
            case Fact.SessionCreated(var shot) -> {
                forgetFences(shot.id());
                states.put(shot.id(), shot.state());
                var parent = shot.where().parentId();
                var state = parent == null ? "none" : states.getOrDefault(parent, "unknown");
                var fenced = fencedAbove(shot.id(), parent);
                if (fenced.isPresent()) yield fenced;
                yield FORBIDDEN.contains(state)
                        ? Optional.of(
                                "%s was inserted below %s, which was %s"
                                        .formatted(shot.id(), parent, state))
                        : Optional.empty();
            }
            case Fact.SessionUpdated(var shot) -> {
                states.put(shot.id(), shot.state());
                yield Optional.empty();
            }
            case Fact.RemovalMoved(_, var state, _) -> {
                boolean fenced = UNDER_REMOVAL.contains(state);
                if (fenced) removed.add(entry.session().value());
                else removed.remove(entry.session().value());
                yield Optional.empty();
            }
            case Fact.SessionDetached _ -> {
                parents.remove(entry.session().value());
                yield Optional.empty();
            }
            case Fact.SessionAttached(_, var to) -> {
                parents.put(entry.session().value(), to);
                yield Optional.empty();
            }
            case Fact.TreeStopMoved(_, var what, _, _) -> {
                if (what.equals("began")) fences.add(entry.session().value());
                else fences.remove(entry.session().value());
                yield Optional.empty();
            }
            case Fact.SessionDeleted _, Fact.SessionRestored _ -> Optional.empty();
            case Fact.Moves other ->
                    Optional.of("this invariant does not follow the fact " + other);
            default -> Optional.empty();
        };
    }

    /** Forgets what is known of an earlier session with this id, which is purged. */
    private void forgetFences(String id) {
        removed.remove(id);
        fences.remove(id);
    }

    /** Describes the insertion below a session whose tree is being stopped or removed. */
    private Optional<String> fencedAbove(String id, @Nullable String parent) {
        if (parent == null) parents.remove(id);
        else parents.put(id, parent);
        for (@Nullable String at = parent; at != null; at = parents.get(at)) {
            if (removed.contains(at)) {
                return Optional.of(
                        "%s was inserted into the tree of %s, which is being removed"
                                .formatted(id, at));
            }
            if (fences.contains(at)) {
                return Optional.of(
                        "%s was inserted into the tree of %s, which is being stopped"
                                .formatted(id, at));
            }
        }
        return Optional.empty();
    }
}
