package dev.coppice.cli;

import dev.coppice.boot.DataDirectory;
import dev.coppice.boot.DatabaseSchema;
import dev.coppice.boot.SettingsReader;
import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.CoordinatorPlace;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Table;
import dev.coppice.cli.engine.Usage;
import dev.coppice.kernel.Counted;
import dev.coppice.wire.Json;
import dev.coppice.wire.removal.StorageCalls;

import java.util.HashMap;
import java.util.List;
import java.util.Map;

/** Shows, migrates, rolls back, verifies, measures, compacts or indexes the database. */
final class DbCommand implements Command {
    private static final List<String> ACTIONS =
            List.of("status", "migrate", "rollback", "verify", "stats", "compact", "index");

    @Override
    public String name() {
        return "db";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Show, migrate, verify, measure, compact or index the database",
                List.of(String.join("|", ACTIONS), "[add|drop|list]", "[COLUMN]"),
                List.of(Option.flag("yes", "confirm the rollback")),
                """
                Works on the database of --data, or of COPPICE_DB, without a
                coordinator. 'status' lists the steps. 'migrate' takes the pending ones,
                as 'coppice up' does. 'rollback' takes the last step back: the data that
                only this step can hold is deleted, so a copy of the database is written
                first, and what is lost is counted. 'verify' checks steps, columns, pages,
                indexes and references.
                'stats' tells what fills the disk. 'compact' gives the space of deleted rows
                back; meanwhile it needs as much again. 'index' lists, adds and drops indexes
                for queries of other programs, each of which costs every event about a page:
                %s.
                'status', 'verify', 'stats' and 'index list' may run beside a coordinator.
                """
                        .formatted(String.join(", ", DatabaseSchema.indexed())));
    }

    @Override
    public Reads reads() {
        return Reads.ALL;
    }

    @Override
    public Exit run(Args args, Console console) {
        var action = args.word(0);
        if (!ACTIONS.contains(action)) {
            throw new Args.Invalid(
                    "unknown action '%s'; choose one of %s"
                            .formatted(action, String.join(", ", ACTIONS)));
        }
        if (!action.equals("index") && args.words().size() > 1) {
            throw new Args.Invalid("unexpected argument '%s'".formatted(args.word(1)));
        }
        var environment = new HashMap<>(console.environment());
        environment.put("COPPICE_DATA", CoordinatorPlace.data(args, console).toString());
        try {
            var schema = new DatabaseSchema(new SettingsReader(environment).read());
            return switch (action) {
                case "status" -> status(schema, args, console);
                case "migrate" -> migrate(schema, args, console);
                case "rollback" -> rollback(schema, args, console);
                case "stats" -> stats(schema, args, console);
                case "compact" -> compact(schema, args, console);
                case "index" -> index(schema, args, console);
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
            console.out().println(Json.write(rolledBack));
        } else {
            console.out()
                    .println(
                            "rolled back %s; the database as it was before is in %s"
                                    .formatted(rolledBack.step(), rolledBack.backup()));
            rolledBack.lost().forEach(lost -> console.out().println("no longer in it: " + lost));
        }
        return Exit.OK;
    }

    private static Exit stats(DatabaseSchema schema, Args args, Console console) {
        var fill = schema.storage();
        if (args.has(Option.JSON)) {
            console.out().println(Json.write(fill));
            return Exit.OK;
        }
        console.out()
                .println(
                        "%s, of which %s are free (see 'coppice db compact')"
                                .formatted(Shown.size(fill.bytes()), Shown.size(fill.freeBytes())));
        console.out().println("backups and preserved work: " + Shown.size(fill.backupBytes()));
        print("TABLE, WITH ITS INDEXES", fill.tables(), fill.bytes(), console);
        print("TREE: EVENTS AND METADATA", fill.trees(), fill.bytes(), console);
        print("TYPE OF EVENT: BODIES", fill.events(), fill.bytes(), console);
        return Exit.OK;
    }

    private static void print(
            String heading, List<StorageCalls.Part> parts, long whole, Console console) {
        if (parts.isEmpty()) return;
        var rows =
                parts.stream()
                        .map(part ->
                                List.of(
                                        Shown.clean(part.name()),
                                        Shown.size(part.bytes()),
                                        part.bytes() * 100 / Math.max(1, whole) + " %"))
                        .toList();
        console.out().print("\n" + Table.of(List.of(heading, "SIZE", "SHARE"), rows, console));
    }

    private static Exit compact(DatabaseSchema schema, Args args, Console console) {
        var bytes = schema.compact();
        if (args.has(Option.JSON)) {
            var answer = Map.of("bytes_before", bytes.getFirst(), "bytes_after", bytes.getLast());
            console.out().println(Json.write(answer));
        } else {
            console.out()
                    .println(
                            "compacted %s to %s"
                                    .formatted(
                                            Shown.size(bytes.getFirst()),
                                            Shown.size(bytes.getLast())));
        }
        return Exit.OK;
    }

    private static Exit index(DatabaseSchema schema, Args args, Console console) {
        var change = args.wordOrNull(1);
        if (change != null && !change.equals("list")) {
            var column = column(args);
            if (change.equals("add")) schema.addIndex(column);
            else schema.dropIndex(column);
        }
        var indexes = schema.indexes();
        if (args.has(Option.JSON)) {
            console.out().println(Json.write(Map.of("indexes", indexes)));
            return Exit.OK;
        }
        var rows =
                indexes.stream()
                        .map(index -> List.of(index.column(), index.present() ? "yes" : "no"))
                        .toList();
        console.out().print(Table.of(List.of("column", "index"), rows, console));
        return Exit.OK;
    }

    private static String column(Args args) {
        var known = DatabaseSchema.indexed();
        var column = args.wordOrNull(2);
        if (column != null && known.contains(column)) return column;
        throw new Args.Invalid(
                "%s; choose one of %s"
                        .formatted(
                                column == null
                                        ? "COLUMN is missing"
                                        : "no index can be added for '%s'".formatted(column),
                                String.join(", ", known)));
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
