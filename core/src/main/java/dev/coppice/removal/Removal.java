package dev.coppice.removal;

import dev.coppice.callback.RemovedBy;
import dev.coppice.kernel.SessionId;
import dev.coppice.word.Choice;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/** The removal of a session and its descendants, or the restore of a tree from a file. */
public record Removal(
        RemovalId id,
        Top top,
        Choices choices,
        Order order,
        Taken taken,
        String digest,
        RemovalState state,
        Times times,
        @Nullable Backup backup,
        Tries tries) {
    public Removal(
            RemovalId id,
            Top top,
            Choices choices,
            Order order,
            Taken taken,
            String digest,
            RemovalState state,
            Times times,
            @Nullable Backup backup) {
        this(id, top, choices, order, taken, digest, state, times, backup, Tries.NONE);
    }

    /** The session to be removed, as it was when the removal was requested. */
    public record Top(SessionId id, String name, @Nullable SessionId parent) {}

    /**
     * The caller and its reason; whether the plan was confirmed, and the digest of the unsaved work
     * that was confirmed with it.
     */
    public record Order(
            String by, @Nullable String reason, boolean confirmed, @Nullable String workDigest) {}

    /** The file that holds the whole tree. */
    public record Backup(String file, String sha256, long size) {}

    /** The failures in a row in the current state, and the time before which it is not retried. */
    public record Tries(int failed, @Nullable Instant next) {
        public static final Tries NONE = new Tries(0, null);
        private static final int DOUBLINGS_MAX = 10;

        /** Counts a failure. The pause before the next try doubles with each, up to the longest. */
        public Tries failedOnce(Instant now, Duration longest) {
            var pause = Duration.ofSeconds(1L << Math.min(failed, DOUBLINGS_MAX));
            var next = pause.compareTo(longest) < 0 ? pause : longest;
            return new Tries(failed + 1, next.isZero() ? null : now.plus(next));
        }
    }

    /** The size of the tree, as last counted. */
    public record Taken(long sessions, long runs, long events, long eventBytes) {}

    /** The times at which it began, was hidden and ended, and the end of the undo window. */
    public record Times(
            Instant began,
            @Nullable Instant hidden,
            @Nullable Instant undoUntil,
            @Nullable Instant ended) {

        Times after(RemovalState state) {
            return switch (state) {
                case RemovalState.Hiding(var at) -> new Times(began, at, null, null);
                case RemovalState.Hidden(_, var until) -> new Times(began, hidden, until, null);
                case RemovalState.Over over -> new Times(began, hidden, undoUntil, over.since());
                case RemovalState.Fencing _,
                        RemovalState.Quiescing _,
                        RemovalState.Preserving _,
                        RemovalState.BackingUp _,
                        RemovalState.Detaching _,
                        RemovalState.Restoring _,
                        RemovalState.Undoing _,
                        RemovalState.TakingBack _,
                        RemovalState.Purging _ ->
                        this;
            };
        }
    }

    /** The removal after an event; empty if its state does not allow the event. */
    Optional<Removal> on(RemovalEvent event) {
        return switch (RemovalLifecycle.next(state, event)) {
            case RemovalLifecycle.Step.Moved(var next) -> Optional.of(in(next));
            case RemovalLifecycle.Step.Refused _ -> Optional.empty();
        };
    }

    /** Records that more rows came from the file; empty if none are expected. The state stays. */
    Optional<Removal> withMoreRows(Instant at) {
        return state instanceof RemovalState.Restoring
                ? Optional.of(in(new RemovalState.Restoring(at)))
                : Optional.empty();
    }

    private Removal in(RemovalState next) {
        boolean stays = next.getClass() == state.getClass();
        var left = stays ? tries : Tries.NONE;
        var then = times.after(next);
        return new Removal(id, top, choices, order, taken, digest, next, then, backup, left);
    }

    public Removal with(Backup written) {
        return new Removal(id, top, choices, order, taken, digest, state, times, written, tries);
    }

    public Removal with(Taken counted) {
        return new Removal(id, top, choices, order, counted, digest, state, times, backup, tries);
    }

    public Removal with(Tries other) {
        return new Removal(id, top, choices, order, taken, digest, state, times, backup, other);
    }

    Removal abandoning() {
        var changed = choices.with(Choice.Unreachable.ABANDON);
        return new Removal(id, top, changed, order, taken, digest, state, times, backup, tries);
    }

    /** The reason given for the stops and for the callbacks that it settles. */
    public String why() {
        return "removed by " + id + (order.reason() == null ? "" : ": " + order.reason());
    }

    public RemovedBy by() {
        return new RemovedBy(id.value(), why());
    }

    /** True if the tree stays or is coming back. */
    public boolean isTakenBack() {
        return switch (state) {
            case RemovalState.Undoing _, RemovalState.Undone _ -> true;
            case RemovalState.TakingBack _, RemovalState.TakenBack _ -> true;
            case RemovalState.Fencing _, RemovalState.Quiescing _ -> false;
            case RemovalState.Preserving _, RemovalState.BackingUp _ -> false;
            case RemovalState.Detaching _, RemovalState.Hiding _, RemovalState.Hidden _ -> false;
            case RemovalState.Restoring _, RemovalState.Purging _, RemovalState.Purged _ -> false;
        };
    }

    public boolean detaches() {
        return choices.children() == Choice.Children.DETACH;
    }

    /**
     * Progress for a caller that waits; {@code told} of {@code all} sessions are announced. Steps
     * that were not chosen add nothing.
     */
    public int percent(long told, long all) {
        int preserved = choices.discards() ? 15 : 25;
        return switch (state) {
            case RemovalState.Fencing _, RemovalState.Quiescing _ -> 15;
            case RemovalState.Preserving _ -> preserved;
            case RemovalState.BackingUp _, RemovalState.Detaching _ ->
                    choices.preservation().backup() == Choice.Backup.YES ? 35 : preserved;
            case RemovalState.Restoring _ -> 50;
            case RemovalState.Hiding _ ->
                    detaches() ? 85 : 50 + (int) (30 * told / Math.max(1, all));
            // With purge=later the removal was complete for its caller once it was hidden.
            case RemovalState.Purging _ -> choices.purge() == Choice.Purge.NOW ? 85 : 100;
            case RemovalState.Hidden _, RemovalState.Undoing _, RemovalState.TakingBack _ -> 100;
            case RemovalState.Over _ -> 100;
        };
    }
}
