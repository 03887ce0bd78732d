package dev.coppice.work;

import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.Topic;
import dev.coppice.run.Desk;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Hands errands to runners, and takes what they say. */
public final class DoErrands {
    private static final int AT_ONCE_MAX = 8;

    /** More than one keep can tell of. */
    private static final int RELEASED_AT_ONCE = 100_000;

    private static final Duration RELEASED_AGAIN = Duration.ofHours(1);
    private final Desk desk;
    private final Errands errands;

    public DoErrands(Desk desk, Errands errands) {
        this.desk = desk;
        this.errands = errands;
    }

    public List<Errand> take(String host, RunnerId runner) {
        var asked = desk.clock().instant();
        boolean isIdle =
                desk.transactions()
                        .read(() ->
                                errands.open(host, runner, asked, 1).isEmpty()
                                        && !errands.isUnheard(host, runner, asked));
        if (isIdle) return List.of();
        return desk.transactions()
                .write(() -> {
                    // Who waited to write must not hand out for less time than it should.
                    var now = desk.clock().instant();
                    errands.heard(host, runner, now);
                    // Someone else may have been faster.
                    return errands.open(host, runner, now, AT_ONCE_MAX).stream()
                            .filter(id -> errands.isTaken(id, runner, now))
                            .flatMap(id -> errands.find(id).stream())
                            .toList();
                });
    }

    /** As long as it is wanted; what comes later changes nothing any more. */
    public Optional<Errand> open(ErrandId id) {
        return desk.transactions()
                .read(() -> errands.isOpen(id) ? errands.find(id) : Optional.empty());
    }

    /** Saying it twice is saying it once; of what nobody waits for any more nothing is kept. */
    public Outcome<ErrandId> done(ErrandId id, List<WorkItem> items) {
        return desk.transactions()
                .write(() -> {
                    var errand = errands.find(id);
                    if (errand.isEmpty() || !errands.isOpen(id)) return Outcome.done(id);
                    // What was only kept now is taken away when it is asked for once more.
                    boolean again = errand.get().kind().takesAway() && !items.isEmpty();
                    if (again) keptMore(id, items);
                    else errands.done(id, desk.clock().instant(), items);
                    if (errand.get().kind() == Errand.Kind.KEEP) releaseMore(errand.get());
                    tell();
                    return Outcome.done(id);
                });
    }

    private void keptMore(ErrandId id, List<WorkItem> items) {
        var known = errands.found(List.of(id));
        var more = items.stream().filter(item -> !known.contains(item)).toList();
        if (!more.isEmpty()) errands.keptMore(id, more);
    }

    /** What was kept while its removal was called off goes as what was kept before does. */
    private void releaseMore(Errand kept) {
        var removal = kept.removal();
        if (removal == null || errands.of(removal, Errand.Kind.RELEASE).isEmpty()) return;
        errands.ask(removal, Errand.Kind.RELEASE, kept.terms(), RELEASED_AT_ONCE);
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

    /** Nobody waits for a release, so it is tried until it can be done. */
    public int releaseAgain() {
        var before = desk.clock().instant().minus(RELEASED_AGAIN);
        return desk.transactions().write(() -> errands.releaseAgain(before));
    }

    private void tell() {
        desk.signals().raise(new Topic.RemovalDue());
        desk.signals().raise(new Topic.ErrandOver());
    }
}
