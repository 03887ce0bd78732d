package dev.coppice.dispatch;

import dev.coppice.access.Need;
import dev.coppice.backup.Storeroom;
import dev.coppice.fleet.Runner;
import dev.coppice.fleet.Runners;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.RunRefusal;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.Transactions;
import dev.coppice.view.WorkViews;
import dev.coppice.web.Exchange;
import dev.coppice.web.Problems;
import dev.coppice.web.Reply;
import dev.coppice.web.Route;
import dev.coppice.wire.ErrandAnswer;
import dev.coppice.wire.Json;
import dev.coppice.work.DoErrands;
import dev.coppice.work.Errand;
import dev.coppice.work.ErrandId;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** What runners hand in of their errands. */
public final class ErrandRoutes {
    private final Transactions transactions;
    private final Runners runners;
    private final DoErrands errands;
    private final Storeroom storeroom;

    public ErrandRoutes(
            Transactions transactions, Runners runners, DoErrands errands, Storeroom storeroom) {
        this.transactions = transactions;
        this.runners = runners;
        this.errands = errands;
        this.storeroom = storeroom;
    }

    public List<Route> routes() {
        return List.of(
                Route.post(
                                "/runner/errands/{errand}/part",
                                Need.RUN,
                                "Hand in a piece of a file that is to be kept",
                                this::part)
                        .takes(ErrandAnswer.Part.class),
                Route.post(
                                "/runner/errands/{errand}/done",
                                Need.RUN,
                                "Say what has come of an errand",
                                this::done)
                        .takes(ErrandAnswer.class));
    }

    private Reply part(Exchange x) {
        var part = x.body(ErrandAnswer.Part.class);
        var id = new ErrandId(x.path("errand"));
        if (errands.open(id).isEmpty()) return Problems.reply(unknown(id));
        var name = String.valueOf(part.file());
        try {
            var bytes = Base64.getDecoder().decode(String.valueOf(part.data()));
            storeroom.take(id.value(), name, part.offset(), bytes);
            return Reply.ok(Json.object().put("ok", true));
        } catch (Storeroom.NotTaken e) {
            return Problems.reply(notTaken(name, e));
        } catch (IllegalArgumentException _) {
            return Problems.reply(
                    new RequestRefusal.BadValue("data", "a text", "bytes in base 64"));
        }
    }

    private Reply done(Exchange x) {
        var answer = x.body(ErrandAnswer.class);
        var id = new ErrandId(x.path("errand"));
        var errand = errands.open(id);
        if (errand.isEmpty()) return Problems.reply(unknown(id));
        var runner = runner(answer.runnerId());
        // Who is elsewhere cannot have looked.
        if (runner.isEmpty() || !runner.get().post().hostname().equals(errand.get().host())) {
            return Problems.reply(new RunRefusal.RunnerUnknown(String.valueOf(answer.runnerId())));
        }
        var error = answer.error();
        if (error != null) {
            var why = Bounds.lastOf(error, Bounds.REASON_CHARS_MAX);
            return x.reply(errands.failed(id, why), _ -> Reply.ok(Json.object().put("ok", true)));
        }
        return taken(x, errand.get(), answer);
    }

    /** What is kept is read back before anyone relies on it. */
    private Reply taken(Exchange x, Errand errand, ErrandAnswer answer) {
        var items = new ArrayList<dev.coppice.work.WorkItem>();
        for (var said : answer.items() == null ? List.<ErrandAnswer.Item>of() : answer.items()) {
            try {
                var kept = said.kept();
                if (kept != null && kept.file() != null) {
                    if (!kept.file().startsWith(errand.id() + "/")) {
                        throw new IllegalArgumentException("a file of another errand");
                    }
                    storeroom.complete(kept.file(), String.valueOf(kept.sha256()), kept.size());
                }
                items.add(WorkViews.item(said, errand.host()));
            } catch (Storeroom.NotTaken e) {
                errands.failed(errand.id(), said.directory() + ": " + e.getMessage());
                return Problems.reply(notTaken(said.directory(), e));
            } catch (IllegalArgumentException _) {
                return Problems.reply(
                        new RequestRefusal.BadValue(
                                "kind",
                                said.kind(),
                                "git, plain or output, with files of this errand"));
            }
        }
        return x.reply(
                errands.done(errand.id(), items), _ -> Reply.ok(Json.object().put("ok", true)));
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
