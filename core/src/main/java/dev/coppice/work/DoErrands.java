package dev.coppice.work;

import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.Topic;
import dev.coppice.run.Desk;

import java.util.List;
import java.util.Optional;

/** Hands errands to runners, and takes what they say. */
public final class DoErrands {
    private static final int AT_ONCE_MAX = 8;
    private final Desk desk;
    private final Errands errands;

    public DoErrands(Desk desk, Errands errands) {
        this.desk = desk;
        this.errands = errands;
    }

    public List<Errand> take(String host, RunnerId runner) {
        var now = desk.clock().instant();
        var open = desk.transactions().read(() -> errands.open(host, runner, now, AT_ONCE_MAX));
        if (open.isEmpty()) return List.of();
        return desk.transactions()
                .write(() -> {
                    // Someone else may have been faster.
                    var mine = errands.open(host, runner, now, AT_ONCE_MAX);
                    mine.forEach(id -> errands.taken(id, runner, now));
                    return mine.stream().flatMap(id -> errands.find(id).stream()).toList();
                });
    }

    public Optional<Errand> find(ErrandId id) {
        return desk.transactions().read(() -> errands.find(id));
    }

    /** Saying it twice is saying it once; of what nobody waits for any more nothing is kept. */
    public Outcome<ErrandId> done(ErrandId id, List<WorkItem> items) {
        return desk.transactions()
                .write(() -> {
                    if (errands.isOpen(id)) {
                        errands.done(id, desk.clock().instant(), items);
                        tell();
                    }
                    return Outcome.done(id);
                });
    }

    public Outcome<ErrandId> failed(ErrandId id, String why) {
        return desk.transactions()
                .write(() -> {
                    if (errands.isOpen(id)) {
                        errands.failed(id, desk.clock().instant(), why);
                        tell();
                    }
                    return Outcome.done(id);
                });
    }

    private void tell() {
        desk.signals().raise(new Topic.RemovalDue());
        desk.signals().raise(new Topic.ErrandOver());
    }
}
