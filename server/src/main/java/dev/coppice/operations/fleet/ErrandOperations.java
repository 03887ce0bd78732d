package dev.coppice.operations.fleet;

import dev.coppice.access.Need;
import dev.coppice.backup.Storeroom;
import dev.coppice.fleet.Runner;
import dev.coppice.fleet.Runners;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.RunRefusal;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.Transactions;
import dev.coppice.operation.Operation;
import dev.coppice.view.WorkViews;
import dev.coppice.wire.fleet.ErrandAnswer;
import dev.coppice.wire.fleet.RunnerCalls;
import dev.coppice.wire.session.EventCalls;
import dev.coppice.work.DoErrands;
import dev.coppice.work.Errand;
import dev.coppice.work.ErrandId;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** What runners hand in of their errands. */
public final class ErrandOperations {
    private final Transactions transactions;
    private final Runners runners;
    private final DoErrands errands;
    private final Storeroom storeroom;

    public ErrandOperations(
            Transactions transactions, Runners runners, DoErrands errands, Storeroom storeroom) {
        this.transactions = transactions;
        this.runners = runners;
        this.errands = errands;
        this.storeroom = storeroom;
    }

    public List<Operation<?, ?>> all() {
        return List.of(
                Operation.of(RunnerCalls.ERRAND_PART, Need.RUN, (_, in) -> part(in)),
                Operation.of(RunnerCalls.ERRAND_DONE, Need.RUN, (_, in) -> done(in)));
    }

    private Outcome<EventCalls.Done> part(RunnerCalls.ErrandPart in) {
        var id = new ErrandId(in.errandId());
        if (errands.open(id).isEmpty()) return Outcome.refused(unknown(id));
        var part = in.part();
        var name = String.valueOf(part.file());
        try {
            var bytes = Base64.getDecoder().decode(String.valueOf(part.data()));
            storeroom.take(id.value(), name, part.offset(), bytes);
            return Outcome.done(EventCalls.Done.OK);
        } catch (Storeroom.NotTaken e) {
            return Outcome.refused(notTaken(name, e));
        } catch (IllegalArgumentException _) {
            return Outcome.refused(
                    new RequestRefusal.BadValue("data", "a text", "bytes in base 64"));
        }
    }

    private Outcome<EventCalls.Done> done(RunnerCalls.ErrandDone in) {
        var answer = in.answer();
        var id = new ErrandId(in.errandId());
        var errand = errands.open(id);
        if (errand.isEmpty()) return Outcome.refused(unknown(id));
        var runner = runner(answer.runnerId());
        // A runner on another host cannot have looked.
        if (runner.isEmpty() || !runner.get().post().hostname().equals(errand.get().host())) {
            return Outcome.refused(new RunRefusal.RunnerUnknown(String.valueOf(answer.runnerId())));
        }
        var error = answer.error();
        if (error != null) {
            var why = Bounds.lastOf(error, Bounds.REASON_CHARS_MAX);
            return errands.failed(id, why).map(_ -> EventCalls.Done.OK);
        }
        return taken(errand.get(), answer);
    }

    /** Files are read back before anyone relies on them. */
    private Outcome<EventCalls.Done> taken(Errand errand, ErrandAnswer answer) {
        var items = new ArrayList<dev.coppice.work.WorkItem>();
        for (var item : answer.items() == null ? List.<ErrandAnswer.Item>of() : answer.items()) {
            try {
                var kept = item.kept();
                if (kept != null && kept.file() != null) {
                    if (!kept.file().startsWith(errand.id() + "/")) {
                        throw new IllegalArgumentException("a file of another errand");
                    }
                    storeroom.complete(kept.file(), String.valueOf(kept.sha256()), kept.size());
                }
                items.add(WorkViews.item(item, errand.host()));
            } catch (Storeroom.NotTaken e) {
                errands.failed(errand.id(), item.directory() + ": " + e.getMessage());
                return Outcome.refused(notTaken(item.directory(), e));
            } catch (IllegalArgumentException _) {
                return Outcome.refused(
                        new RequestRefusal.BadValue(
                                "kind",
                                item.kind(),
                                "git, plain or output, with files of this errand"));
            }
        }
        return errands.done(errand.id(), items).map(_ -> EventCalls.Done.OK);
    }

    private Optional<Runner> runner(@Nullable String id) {
        return transactions.read(() -> runners.find(new RunnerId(String.valueOf(id))));
    }

    private static RequestRefusal notTaken(String file, Storeroom.NotTaken e) {
        return new RequestRefusal.BadValue("file", file, "as it was said: " + e.getMessage());
    }

    private static RequestRefusal unknown(ErrandId id) {
        return new RequestRefusal.BadValue("errand", id.value(), "one that is still wanted");
    }
}
