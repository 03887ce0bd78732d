package dev.coppice.cli;

import dev.coppice.boot.DataDirectory;
import dev.coppice.boot.DatabaseSchema;
import dev.coppice.boot.SettingsReader;
import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Table;
import dev.coppice.cli.engine.Usage;
import dev.coppice.kernel.Counted;
import dev.coppice.wire.Json;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Shows, migrates, rolls back or verifies the schema of the database. */
final class Db implements Command {
    private static final List<String> ACTIONS = List.of("status", "migrate", "rollback", "verify");

    @Override
    public String name() {
        return "db";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Show, migrate, roll back or verify the schema of the database",
                List.of(String.join("|", ACTIONS)),
                List.of(Option.DATA, Option.flag("yes", "confirm the rollback")),
                """
                Works on the database of --data, or of COPPICE_DATABASE, without a
                coordinator. 'status' lists the steps. 'migrate' takes the pending ones,
                as 'coppice up' does. 'rollback' takes the last step back: the data that
                only this step can hold is deleted, so a copy of the database is written
                first. 'verify' checks steps, columns, pages, indexes and references.
                'status' and 'verify' may run beside a coordinator.
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var action = args.word(0);
        if (!ACTIONS.contains(action)) {
            throw new Args.Invalid(
                    "unknown action '%s'; choose one of %s"
                            .formatted(action, String.join(", ", ACTIONS)));
        }
        var environment = new HashMap<>(console.environment());
        environment.put("COPPICE_DATA", Connection.data(args, console).toString());
        try {
            var schema = new DatabaseSchema(new SettingsReader(environment).read());
            return switch (action) {
                case "status" -> status(schema, args, console);
                case "migrate" -> migrate(schema, args, console);
                case "rollback" -> rollback(schema, args, console);
                default -> verify(schema, args, console);
            };
        } catch (DatabaseSchema.Refused | DataDirectory.Unusable | SettingsReader.BadSetting e) {
            console.err().println("coppice: " + e.getMessage());
            return Exit.CANNOT_START;
        }
    }

    private static Exit status(DatabaseSchema schema, Args args, Console console) {
        var steps = schema.status();
        if (args.has(Option.JSON)) {
            var rows =
                    steps.stream()
                            .map(s ->
                                    Map.of(
                                            "step",
                                            s.name(),
                                            "taken_at",
                                            s.takenAt().map(Object::toString).orElse("")))
                            .toList();
            console.out().println(Json.write(Map.of("steps", rows)));
        } else {
            var rows =
                    steps.stream()
                            .map(s ->
                                    List.of(
                                            s.name(),
                                            s.takenAt().map(at -> "taken " + at).orElse("pending")))
                            .toList();
            console.out().print(Table.of(List.of("step", "state"), rows, console));
        }
        return Exit.OK;
    }

    private static Exit migrate(DatabaseSchema schema, Args args, Console console) {
        int steps = schema.migrate();
        var taken = Json.write(Map.of("taken", steps));
        var text = "took " + Counted.of(steps, "step", "steps");
        console.out().println(args.has(Option.JSON) ? taken : text);
        return Exit.OK;
    }

    private static Exit rollback(DatabaseSchema schema, Args args, Console console) {
        if (!args.has("yes")) {
            throw new Args.Invalid(
                    "rollback deletes data that only the last step can hold; pass --yes");
        }
        var rolledBack = schema.rollback();
        if (args.has(Option.JSON)) {
            var answer = Map.of("step", rolledBack.step(), "backup", rolledBack.backup());
            console.out().println(Json.write(answer));
        } else {
            console.out()
                    .println(
                            "rolled back %s; the database as it was before is in %s"
                                    .formatted(rolledBack.step(), rolledBack.backup()));
        }
        return Exit.OK;
    }

    private static Exit verify(DatabaseSchema schema, Args args, Console console) {
        var flaws = schema.verify();
        if (args.has(Option.JSON)) {
            console.out().println(Json.write(Map.of("ok", flaws.isEmpty(), "flaws", flaws)));
        } else if (flaws.isEmpty()) {
            console.out().println("the database is as this version describes it");
        } else {
            flaws.forEach(flaw -> console.out().println(Shown.clean(flaw)));
        }
        return flaws.isEmpty() ? Exit.OK : Exit.REFUSED;
    }
}
