package dev.coppice.held;

import dev.coppice.callback.About;
import dev.coppice.callback.Callback;
import dev.coppice.callback.CallbackFilter;
import dev.coppice.callback.CallbackId;
import dev.coppice.callback.CallbackState;
import dev.coppice.callback.Callbacks;
import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;

import java.time.Instant;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;

/** Callbacks in memory. */
public final class HeldCallbacks implements Callbacks {
    private static final Set<String> WAS_TOLD = Set.of("carried", "delivered");
    private final HeldStore store;

    HeldCallbacks(HeldStore store) {
        this.store = store;
    }

    private List<Callback> all(Predicate<Callback> which) {
        return store.now().callbacks.values().stream().filter(which).toList();
    }

    @Override
    public void add(Callback callback) {
        store.now().callbacks.put(++store.now().lastKey, callback);
    }

    @Override
    public void save(Callback callback) {
        store.now().callbacks.put(key(callback.id()), callback);
    }

    private Long key(CallbackId id) {
        return store.now().callbacks.entrySet().stream()
                .filter(e -> e.getValue().id().equals(id))
                .map(Map.Entry::getKey)
                .findFirst()
                .orElseThrow();
    }

    @Override
    public Optional<Callback> find(CallbackId id) {
        return all(c -> c.id().equals(id)).stream().findFirst();
    }

    @Override
    public List<Callback> openOf(SessionId to, int max) {
        return all(c -> c.to().equals(to) && isOpen(c)).stream().limit(max).toList();
    }

    @Override
    public List<Callback> openAbout(SessionId to, SessionId child) {
        return all(c ->
                c.to().equals(to)
                        && isOpen(c)
                        && c.about() instanceof About.ChildEnd(var of, _)
                        && of.equals(child));
    }

    private static boolean isOpen(Callback callback) {
        return callback.state() instanceof CallbackState.Owed
                || callback.state() instanceof CallbackState.Held;
    }

    @Override
    public List<Callback> messagesWithin(SessionId top, int max) {
        var sessions = store.sessions();
        return all(c ->
                        isOpen(c)
                                && c.about() instanceof About.Message
                                && sessions.isWithin(c.to(), top))
                .stream()
                .limit(max)
                .toList();
    }

    @Override
    public List<Callback> carriedBy(RunId run) {
        return all(c -> c.state() instanceof CallbackState.Carried(_, var by) && by.equals(run));
    }

    @Override
    public Optional<Callback> ofChildRun(RunId run) {
        return all(c -> c.about() instanceof About.ChildEnd(_, var of) && of.equals(run)).stream()
                .findFirst();
    }

    @Override
    public List<SessionId> waitingSince(Instant now, int max) {
        var runs = store.runs();
        return all(c ->
                        c.state() instanceof CallbackState.Owed(_, var due)
                                && !due.isAfter(now)
                                && runs.liveOf(c.to()).isEmpty()
                                && !store.isFrozen(c.to()))
                .stream()
                .sorted(Comparator.comparing(HeldCallbacks::due))
                .map(Callback::to)
                .distinct()
                .limit(max)
                .toList();
    }

    private static Instant due(Callback callback) {
        return callback.state() instanceof CallbackState.Owed(_, var due) ? due : Instant.MAX;
    }

    @Override
    public List<Callback> heldSince(Instant moment, int max) {
        return all(c ->
                        c.state() instanceof CallbackState.Held
                                && c.state().since().isBefore(moment))
                .stream()
                .limit(max)
                .toList();
    }

    @Override
    public boolean hasCarried(SessionId to, About.Notice notice) {
        return all(c ->
                        c.to().equals(to)
                                && (c.tries() > 0 || WAS_TOLD.contains(c.state().word()))
                                && c.about() instanceof About.Message(_, _, _, var its)
                                && notice.equals(its))
                        .size()
                > 0;
    }

    @Override
    public Slice<Callback> list(CallbackFilter filter, Cursor cursor) {
        long before = cursor.after() == null ? Long.MAX_VALUE : Long.parseLong(cursor.after());
        var sessions = store.sessions();
        var found =
                store.now().callbacks.descendingMap().entrySet().stream()
                        .filter(e -> e.getKey() < before)
                        .filter(e -> fits(e.getValue(), filter))
                        .filter(e ->
                                filter.within() == null
                                        || sessions.isWithin(e.getValue().to(), filter.within()))
                        .toList();
        boolean more = found.size() > cursor.max();
        var shown = more ? found.subList(0, cursor.max()) : found;
        return new Slice<>(
                shown.stream().map(Map.Entry::getValue).toList(),
                more ? Objects.toString(shown.getLast().getKey()) : null);
    }

    private static boolean fits(Callback callback, CallbackFilter filter) {
        return (filter.to() == null || filter.to().equals(callback.to()))
                && (filter.states().isEmpty() || filter.states().contains(callback.state().word()));
    }
}
