package dev.coppice.cli;

import dev.coppice.wire.Json;

import java.util.List;

/** Stops a session. */
final class Stop implements Command {
    @Override
    public String name() {
        return "stop";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Stop a session",
                List.of("NAME"),
                List.of(
                        Option.of("deadline", "TIME", "how long it may take to end by itself; 5s"),
                        Option.of("reason", "TEXT", "why, for those who look later")),
                "Its children go on. Asking again joins the stop under way.\n");
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var request = Json.object().put("scope", "session");
        if (args.value("deadline") != null) request.put("deadline", args.value("deadline"));
        if (args.value("reason") != null) request.put("reason", args.value("reason"));
        var id = connection.id(args.word(0));
        var answer = connection.post("/sessions/" + Connection.part(id) + "/stop", request);
        if (args.has(Option.JSON)) {
            console.out().println(answer);
        } else {
            console.out().println("%s is %s".formatted(args.word(0), Shown.text(answer, "status")));
        }
        return Exit.OK;
    }
}
