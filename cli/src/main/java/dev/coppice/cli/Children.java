package dev.coppice.cli;

import java.util.List;

/** Lists the children of a session, or counts them. */
final class Children implements Command {
    @Override
    public String name() {
        return "children";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "List the children of a session",
                List.of("NAME"),
                List.of(Option.flag("count", "say only how many there are")),
                "");
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var id = connection.id(args.word(0));
        if (args.has("count")) {
            var count = connection.get("/sessions/" + Connection.part(id) + "/children/count");
            console.out().println(args.has(Option.JSON) ? count : Shown.text(count, "count"));
            return Exit.OK;
        }
        var path = "/sessions/" + Connection.part(id) + "/children?limit=1000";
        var page = connection.get(path);
        while (true) {
            console.out()
                    .print(
                            args.has(Option.JSON)
                                    ? page + "\n"
                                    : ListSessions.table(page.get("children")));
            if (!page.hasNonNull("next")) break;
            page = connection.get(path + "&after=" + Connection.part(Shown.text(page, "next")));
        }
        return Exit.OK;
    }
}
