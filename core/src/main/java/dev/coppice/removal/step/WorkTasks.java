package dev.coppice.removal.step;

import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.RemovalRefusal.Objection;
import dev.coppice.removal.Backups;
import dev.coppice.removal.PlanRemoval;
import dev.coppice.removal.Removal;
import dev.coppice.removal.RemovalAudit;
import dev.coppice.removal.Survey;
import dev.coppice.run.Ports;
import dev.coppice.word.Choice;
import dev.coppice.work.DirectoryTask;
import dev.coppice.work.DirectoryTaskId;
import dev.coppice.work.DirectoryTasks;
import dev.coppice.work.InspectWork;
import dev.coppice.work.InspectedWork;
import dev.coppice.work.WorkItem;
import dev.coppice.work.Workplaces;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;

/**
 * Directory tasks of a removal: runners preserve unsaved work before anything is hidden, and delete
 * what Coppice made when the tree is purged.
 */
record WorkTasks(
        Ports ports,
        DirectoryTasks tasks,
        Workplaces workplaces,
        PlanRemoval planner,
        RemovalAudit audit) {
    private static final int PLACES_AT_ONCE = 500;
    private static final int ITEMS_AT_ONCE = 1_000;
    private static final int NAMED_MAX = 3;
    private static final Duration AGAIN_AFTER = Duration.ofSeconds(60);

    /**
     * Inspects the confirmed work again, when nothing can start any more and before anything is
     * stopped. A host that did not answer for the plan may still be silent.
     */
    Piece inspectAgain(Removal removal) {
        if (!removal.order().confirmed()) return new Piece.Done();
        boolean sawAll = removal.order().workDigest() != null;
        return switch (done(removal, DirectoryTask.Kind.INSPECT)) {
            // No work was confirmed, and unseen work is preserved before it is deleted.
            case Piece.Broken(var why) when !sawAll && removal.choices().discards() ->
                    isOverdue(removal)
                            ? giveUpUnclaimedInspections(removal, why)
                            : awaitInspections(removal);
            case Piece.Broken(var why) ->
                    new Piece.Broken("unsaved work could not be inspected again: " + why);
            case Piece.Waits(var what) when what != null && !sawAll ->
                    giveUpUnclaimedInspections(removal, what);
            case Piece piece -> piece;
        };
    }

    private Piece awaitInspections(Removal removal) {
        var open = tasks.progress(removal.id().value(), DirectoryTask.Kind.INSPECT).open();
        return open == 0 ? new Piece.Done() : new Piece.Waits(null);
    }

    /** Gives up inspections that are not claimed; claimed ones are still waited for. */
    private Piece giveUpUnclaimedInspections(Removal removal, String what) {
        var id = removal.id().value();
        tasks.giveUp(id, DirectoryTask.Kind.INSPECT, ports.clock().instant(), what);
        return awaitInspections(removal) instanceof Piece.Done
                ? new Piece.Done()
                : new Piece.Waits(what);
    }

    private boolean isOverdue(Removal removal) {
        var until = removal.state().since().plus(removal.choices().deadline());
        return until.isBefore(ports.clock().instant());
    }

    /** Deletes the inspections; returns how the tree differs from what was confirmed, or null. */
    @Nullable String finishInspections(Removal removal) {
        if (!removal.order().confirmed()) return null;
        var top = ports.sessions().find(removal.top().id()).orElseThrow();
        var seen = InspectedWork.remembered(removal.order().workDigest()).with(found(removal));
        var other = otherWork(removal);
        tasks.delete(inspections(removal));
        if (other != null) return other;
        var choices = removal.choices();
        var now = planner.of(top, choices, Survey.NOTHING, seen);
        if (now.digest().equals(removal.digest())) return null;
        // Abandoning unreachable hosts meanwhile changes nothing else in the plan.
        var before = choices.with(Choice.Unreachable.WAIT);
        var waiting = planner.of(top, before, Survey.NOTHING, seen);
        if (waiting.digest().equals(removal.digest())) return null;
        var against = now.objections().stream().map(Objection::said).toList();
        var what = against.isEmpty() ? "" : ": " + String.join("; ", against);
        return "the tree changed after it was confirmed" + what;
    }

    private List<DirectoryTaskId> inspections(Removal removal) {
        return tasks.idsOf(removal.id().value(), DirectoryTask.Kind.INSPECT);
    }

    /**
     * Preserves unsaved work. Work to be discarded is inspected once more instead: it must be what
     * was confirmed.
     */
    Piece preserve(Removal removal) {
        boolean discards = removal.choices().discards();
        if (discards && removal.order().workDigest() == null) return new Piece.Done();
        var kind = discards ? DirectoryTask.Kind.INSPECT : DirectoryTask.Kind.PRESERVE;
        var piece = done(removal, kind);
        return switch (piece) {
            case Piece.Done _ -> {
                var other = otherWork(removal);
                yield other == null ? piece : new Piece.Broken(other);
            }
            case Piece.Broken(var why) ->
                    new Piece.Broken("unsaved work could not be preserved: " + why);
            case Piece.More _, Piece.Waits _, Piece.Ends _ -> piece;
        };
    }

    /**
     * Deletes what Coppice made. A directory that cannot be deleted is retried later. Only work
     * that was inspected and confirmed is discarded: a plan without unsaved work, or without some
     * host, does not cover work that is found later.
     */
    Piece cleanUp(Removal removal) {
        var kind = mayDiscard(removal) ? DirectoryTask.Kind.DELETE : DirectoryTask.Kind.CLEAN_UP;
        var piece = done(removal, kind);
        if (!(piece instanceof Piece.Broken(var why))) return piece;
        var before = ports.clock().instant().minus(AGAIN_AFTER);
        tasks.retryFailed(removal.id().value(), kind, before);
        return new Piece.Waits("files made by Coppice could not be deleted: " + why);
    }

    private boolean mayDiscard(Removal removal) {
        if (!removal.choices().discards() || removal.order().workDigest() == null) return false;
        boolean began = !tasks.idsOf(removal.id().value(), DirectoryTask.Kind.DELETE).isEmpty();
        return began || givenUpHosts(removal).isEmpty();
    }

    /**
     * Deletes the files of the preserved output of runs, of which a backup holds its own copy. A
     * failed restore preserved nothing: the work that it imported is still in its file. This is
     * slow work, outside of any write, and safe to repeat.
     */
    void dropFiles(Removal removal, Backups backups) {
        var id = removal.id().value();
        if (removal.times().hidden() == null) {
            ports.transactions().read(() -> brought(id)).forEach(backups::drop);
            return;
        }
        var next = Cursor.first(ITEMS_AT_ONCE);
        while (next != null) {
            var cursor = next;
            var page = ports.transactions().read(() -> tasks.found(id, cursor));
            for (var item : page.items()) {
                var preserved = item.kind() == WorkItem.Kind.OUTPUT ? item.preserved() : null;
                if (preserved == null || preserved.file() == null) continue;
                backups.drop(preserved.file());
            }
            next = page.next() == null ? null : new Cursor(page.next(), ITEMS_AT_ONCE);
        }
    }

    private List<DirectoryTaskId> brought(String removal) {
        return tasks.idsOf(removal, DirectoryTask.Kind.PRESERVE);
    }

    /** Deletes the rows of the files that {@link #dropFiles} deleted. */
    void forget(Removal removal) {
        var id = removal.id().value();
        workplaces.forgetConfirmed(id);
        if (removal.times().hidden() == null) {
            tasks.delete(brought(id));
            return;
        }
        tasks.deleteOutput(id);
        // Keep the record of hosts that were skipped: callers can still ask for it.
        if (givenUpHosts(removal).isEmpty()) tasks.delete(inspections(removal));
    }

    /**
     * Deletes refs to preserved work, because the tree and its work stay. True if more tasks were
     * created.
     */
    boolean releaseRefs(Removal removal) {
        var id = removal.id().value();
        tasks.cancelUnclaimed(
                id,
                DirectoryTask.Kind.PRESERVE,
                ports.clock().instant(),
                "the tree is not removed");
        workplaces.forgetConfirmed(id);
        tasks.delete(inspections(removal));
        var terms = DirectoryTask.Terms.at(removal.times().began());
        return tasks.create(id, DirectoryTask.Kind.RELEASE, terms, PLACES_AT_ONCE) > 0;
    }

    private Piece done(Removal removal, DirectoryTask.Kind kind) {
        var id = removal.id().value();
        var preservation = removal.choices().preservation();
        var terms =
                new DirectoryTask.Terms(
                        preservation.ignored(),
                        preservation.directories(),
                        removal.times().began());
        // Inspect in the same portions as a plan: sessions that share a directory are reported
        // together.
        boolean together = removal.order().workDigest() != null;
        int places = together ? InspectWork.PLACES_MAX : PLACES_AT_ONCE;
        if (tasks.create(id, kind, terms, places) > 0) return new Piece.More();
        var progress = tasks.progress(id, kind);
        var failure = progress.failure();
        boolean abandons = removal.choices().unreachable() == Choice.Unreachable.ABANDON;
        // Only unreachable=abandon permits leaving directories that cannot be deleted.
        if (progress.failed() > 0 && kind.deletesDirectories() && abandons) {
            tasks.giveUp(id, kind, ports.clock().instant(), "left in place: " + failure);
            audit.leftUndone(removal, "left in place: " + failure);
            return new Piece.Done();
        }
        if (progress.failed() > 0) return new Piece.Broken(String.valueOf(failure));
        if (progress.open() == 0) return new Piece.Done();
        if (!isOverdue(removal)) return new Piece.Waits(null);
        var left = abandons ? giveUpUnanswered(removal, kind, progress) : progress;
        if (left.open() == 0) return new Piece.Done();
        return new Piece.Waits(left.said());
    }

    /**
     * Gives up unclaimed tasks and those whose claim expired. Claimed tasks are still waited for.
     */
    private DirectoryTasks.Progress giveUpUnanswered(
            Removal removal, DirectoryTask.Kind kind, DirectoryTasks.Progress progress) {
        var id = removal.id().value();
        tasks.giveUp(id, kind, ports.clock().instant(), "no runner answered");
        var left = tasks.progress(id, kind);
        if (left.open() == progress.open()) return left;
        var gone = new ArrayList<>(progress.hosts());
        gone.removeAll(left.hosts());
        var hosts = String.join(", ", gone.isEmpty() ? progress.hosts() : gone);
        audit.leftUndone(removal, "no runner answered on " + hosts);
        return left;
    }

    /**
     * Names the directories that differ from what was confirmed; null if none does. Hosts that were
     * given up are not checked. If work is discarded, additional work counts too.
     */
    private @Nullable String otherWork(Removal removal) {
        if (removal.order().workDigest() == null) return null;
        var confirmed = Set.copyOf(workplaces.confirmed(removal.id().value()));
        var found = Set.copyOf(InspectedWork.states(found(removal)));
        var silent = givenUpHosts(removal);
        var other = new TreeSet<String>();
        for (var state : confirmed) {
            boolean isAsItWas = found.contains(state) || silent.contains(state.host());
            if (!isAsItWas) other.add(state.directory());
        }
        for (var state : found) {
            boolean isNew = removal.choices().discards() && !confirmed.contains(state);
            if (isNew) other.add(state.directory());
        }
        if (other.isEmpty()) return null;
        var some = other.stream().limit(NAMED_MAX).collect(Collectors.joining(", "));
        var more = other.size() > NAMED_MAX ? " and " + (other.size() - NAMED_MAX) + " more" : "";
        return "the unsaved work changed after it was confirmed, in " + some + more;
    }

    private Set<String> givenUpHosts(Removal removal) {
        return tasks.notPreserved(removal.id().value(), InspectWork.PLACES_MAX).stream()
                .map(DirectoryTasks.NotPreserved::host)
                .collect(Collectors.toSet());
    }

    /** The work found. If no work was confirmed, only items with critical operations. */
    private List<WorkItem> found(Removal removal) {
        boolean all = removal.order().workDigest() != null;
        var found = new ArrayList<WorkItem>();
        var cursor = Cursor.first(ITEMS_AT_ONCE);
        while (true) {
            var page = tasks.found(removal.id().value(), cursor);
            page.items().stream().filter(i -> all || !i.busy().isEmpty()).forEach(found::add);
            if (page.next() == null) break;
            cursor = new Cursor(page.next(), ITEMS_AT_ONCE);
        }
        return found;
    }
}
