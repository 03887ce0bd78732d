package dev.coppice.sim;

import dev.coppice.access.Caller;
import dev.coppice.follow.Follower;
import dev.coppice.follow.Followers;
import dev.coppice.follow.Item;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/**
 * A reader of the journal: what it gets is compared with {@link Truth} at the moment at which it
 * gets it. It may be slow, hang up, and come back with the number of its last entry.
 */
final class SimFollower implements Follower.Face {
    private final FaceWorld world;
    private final Caller caller;
    private final Truth.View view;
    private Follower follower;
    private Followers.Place place;
    private long received;
    private final Set<Long> got = new HashSet<>();

    /** The entries, of those that it is being given, that it must get. */
    private Set<Long> owed = new HashSet<>();

    private Optional<String> wrong = Optional.empty();

    SimFollower(FaceWorld world, Caller caller, Truth.View view) {
        this.world = world;
        this.caller = caller;
        this.view = view;
        this.place = world.followers().enter(caller);
        this.follower = world.follow(this, view.scope(), Long.MAX_VALUE);
        this.received = follower.at();
    }

    Caller caller() {
        return caller;
    }

    Followers.Place place() {
        return place;
    }

    long received() {
        return received;
    }

    Optional<String> wrong() {
        return wrong;
    }

    void hangUp() {
        follower.close();
        place.close();
    }

    /** Comes back after a break in the line, or to a coordinator that has restarted. */
    void comeBack() {
        place = world.followers().enter(caller);
        follower = world.follow(this, view.scope(), received);
        try {
            follower.from(received, this);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    /** Takes what is ready. */
    void read() {
        long before = follower.at();
        got.clear();
        owed = world.truth().owed(view, before);
        try {
            follower.next(Duration.ZERO, this);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
        long after = follower.at();
        owed.removeIf(n -> n > after || got.contains(n));
        if (!owed.isEmpty()) isWrong("missed %s of %d to %d".formatted(owed, before, after));
    }

    /** The store has changed while entries are being sent. */
    void seesChange() {
        owed.retainAll(world.truth().owed(view, 0));
    }

    @Override
    public boolean isThere() {
        return true;
    }

    @Override
    public void gap(long from, long to) {
        isWrong("was told of a gap from %d to %d".formatted(from, to));
    }

    @Override
    public void send(Item item) {
        var entry = item.entry();
        if (entry.number() <= received) {
            isWrong("got %d after %d".formatted(entry.number(), received));
        }
        if (!world.truth().allows(view, entry)) {
            isWrong("got %s, which it may not see".formatted(entry));
        }
        received = entry.number();
        got.add(received);
        world.readsSlowly();
    }

    private void isWrong(String what) {
        wrong = wrong.or(() -> Optional.of("%s as %s %s".formatted(caller.key(), view, what)));
    }
}
