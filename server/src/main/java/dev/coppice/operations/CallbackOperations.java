package dev.coppice.operations;

import dev.coppice.access.Need;
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
import dev.coppice.kernel.CallbackRefusal;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.SessionRefusal;
import dev.coppice.operation.Context;
import dev.coppice.operation.Operation;
import dev.coppice.session.Session;
import dev.coppice.view.CallbackViews;
import dev.coppice.wire.Shape;
import dev.coppice.wire.callback.CallbackCalls;
import dev.coppice.wire.callback.CallbackView;
import dev.coppice.wire.callback.JoinView;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;

/** Callbacks, joins and messages: the things that wake sessions. */
public final class CallbackOperations {
    private static final Mirror<CallbackCalls.WhenBusy, About.WhenBusy> WHEN_BUSY =
            Mirror.of(CallbackCalls.WhenBusy.class, About.WhenBusy.class);
    private static final Mirror<CallbackCalls.Until, Join.Kind> UNTIL =
            Mirror.of(CallbackCalls.Until.class, Join.Kind.class);

    private final Scope scope;
    private final Callbacks callbacks;
    private final Joins joins;
    private final Commands commands;

    /** The commands behind these operations. */
    public record Commands(SendMessage send, JoinChildren join, RetryCallback redeliver) {}

    public CallbackOperations(Scope scope, Callbacks callbacks, Joins joins, Commands commands) {
        this.scope = scope;
        this.callbacks = callbacks;
        this.joins = joins;
        this.commands = commands;
    }

    public List<Operation<?, ?>> all() {
        return List.of(
                Operation.of(CallbackCalls.LIST, Need.READ, this::list),
                Operation.of(CallbackCalls.READ, Need.READ, this::read),
                Operation.of(CallbackCalls.REDELIVER, Need.ACT, this::redeliver),
                Operation.of(CallbackCalls.SEND, Need.ACT, this::send),
                Operation.of(CallbackCalls.JOIN, Need.SPAWN, this::join),
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

    private Outcome<CallbackView> redeliver(Context x, CallbackCalls.At in) {
        return scope.transactions()
                .write(() ->
                        found(x, in)
                                .then(c -> mayAct(x, c))
                                .then(c -> commands.redeliver().retry(c.id()))
                                .map(CallbackViews::callback));
    }

    private Outcome<Callback> mayAct(Context x, Callback callback) {
        return scope.session(x, Need.ACT, callback.to().value()).map(_ -> callback);
    }

    private Outcome<CallbackView> send(Context x, CallbackCalls.Message in) {
        if (in.text().isBlank()) throw Given.bad("text", in.text(), "given");
        var message = new About.Message(in.text(), x.session(), WHEN_BUSY.of(in.whenBusy()));
        return scope.writing(
                x,
                Need.ACT,
                in.sessionId(),
                to ->
                        commands.send()
                                .send(to.id(), message, in.deadline().value())
                                .map(CallbackViews::callback));
    }

    private Outcome<JoinView> join(Context x, CallbackCalls.OpenJoin in) {
        var until = until(in);
        return scope.writing(
                x,
                Need.SPAWN,
                in.sessionId(),
                by ->
                        ids(x, in.children())
                                .then(ids ->
                                        commands.join()
                                                .open(by.id(), ids, until, in.timeout().value()))
                                .map(CallbackViews::join));
    }

    private static Join.Until until(CallbackCalls.OpenJoin in) {
        var kind = UNTIL.of(in.until());
        if (kind != Join.Kind.SOME) return new Join.Until(kind, 0);
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
            var named = scope.sessions().named(child).map(Session::id);
            if (named.isEmpty() && !SessionId.isValid(child)) {
                return Outcome.refused(new SessionRefusal.SessionUnknown(child));
            }
            var id = named.orElseGet(() -> new SessionId(child));
            if (!scope.access().sees(x.caller(), id)) {
                return Outcome.refused(new SessionRefusal.SessionUnknown(child));
            }
            ids.add(id);
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
