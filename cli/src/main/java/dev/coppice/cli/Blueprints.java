package dev.coppice.cli;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Table;
import dev.coppice.cli.engine.Usage;
import dev.coppice.wire.Json;
import dev.coppice.wire.Sizes;
import dev.coppice.wire.blueprint.BlueprintCalls;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Lists the blueprints. */
final class Blueprints implements Command {
    @Override
    public String name() {
        return "blueprints";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "List blueprints",
                List.of(),
                List.of(Option.of("tags", "TAGS", "only with all of these tags, such as a,b")),
                "");
    }

    @Override
    public Exit run(Args args, Console console) {
        var find = new BlueprintCalls.Find(args.list("tags"), null, Sizes.PAGE_ITEMS_MAX);
        var found = Connection.open(args, console).ask(BlueprintCalls.LIST, find);
        if (args.has(Option.JSON)) {
            console.out().println(found.body());
            return Exit.OK;
        }
        var rows = new ArrayList<List<String>>();
        for (var blueprint : found.value().documents()) {
            rows.add(
                    Stream.of("name", "kind", "status", "description")
                            .map(field -> Shown.clean(Json.text(blueprint.document(), field)))
                            .toList());
        }
        console.out().print(Table.of(List.of("NAME", "KIND", "STATUS", "DESCRIPTION"), rows));
        return Exit.OK;
    }
}
