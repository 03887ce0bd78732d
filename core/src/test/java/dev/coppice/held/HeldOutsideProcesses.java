package dev.coppice.held;

import dev.coppice.kernel.Cursor;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Slice;
import dev.coppice.outside.OutsideProcess;
import dev.coppice.outside.OutsideProcesses;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** Processes of programs that Coppice did not start, in memory. */
record HeldOutsideProcesses(HeldStore store) implements OutsideProcesses {
    private Stream<OutsideProcess> all() {
        return store.now().outside.values().stream();
    }

    @Override
    public void save(OutsideProcess process) {
        with(process.host(), process.pid()).ifPresent(other -> delete(other.session()));
        store.now().outside.put(process.session().value(), process);
    }

    @Override
    public Optional<OutsideProcess> of(SessionId session) {
        return Optional.ofNullable(store.now().outside.get(session.value()));
    }

    @Override
    public Optional<OutsideProcess> with(String host, long pid) {
        return all().filter(p -> p.host().equals(host) && p.pid() == pid).findFirst();
    }

    @Override
    public Slice<OutsideProcess> list(@Nullable SessionId within, Cursor cursor) {
        var all =
                all().filter(p -> within == null || store.sessions().isWithin(p.session(), within));
        return new Slice<>(all.limit(cursor.max()).toList(), null);
    }

    @Override
    public List<OutsideProcess> on(String host, int max) {
        return all().filter(p -> p.host().equals(host)).limit(max).toList();
    }

    @Override
    public long count(String host) {
        return all().filter(p -> p.host().equals(host)).count();
    }

    @Override
    public void delete(SessionId session) {
        store.now().outside.remove(session.value());
    }
}
