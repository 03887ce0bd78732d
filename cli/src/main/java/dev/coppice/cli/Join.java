package dev.coppice.cli;

import dev.coppice.wire.Json;

import java.util.List;

/** Has a session woken when enough of its children have ended. */
final class Join implements Command {
    @Override
    public String name() {
        return "join";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Have a session woken when enough of its children have ended",
                List.of("NAMES"),
                List.of(
                        Option.of(
                                "until",
                                "WHAT",
                                "all, any, some (with --count) or first_success; all"),
                        Option.of("count", "N", "how many 'some' are"),
                        Option.of("timeout", "TIME", "how long to wait at most; 1h"),
                        Option.of("for", "NAME", "who is woken; inside an agent, that agent")),
                "  coppice join test,lint,docs --until first_success --timeout 10m\n");
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var who = args.value("for");
        var self = console.env("AGENT_SESSION_ID");
        if (who == null && self == null) throw new Args.Wrong("--for is missing");
        var id = who == null ? String.valueOf(self) : connection.id(who);
        var request = Json.object();
        var children = request.putArray("children");
        for (var name : List.of(args.word(0).split(",", -1))) children.add(name.strip());
        if (args.value("until") != null) request.put("until", args.value("until"));
        var count = args.value("count");
        if (count != null) request.put("count", number(count));
        if (args.value("timeout") != null) request.put("timeout", args.value("timeout"));
        var join = connection.post("/sessions/" + Connection.part(id) + "/joins", request);
        console.out()
                .println(args.has(Option.JSON) ? join.toString() : Shown.text(join, "join_id"));
        return Exit.OK;
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text);
        } catch (NumberFormatException _) {
            throw new Args.Wrong("--count is '%s'; it must be a whole number".formatted(text));
        }
    }
}
