package dev.coppice.cli.session;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Usage;
import dev.coppice.wire.Length;
import dev.coppice.wire.callback.CallbackCalls;
import dev.coppice.word.JoinKind;

import java.util.List;
import java.util.stream.Stream;

/** Wakes a session when enough of its children have ended. */
public final class JoinCommand implements Command {
    @Override
    public String name() {
        return "join";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Wake a session when enough of its children have ended",
                List.of("NAME…"),
                List.of(
                        Option.of("until", "WHAT", "all, any, some or first_success (default all)"),
                        Option.of("count", "N", "with --until some: the number of children"),
                        Option.of("timeout", "TIME", "wait at most this long (default 1h)"),
                        Option.of("for", "NAME", "the session to wake (inside an agent: itself)")),
                "  coppice join test lint docs --until first_success --timeout 10m\n");
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var woken = args.value("for");
        var self = console.env("AGENT_SESSION_ID");
        if (woken == null && self == null) throw new Args.Invalid("--for is missing");
        var id = woken == null ? String.valueOf(self) : connection.id(woken);
        var children =
                args.words().stream()
                        .flatMap(names -> Stream.of(names.split(",", -1)))
                        .map(String::strip)
                        .toList();
        var timeout = args.length("timeout");
        var join =
                connection.ask(
                        CallbackCalls.JOIN,
                        new CallbackCalls.OpenJoin(
                                id,
                                children,
                                args.choice("until", JoinKind.ALL),
                                args.value("count") == null ? null : args.count("count", 1),
                                timeout == null ? Length.ofSeconds(3600) : timeout));
        console.out()
                .println(args.has(Option.JSON) ? join.body().toString() : join.value().joinId());
        return Exit.OK;
    }
}
