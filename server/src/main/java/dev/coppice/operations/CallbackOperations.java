package dev.coppice.operations;

import dev.coppice.access.Need;
import dev.coppice.blueprints.BlueprintText;
import dev.coppice.callback.About;
import dev.coppice.callback.Callback;
import dev.coppice.callback.CallbackFilter;
import dev.coppice.callback.CallbackId;
import dev.coppice.callback.Callbacks;
import dev.coppice.callback.Join;
import dev.coppice.callback.JoinChildren;
import dev.coppice.callback.JoinId;
import dev.coppice.callback.Joins;
import dev.coppice.callback.RetryCallback;
import dev.coppice.callback.SendMessage;
import dev.coppice.callback.TakeMessages;
import dev.coppice.kernel.CallbackRefusal;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RunId;
import dev.coppice.kernel.RunRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.kernel.Topic;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.request.Operation.Commit;
import dev.coppice.request.Wait;
import dev.coppice.run.Run;
import dev.coppice.run.Runs;
import dev.coppice.session.Session;
import dev.coppice.view.CallbackViews;
import dev.coppice.view.Views;
import dev.coppice.wire.Shape;
import dev.coppice.wire.callback.CallbackCalls;
import dev.coppice.wire.callback.CallbackView;
import dev.coppice.wire.callback.JoinView;
import dev.coppice.word.JoinKind;
import dev.coppice.word.WhenBusy;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Callbacks, joins and messages: the things that wake sessions. */
public record CallbackOperations(
        Scope scope,
        Callbacks callbacks,
        Joins joins,
        Runs runs,
        Watch watch,
        SendMessage sendMessage,
        TakeMessages takeMessages,
        JoinChildren joinChildren,
        RetryCallback retryCallback) {

    public List<Operation<?, ?>> all() {
        return List.of(
                Operation.of(CallbackCalls.LIST, Need.READ, this::list),
                Operation.of(CallbackCalls.READ, Need.READ, this::read),
                Operation.changing(
                        CallbackCalls.REDELIVER, Need.ACT, scope.transactions(), this::redeliver),
                Operation.changing(CallbackCalls.SEND, Need.ACT, scope.transactions(), this::send),
                Operation.of(CallbackCalls.TAKE, Need.BIND, this::take).then(this::awaited),
                Operation.changing(
                        CallbackCalls.JOIN, Need.SPAWN, scope.transactions(), this::join),
                Operation.of(CallbackCalls.READ_JOIN, Need.READ, this::readJoin));
    }

    private Outcome<CallbackCalls.Page> list(Context x, CallbackCalls.Find in) {
        var asked = in.state() == null ? List.<CallbackCalls.State>of() : in.state();
        var states = asked.stream().map(Shape::word).collect(Collectors.toUnmodifiableSet());
        var to = Given.sessionId(in.sessionId());
        return scope.transactions()
                .read(() -> {
                    if (to != null && !scope.access().sees(x.caller(), to)) {
                        return Outcome.refused(new SessionRefusal.SessionUnknown(to.value()));
                    }
                    var filter = new CallbackFilter(states, to, x.session());
                    var page = callbacks.list(filter, Given.cursor(in.page()));
                    var views = page.items().stream().map(CallbackViews::callback).toList();
                    return Outcome.done(new CallbackCalls.Page(views, page.next()));
                });
    }

    private Outcome<CallbackView> read(Context x, CallbackCalls.At in) {
        return scope.transactions().read(() -> found(x, in).map(CallbackViews::callback));
    }

    private Outcome<Callback> found(Context x, CallbackCalls.At in) {
        return callbacks
                .find(new CallbackId(in.callbackId()))
                .filter(c -> scope.access().sees(x.caller(), c.to()))
                .<Outcome<Callback>>map(Outcome::done)
                .orElseGet(() ->
                        Outcome.refused(new CallbackRefusal.CallbackUnknown(in.callbackId())));
    }

    private Outcome<Commit<CallbackView>> redeliver(Context x, CallbackCalls.At in) {
        return Outcome.done(() ->
                found(x, in)
                        .then(c -> mayAct(x, c))
                        .then(c -> retryCallback.retry(c.id()))
                        .map(CallbackViews::callback));
    }

    private Outcome<Callback> mayAct(Context x, Callback callback) {
        return scope.session(x, Need.ACT, callback.to().value()).map(_ -> callback);
    }

    private Outcome<Commit<CallbackView>> send(Context x, CallbackCalls.Message in) {
        if (in.text().isBlank()) throw Given.bad("text", in.text(), "given");
        var whenBusy = in.whenBusy();
        return scope.change(
                x,
                Need.ACT,
                in.sessionId(),
                to -> {
                    boolean isDeaf = whenBusy == WhenBusy.STEER && !canBeSteered(to);
                    var how = isDeaf ? WhenBusy.QUEUE : whenBusy;
                    var message =
                            new About.Message(
                                    in.text(), x.caller().isAgent() ? x.session() : null, how);
                    return sendMessage
                            .send(to.id(), message, in.deadline().value())
                            .map(CallbackViews::callback);
                });
    }

    private boolean canBeSteered(Session session) {
        return runs.liveOf(session.id())
                .map(run -> BlueprintText.canBeSteered(Views.json(run.task().definition())))
                .orElse(false);
    }

    private Outcome<CallbackCalls.Taken> take(Context x, CallbackCalls.Take in) {
        var wanted = wanted(in);
        return running(x, in)
                .then(run -> {
                    takeMessages.heard(run.id(), set(in.heard()));
                    return takeMessages.take(run.id(), wanted);
                })
                .map(messages ->
                        new CallbackCalls.Taken(
                                messages.stream().map(CallbackViews::callback).toList(),
                                scope.transactions().read(() -> ended(x, in)),
                                watch.clock().instant().toString()));
    }

    private static TakeMessages.Wanted wanted(CallbackCalls.Take in) {
        var since = Given.time("answers_since", in.answersSince());
        return new TakeMessages.Wanted(since, set(in.seen()));
    }

    private Outcome<Run> running(Context x, CallbackCalls.Take in) {
        return scope.transactions()
                .read(() -> {
                    var run = runs.find(new RunId(in.runId()));
                    boolean isSeen =
                            run.isPresent() && scope.access().sees(x.caller(), run.get().session());
                    if (!isSeen) {
                        return Outcome.refused(new RunRefusal.RunUnknown(in.runId()));
                    }
                    return scope.session(x, Need.BIND, run.get().session().value())
                            .map(_ -> run.get());
                });
    }

    private static Set<String> set(@Nullable List<String> ids) {
        return ids == null ? Set.of() : Set.copyOf(ids);
    }

    /** The requested sessions that are not alive: they have ended, are removed, or are unknown. */
    private List<String> ended(Context x, CallbackCalls.Take in) {
        if (in.sessions() == null) return List.of();
        return in.sessions().stream()
                .filter(SessionId::isValid)
                .filter(id ->
                        !(scope.session(x, Need.READ, id) instanceof Outcome.Done<Session>(var s)
                                && s.state().isAlive()))
                .toList();
    }

    private Optional<Wait> awaited(Context x, CallbackCalls.Take in, CallbackCalls.Taken first) {
        var patience = in.patience().orZero();
        boolean hasSome = !first.messages().isEmpty() || !first.ended().isEmpty();
        if (hasSome || patience.isZero()) return Optional.empty();
        var run = new RunId(in.runId());
        var wanted = wanted(in);
        var to = scope.transactions().read(() -> runs.find(run).orElseThrow()).session();
        return Optional.of(
                watch.until(
                        new Watch.Subject(
                                new Topic.MessageSent(to),
                                () -> takeMessages.hasSome(run, wanted),
                                () -> first,
                                () ->
                                        take(x, in)
                                                        instanceof
                                                        Outcome.Done<CallbackCalls.Taken>(var t)
                                                ? t
                                                : first),
                        patience));
    }

    private Outcome<Commit<JoinView>> join(Context x, CallbackCalls.OpenJoin in) {
        var until = until(in);
        return scope.change(
                x,
                Need.SPAWN,
                in.sessionId(),
                by ->
                        ids(x, in.children())
                                .then(ids ->
                                        joinChildren.open(
                                                by.id(), ids, until, in.timeout().value()))
                                .map(CallbackViews::join));
    }

    private static Join.Until until(CallbackCalls.OpenJoin in) {
        var kind = in.until();
        if (kind != JoinKind.SOME) return new Join.Until(kind, 0);
        var count = in.count();
        if (count == null || count > in.children().size()) {
            var rule = "from 1 to %d, the number of children".formatted(in.children().size());
            throw Given.bad("count", String.valueOf(count), rule);
        }
        return new Join.Until(kind, count);
    }

    /** Looks up names before ids: agents name their children. */
    private Outcome<List<SessionId>> ids(Context x, List<String> children) {
        var ids = new ArrayList<SessionId>();
        for (var child : children) {
            var seen =
                    scope.named(x, child)
                            .or(() ->
                                    SessionId.isValid(child)
                                            ? scope.seen(x, new SessionId(child))
                                            : Optional.empty());
            if (seen.isEmpty()) return Outcome.refused(new SessionRefusal.SessionUnknown(child));
            ids.add(seen.get().id());
        }
        return Outcome.done(ids);
    }

    private Outcome<JoinView> readJoin(Context x, CallbackCalls.JoinAt in) {
        return scope.transactions()
                .read(() ->
                        joins.find(new JoinId(in.joinId()))
                                .filter(j -> scope.access().sees(x.caller(), j.by()))
                                .map(j -> Outcome.done(CallbackViews.join(j)))
                                .orElseGet(() ->
                                        Outcome.refused(
                                                new CallbackRefusal.JoinUnknown(in.joinId()))));
    }
}
