package dev.coppice.held;

import dev.coppice.kernel.RunId;
import dev.coppice.kernel.SessionId;
import dev.coppice.run.HookedRuns;
import dev.coppice.run.Run;
import dev.coppice.run.RunState;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Runs with hooks, in memory. */
final class HeldHookedRuns implements HookedRuns {
    /** Stands for the session that follows a run, until that is started. */
    private static final String OWED = "";

    private final HeldStore store;

    HeldHookedRuns(HeldStore store) {
        this.store = store;
    }

    private Stream<Run> runs() {
        return store.now().runs.values().stream()
                .map(HeldStore.HeldRun::run)
                .filter(run -> !store.isFrozen(run.session()));
    }

    private Waiting waiting(Run run) {
        var hook = store.now().hooks.get(run.id().value());
        return new Waiting(run, hook == null ? null : new SessionId(hook));
    }

    private boolean isDue(Waiting waiting) {
        var hook = waiting.hook();
        return hook == null || store.runs().liveOf(hook).isEmpty();
    }

    @Override
    public List<Waiting> due(int max) {
        return runs().filter(run -> run.state() instanceof RunState.Hooked)
                .map(this::waiting)
                .filter(this::isDue)
                .limit(max)
                .toList();
    }

    @Override
    public Optional<Waiting> waiting(RunId run) {
        return store.runs()
                .find(run)
                .filter(found -> found.state() instanceof RunState.Hooked)
                .map(this::waiting);
    }

    @Override
    public List<Run> followed(int max) {
        return runs().filter(run -> owesFollower(run.id())).limit(max).toList();
    }

    @Override
    public boolean isHook(SessionId session) {
        return store.now().hooks.containsValue(session.value())
                || store.now().followers.containsValue(session.value());
    }

    @Override
    public void begun(RunId run, SessionId hook) {
        store.now().hooks.put(run.value(), hook.value());
    }

    @Override
    public void oweFollower(RunId run) {
        store.now().followers.put(run.value(), OWED);
    }

    @Override
    public boolean owesFollower(RunId run) {
        return OWED.equals(store.now().followers.get(run.value()));
    }

    @Override
    public void followed(RunId run, @Nullable SessionId by) {
        if (by == null) store.now().followers.remove(run.value());
        else store.now().followers.put(run.value(), by.value());
    }

    @Override
    public void saveParameters(Run run) {
        store.runs().save(run);
    }
}
