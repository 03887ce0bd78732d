package dev.coppice.cli;

import dev.coppice.wire.Json;

import java.util.List;

/** Says something to a living session. */
final class Send implements Command {
    @Override
    public String name() {
        return "send";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Say something to a living session",
                List.of("NAME", "TEXT"),
                List.of(
                        Option.of(
                                "when-busy",
                                "POLICY",
                                "reject, queue (until its run ends) or interrupt; queue")),
                "  coppice send plan 'the deadline is tomorrow' --when-busy interrupt\n");
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var id = connection.id(args.word(0));
        var request = Json.object().put("text", args.word(1));
        if (args.value("when-busy") != null) request.put("when_busy", args.value("when-busy"));
        var sent = connection.post("/sessions/" + Connection.part(id) + "/messages", request);
        console.out()
                .println(args.has(Option.JSON) ? sent.toString() : Shown.text(sent, "callback_id"));
        return Exit.OK;
    }
}
