package dev.coppice.held;

import dev.coppice.kernel.RunId;
import dev.coppice.kernel.SessionId;
import dev.coppice.run.Run;
import dev.coppice.run.hook.HookedRuns;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;

/** No run has hooks: what they do is told by blueprints, which this store does not read. */
final class NoHooks implements HookedRuns {
    @Override
    public List<Waiting> due(int max) {
        return List.of();
    }

    @Override
    public List<Run> followed(int max) {
        return List.of();
    }

    @Override
    public Optional<Waiting> waiting(RunId run) {
        return Optional.empty();
    }

    @Override
    public boolean isHook(SessionId session) {
        return false;
    }

    @Override
    public void begun(RunId run, SessionId hook) {
        throw new UnsupportedOperationException("a hook of " + run);
    }

    @Override
    public void oweFollower(RunId run) {
        throw new UnsupportedOperationException("a hook of " + run);
    }

    @Override
    public boolean owesFollower(RunId run) {
        return false;
    }

    @Override
    public void followed(RunId run, @Nullable SessionId by) {
        throw new UnsupportedOperationException("a hook of " + run);
    }

    @Override
    public void saveParameters(Run run) {
        throw new UnsupportedOperationException("a hook of " + run.id());
    }
}
