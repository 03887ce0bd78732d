package dev.coppice.cli.session;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Table;
import dev.coppice.cli.engine.Usage;
import dev.coppice.wire.callback.CallbackCalls;
import dev.coppice.wire.callback.CallbackView;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Lists callbacks, and redelivers a dead one. */
public final class CallbacksCommand implements Command {
    @Override
    public String name() {
        return "callbacks";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "List callbacks, or redeliver a dead one",
                List.of("[redeliver]", "[CALLBACK]"),
                List.of(
                        Option.flag("dead", "only dead callbacks, which are not retried"),
                        Option.of("state", "STATE", "only these states, such as owed,dead"),
                        Option.of("session", "NAME", "only those that wake this session"),
                        Option.of("limit", "N", "show at most N (default 100)"),
                        Option.of("after", "CURSOR", "show the page after this cursor")),
                """
                An owed callback waits until the run of its session ends. A held callback waits
                until its stopped session is resumed. A carried callback is with a live run.

                  coppice callbacks --dead
                  coppice callbacks redeliver cb_0123456789ab
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var word = args.wordOrNull(0);
        if (word == null) return list(connection, args, console);
        var id = args.wordOrNull(1);
        if (id == null) throw new Args.Invalid("CALLBACK is missing");
        var again = connection.ask(CallbackCalls.REDELIVER, new CallbackCalls.At(id));
        console.out()
                .println(
                        args.has(Option.JSON)
                                ? again.body().toString()
                                : "%s is %s".formatted(id, again.value().state()));
        return Exit.OK;
    }

    private static Exit list(Connection connection, Args args, Console console) {
        var session = args.value("session");
        var find =
                new CallbackCalls.Find(
                        args.has("dead")
                                ? List.of(CallbackCalls.State.DEAD)
                                : args.choices("state", CallbackCalls.State.class),
                        session == null ? null : connection.id(session),
                        args.page());
        var found = connection.ask(CallbackCalls.LIST, find);
        if (args.has(Option.JSON)) {
            console.out().println(found.text());
            return Exit.OK;
        }
        var rows = new ArrayList<List<String>>();
        for (var callback : found.value().callbacks()) {
            rows.add(
                    List.of(
                            callback.callbackId(),
                            Shown.clean(callback.sessionId()),
                            about(callback),
                            callback.state(),
                            Integer.toString(callback.tries()),
                            detail(callback)));
        }
        console.out()
                .print(
                        Table.of(
                                List.of("ID", "WAKES", "ABOUT", "STATE", "TRIES", "DETAIL"),
                                rows,
                                console));
        Table.more(found.value().next(), console);
        return Exit.OK;
    }

    private static String about(CallbackView callback) {
        var child = callback.childSessionId();
        if (child != null) return "end of " + Shown.clean(child);
        return callback.joinId() == null ? "message" : Shown.clean(callback.joinId());
    }

    private static String detail(CallbackView callback) {
        return Stream.of(callback.reason(), callback.carrier(), callback.due())
                .flatMap(Stream::ofNullable)
                .findFirst()
                .map(detail -> Shown.clean(detail).replace('\n', ' '))
                .orElse("");
    }
}
