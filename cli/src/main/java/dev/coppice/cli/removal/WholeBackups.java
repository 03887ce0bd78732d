package dev.coppice.cli.removal;

import dev.coppice.boot.DataDirectory;
import dev.coppice.boot.DatabaseSchema;
import dev.coppice.boot.SettingsReader;
import dev.coppice.cli.config.Configuration;
import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.CoordinatorPlace;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.kernel.Counted;
import dev.coppice.wire.Json;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;

/** Writes, verifies and restores backups of everything, for 'backup' and 'restore'. */
final class WholeBackups {
    private WholeBackups() {}

    static Exit backup(Args args, Console console) {
        var data = CoordinatorPlace.data(args, console).toAbsolutePath().normalize();
        var to = console.file(args.word(1)).toAbsolutePath().normalize();
        if (Files.exists(to)) throw new Args.Invalid("'" + to + "' exists; choose another file");
        if (to.startsWith(data)) {
            throw new Args.Invalid("'%s' is in the data directory itself".formatted(to));
        }
        // Everything is read from the files of the coordinator, whose settings say where they are.
        var settled = Configuration.with(console, Command.Reads.ALL, args);
        var environment = new HashMap<>(settled.environment());
        environment.put("COPPICE_DATA", data.toString());
        try {
            var settings = new SettingsReader(environment).read();
            if (to.startsWith(settings.backups())) {
                throw new Args.Invalid("'%s' is among what is backed up".formatted(to));
            }
            DataDirectory.unpackDriverIn(data);
            Files.createDirectories(data.resolve("native"));
            var schema = new DatabaseSchema(settings);
            var made = WholeBackup.write(data, settings.backups(), schema, args.has("outputs"), to);
            if (!made.hasDatabase()) {
                console.err()
                        .println(
                                "coppice: the database of COPPICE_DB is not in it: back it up"
                                        + " with pg_dump, before this");
            }
            return told(made, to, args, console);
        } catch (DatabaseSchema.Refused | SettingsReader.BadSetting e) {
            console.err().println("coppice: " + e.getMessage());
            return Exit.CANNOT_START;
        } catch (IOException e) {
            throw new UncheckedIOException("backing up " + data, e);
        }
    }

    static Exit verify(Path file, Args args, Console console) {
        try {
            return told(WholeBackup.verify(file), file, args, console);
        } catch (WholeBackup.Damaged e) {
            return damaged(file, e, console);
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
    }

    private static Exit damaged(Path file, WholeBackup.Damaged e, Console console) {
        console.err().println("coppice: %s is damaged: %s".formatted(file, e.getMessage()));
        return Exit.REFUSED;
    }

    private static Exit told(WholeBackup.Manifest made, Path file, Args args, Console console) {
        if (args.has(Option.JSON)) {
            console.out().println(Json.write(made));
            return Exit.OK;
        }
        console.out()
                .println(
                        "%s is intact: everything of version %s%s, %s, made at %s"
                                .formatted(
                                        file,
                                        Shown.clean(made.version()),
                                        made.hasDatabase() ? "" : " but the database",
                                        Counted.of(made.files().size(), "file", "files"),
                                        Shown.clean(made.madeAt())));
        return Exit.OK;
    }

    static Exit restore(Args args, Console console) {
        var data = CoordinatorPlace.data(args, console).toAbsolutePath().normalize();
        var file = args.file(1);
        try {
            if (Files.exists(data) && !isEmpty(data)) {
                throw new Args.Invalid(
                        "%s is not empty; move it away, or name another one with --data"
                                .formatted(data));
            }
            var restored = WholeBackup.restore(file, data);
            if (args.has(Option.JSON)) {
                var answer = Map.of("data", data.toString(), "files", restored.files().size());
                console.out().println(Json.write(answer));
                return Exit.OK;
            }
            console.out()
                    .println(
                            "restored %s in %s; 'coppice up' starts it"
                                    .formatted(
                                            Counted.of(restored.files().size(), "file", "files"),
                                            data));
            if (!restored.hasDatabase()) {
                console.err()
                        .println("coppice: restore the database of COPPICE_DB with pg_restore");
            }
            return Exit.OK;
        } catch (WholeBackup.Damaged e) {
            return damaged(file, e, console);
        } catch (IOException e) {
            throw new UncheckedIOException("restoring " + data, e);
        }
    }

    private static boolean isEmpty(Path directory) throws IOException {
        if (!Files.isDirectory(directory)) return false;
        try (var all = Files.list(directory)) {
            return all.findAny().isEmpty();
        }
    }
}
