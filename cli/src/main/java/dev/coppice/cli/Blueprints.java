package dev.coppice.cli;

import java.util.ArrayList;
import java.util.List;

/** Lists what sessions can be started from. */
final class Blueprints implements Command {
    @Override
    public String name() {
        return "blueprints";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "List what sessions can be started from",
                List.of(),
                List.of(Option.of("tags", "TAGS", "only those with all of these, with commas")),
                "");
    }

    @Override
    public Exit run(Args args, Console console) {
        var tags = args.value("tags");
        var query = tags == null ? "" : "?tags=" + Connection.part(tags);
        var found = Connection.open(args, console).get("/agents" + query);
        if (args.has(Option.JSON)) {
            console.out().println(found);
            return Exit.OK;
        }
        var rows = new ArrayList<List<String>>();
        for (var blueprint : found) {
            rows.add(
                    List.of(
                            Shown.text(blueprint, "name"),
                            Shown.text(blueprint, "kind"),
                            Shown.text(blueprint, "status"),
                            Shown.text(blueprint, "description")));
        }
        console.out().print(Table.of(List.of("NAME", "KIND", "STATUS", "DESCRIPTION"), rows));
        return Exit.OK;
    }
}
