package dev.coppice.held;

import dev.coppice.callback.About;
import dev.coppice.callback.Callback;
import dev.coppice.callback.CallbackState;
import dev.coppice.callback.Join;
import dev.coppice.held.HeldRemovals.HeldRemoval;
import dev.coppice.held.HeldStore.HeldRun;
import dev.coppice.held.HeldStore.HeldSession;
import dev.coppice.kernel.SessionId;
import dev.coppice.removal.Inventory.Leftover;
import dev.coppice.removal.RemovalState;
import dev.coppice.run.Run;
import dev.coppice.run.RunState;
import dev.coppice.session.Session;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * The checks of the SQL store's inventory, made on a store in memory and under the same names.
 * Flaws that are impossible in memory are left out.
 */
public final class HeldInventory {
    private static final int SHOWN_MAX = 10;
    private static final Map<String, Question> QUESTIONS = questions();

    private final HeldStore.State now;
    private final Map<SessionId, Session> everyone = new HashMap<>();
    private final List<Run> runs;
    private final Set<String> live;

    private HeldInventory(HeldStore.State now) {
        this.now = now;
        var away = now.hidden.values();
        Stream.concat(
                        now.sessions.values().stream(),
                        away.stream().flatMap(a -> a.sessions().values().stream()))
                .map(HeldSession::session)
                .forEach(s -> everyone.put(s.id(), s));
        runs =
                Stream.concat(
                                now.runs.values().stream(),
                                away.stream().flatMap(a -> a.runs().values().stream()))
                        .map(HeldRun::run)
                        .toList();
        live =
                runs.stream()
                        .filter(HeldInventory::isLive)
                        .map(r -> r.id().value())
                        .collect(Collectors.toSet());
    }

    @FunctionalInterface
    private interface Question {
        Stream<?> in(HeldInventory all);
    }

    /** The names of all checks. */
    public static Set<String> asked() {
        return QUESTIONS.keySet();
    }

    /** Runs all checks, on visible and hidden sessions. */
    public static List<Leftover> leftovers(HeldStore store) {
        var all = new HeldInventory(store.now());
        var found = new ArrayList<Leftover>();
        QUESTIONS.forEach((what, question) -> {
            var some = question.in(all).map(String::valueOf).toList();
            if (some.isEmpty()) return;
            found.add(new Leftover(what, some.size(), some.stream().limit(SHOWN_MAX).toList()));
        });
        return List.copyOf(found);
    }

    private static Map<String, Question> questions() {
        var q = new LinkedHashMap<String, Question>();
        askOfSessions(q);
        askOfRemovals(q);
        askOfUncheckedReferences(q);
        askOfForeignKeys(q);
        return q;
    }

    private static void askOfSessions(Map<String, Question> q) {
        q.put(
                "session rows whose parent does not exist",
                a -> a.ids(s -> s.place().parent() != null && a.parentOf(s) == null));
        q.put("sessions that are not placed below their parent", a -> a.ids(a::isMisplaced));
        q.put(
                "root sessions with another root",
                a -> a.ids(s -> s.place().parent() == null && !s.place().root().equals(s.id())));
        q.put("sessions covered by a removal that is over", a -> a.ids(a::isOfRemovalThatIsOver));
        q.put(
                "session rows whose removal does not exist",
                a -> a.ids(s -> s.standing().removal() != null && a.hidingRemoval(s) == null));
    }

    private static void askOfRemovals(Map<String, Question> q) {
        q.put(
                "open callbacks to purged sessions",
                a -> a.callbacks(c -> isOwedOrHeld(c) && !a.everyone.containsKey(c.to())));
        q.put(
                "callbacks carried by no live run",
                a ->
                        a.callbacks(c ->
                                c.state() instanceof CallbackState.Carried(_, var by)
                                        && !a.live.contains(by.value())));
        q.put(
                "open removals without their session",
                a ->
                        a.now.removals.values().stream()
                                .map(HeldRemoval::removal)
                                .filter(r ->
                                        !r.state().isOver() && !isRestoringOrPurging(r.state()))
                                .filter(r -> !a.everyone.containsKey(r.top().id()))
                                .map(r -> r.id()));
        q.put(
                "live runs of hidden sessions",
                a ->
                        a.now.hidden.values().stream()
                                .flatMap(away -> away.runs().values().stream())
                                .map(HeldRun::run)
                                .filter(HeldInventory::isLive)
                                .map(Run::id));
        q.put(
                "sessions that their purged removal left behind",
                a -> a.now.removals.values().stream().flatMap(a::survivorsOfPurge));
    }

    private static void askOfUncheckedReferences(Map<String, Question> q) {
        q.put(
                "run rows whose runner does not exist",
                a ->
                        a.runs.stream()
                                .filter(HeldInventory::isLive)
                                .filter(r -> r.state().held() != null && !a.hasRunner(r))
                                .map(Run::id));
        q.put(
                "callback rows whose join_id does not exist",
                a ->
                        a.callbacks(c ->
                                isOpen(c)
                                        && c.about() instanceof About.JoinOver(var join)
                                        && !a.now.joins.containsKey(join.value())));
        q.put(
                "callback rows whose child_id does not exist",
                a ->
                        a.callbacks(c ->
                                isOpen(c)
                                        && c.about() instanceof About.ChildEnd(var child, _)
                                        && !a.isKnown(child)));
        q.put(
                "child_join_member rows whose child_id does not exist",
                a ->
                        a.now.joins.values().stream()
                                .filter(Join::isOpen)
                                .filter(j ->
                                        j.members().stream().anyMatch(m -> !a.isKnown(m.child())))
                                .map(Join::id));
    }

    private static void askOfForeignKeys(Map<String, Question> q) {
        q.put(
                "run rows whose session does not exist",
                a -> a.withoutSession(a.runs.stream().map(Run::session)));
        q.put(
                "child_join rows whose session does not exist",
                a -> a.withoutSession(a.now.joins.values().stream().map(Join::by)));
        q.put(
                "budget rows whose session does not exist",
                a -> a.withoutSession(a.now.budgets.keySet().stream().map(SessionId::new)));
        q.put(
                "spent rows whose session does not exist",
                a -> a.withoutSession(a.now.spent.keySet().stream().map(SessionId::new)));
        q.put(
                "tree_stop rows whose session does not exist",
                a -> a.withoutSession(a.now.stops.values().stream().map(s -> s.stop().top())));
        q.put(
                "workplace rows whose session does not exist",
                a -> a.withoutSession(a.now.places.values().stream().map(p -> p.session())));
        q.put(
                "event rows whose session does not exist",
                a ->
                        a.withoutSession(
                                a.now.entries.values().stream()
                                        .filter(e -> !a.now.withoutSession.contains(e.number()))
                                        .map(e -> e.session())));
        q.put(
                "confirmed_work rows whose removal does not exist",
                a -> a.now.confirmedWork.keySet().stream().filter(r -> !a.hasRemoval(r)));
        q.put(
                "task rows whose removal does not exist",
                a ->
                        a.now.tasks.values().stream()
                                .map(e -> e.task())
                                .filter(e -> e.removal() != null && !a.hasRemoval(e.removal()))
                                .map(e -> e.id()));
    }

    private Stream<SessionId> ids(Predicate<Session> which) {
        return everyone.values().stream().filter(which).map(Session::id);
    }

    private Stream<?> callbacks(Predicate<Callback> which) {
        return now.callbacks.values().stream().filter(which).map(Callback::id);
    }

    private Stream<SessionId> withoutSession(Stream<SessionId> ids) {
        return ids.filter(id -> !everyone.containsKey(id));
    }

    private @Nullable Session parentOf(Session session) {
        var parent = session.place().parentId();
        return parent == null ? null : everyone.get(parent);
    }

    private boolean isMisplaced(Session session) {
        var place = session.place();
        var parent = parentOf(session);
        return parent != null
                && (place.depth() != parent.place().depth() + 1
                        || !place.root().equals(parent.place().root()));
    }

    private @Nullable HeldRemoval hidingRemoval(Session session) {
        var removal = session.standing().removal();
        return removal == null ? null : now.removals.get(removal);
    }

    private boolean hasRemoval(String id) {
        return now.removals.containsKey(id);
    }

    private boolean isOfRemovalThatIsOver(Session session) {
        var hidingRemoval = hidingRemoval(session);
        return hidingRemoval != null && hidingRemoval.removal().state().isOver();
    }

    /** True if sessions are being added or deleted row by row. */
    private static boolean isRestoringOrPurging(RemovalState state) {
        return state instanceof RemovalState.Restoring || state instanceof RemovalState.Purging;
    }

    private static boolean isLive(Run run) {
        return !(run.state() instanceof RunState.Ended);
    }

    private static boolean isOwedOrHeld(Callback callback) {
        return isOpen(callback) && !(callback.state() instanceof CallbackState.Carried);
    }

    private static boolean isOpen(Callback callback) {
        return switch (callback.state()) {
            case CallbackState.Owed _, CallbackState.Held _, CallbackState.Carried _ -> true;
            case CallbackState.Delivered _, CallbackState.Joined _, CallbackState.Dead _ -> false;
        };
    }

    private boolean hasRunner(Run run) {
        var lease = Objects.requireNonNull(run.state().held());
        return now.runners.containsKey(lease.holder().runner().value());
    }

    /** True if the session exists or belongs to a removal. */
    private boolean isKnown(SessionId id) {
        return everyone.containsKey(id) || now.removals.values().stream().anyMatch(r -> has(r, id));
    }

    private static boolean has(HeldRemoval held, SessionId id) {
        return held.members().stream().anyMatch(m -> m.id().equals(id));
    }

    /** Sessions that survived a purge, except restored ones and those that reuse an id. */
    private Stream<SessionId> survivorsOfPurge(HeldRemoval held) {
        var removal = held.removal();
        if (!(removal.state() instanceof RemovalState.Purged)) return Stream.of();
        var back = new HashSet<SessionId>();
        for (var other : now.removals.values()) {
            boolean later = other.key() > held.key() && isComingBack(other.removal().state());
            if (later) other.members().forEach(m -> back.add(m.id()));
        }
        return held.members().stream()
                .map(m -> everyone.get(m.id()))
                .filter(Objects::nonNull)
                .filter(s -> s.times().created().isBefore(removal.times().began()))
                .filter(s -> s.standing().removal() == null && !back.contains(s.id()))
                .map(Session::id);
    }

    private static boolean isComingBack(RemovalState state) {
        return state instanceof RemovalState.Undoing || state instanceof RemovalState.Undone;
    }
}
