package dev.coppice.cli.machine;

import dev.coppice.boot.DataDirectory;
import dev.coppice.boot.DatabaseSchema;
import dev.coppice.boot.SettingsReader;
import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.CoordinatorPlace;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Usage;
import dev.coppice.kernel.Counted;
import dev.coppice.runner.LocalCoordinator;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.HashMap;
import java.util.List;
import java.util.Objects;

/** Goes back to the version that served the data directory before this one. */
public final class RollbackCommand implements Command {
    @Override
    public String name() {
        return "rollback";
    }

    @Override
    public Usage usage() {
        return new Usage(
                "Go back to the version before, with the data of this one",
                List.of(),
                List.of(
                        Option.flag("yes", "delete what only this version's database can hold"),
                        Option.DATA,
                        Option.JSON),
                """
                Rolls back the steps of the database that the version before does not know, each
                after a copy in the directory of backups, counts what is lost, and links the
                commands to that version's program, if an archive was installed. The
                coordinator must be down; with 'down --keep-agents', agents outlive both.

                  coppice down --keep-agents
                  coppice rollback --yes
                  coppice up -d
                """);
    }

    @Override
    public Reads reads() {
        return Reads.ALL;
    }

    @Override
    public Exit run(Args args, Console console) {
        var data = CoordinatorPlace.data(args, console).toAbsolutePath().normalize();
        if (LocalCoordinator.in(data).holder().isPresent()) {
            throw new Args.Invalid(
                    "a coordinator uses %s; stop it with 'coppice down --keep-agents'"
                            .formatted(data));
        }
        var versions = new VersionHistory(data);
        var all = versions.all();
        var ours = VersionHistory.ours(console.env("COPPICE_HOME"));
        // This version may have failed to start, and then it is not among them.
        int at = all.size() - 1;
        while (at >= 0 && all.get(at).isSame(ours)) at--;
        if (at < 0) throw new Args.Invalid("no earlier version has served " + data);
        var before = all.get(at);
        if (Objects.equals(before.home(), ours.home())) {
            throw new Args.Invalid(
                    ("version %s was in %s, where this one is: install it there first; 'coppice db"
                                    + " rollback' undoes a step of the database")
                            .formatted(before.version(), before.home()));
        }
        var program = before.home() == null ? null : program(Path.of(before.home()));
        if (program == null) {
            throw new Args.Invalid(
                    "the program of version %s is gone from %s; install it again"
                            .formatted(before.version(), before.home()));
        }
        try {
            if (!isRolledBack(before, args, data, console)) return Exit.USAGE;
        } catch (DatabaseSchema.Refused | DataDirectory.Unusable | SettingsReader.BadSetting e) {
            console.err().println("coppice: " + e.getMessage());
            return Exit.CANNOT_START;
        }
        int links = relinked(ours.home(), Path.of(String.valueOf(before.home())));
        versions.write(all.subList(0, at + 1));
        if (links > 0) console.out().println("linked " + Counted.of(links, "file", "files"));
        console.out()
                .println(
                        "back at version %s; start it with '%s up -d'"
                                .formatted(before.version(), program));
        console.err()
                .println(
                        "A service starts the program that its unit names: install it again with"
                                + " '"
                                + program
                                + " service install'.");
        return Exit.OK;
    }

    /** The launcher of an archive or of a checkout. */
    private static @Nullable Path program(Path home) {
        for (var each : List.of(home.resolve("bin/coppice"), home.resolve("coppice"))) {
            if (Files.isExecutable(each) && !Files.isDirectory(each)) return each;
        }
        return null;
    }

    private static boolean isRolledBack(
            VersionHistory.Version before, Args args, Path data, Console console) {
        var environment = new HashMap<>(console.environment());
        environment.put("COPPICE_DATA", data.toString());
        var schema = new DatabaseSchema(new SettingsReader(environment).read());
        int taken = (int) schema.status().stream().filter(s -> s.takenAt().isPresent()).count();
        if (taken > before.steps() && !args.has("yes")) {
            console.err()
                    .println(
                            ("coppice: version %s does not know the last %s of the database; pass"
                                            + " --yes to roll back, which deletes what only they"
                                            + " can hold, after a copy")
                                    .formatted(
                                            before.version(),
                                            Counted.of(taken - before.steps(), "step", "steps")));
            return false;
        }
        for (; taken > before.steps(); taken--) {
            var step = schema.rollback();
            console.out()
                    .println(
                            "rolled back %s; the database as it was before is in %s"
                                    .formatted(step.step(), step.backup()));
            step.lost().forEach(lost -> console.out().println("no longer in it: " + lost));
        }
        return true;
    }

    /** Links what install.sh has linked to one version to another one; returns how many. */
    private static int relinked(@Nullable String from, Path to) {
        var versions = from == null ? null : Path.of(from).getParent();
        if (versions == null || !versions.endsWith("share/coppice")) return 0;
        var prefix = versions.resolve("../..").normalize();
        int count = 0;
        var places =
                List.of(
                        "bin",
                        "share/man/man1",
                        "share/bash-completion/completions",
                        "share/zsh/site-functions",
                        "share/fish/vendor_completions.d");
        for (var place : places) {
            var directory = prefix.resolve(place);
            if (!Files.isDirectory(directory)) continue;
            try (var all = Files.newDirectoryStream(directory, Files::isSymbolicLink)) {
                for (var link : all) if (relinked(link, Path.of(from), to)) count++;
            } catch (IOException e) {
                throw new UncheckedIOException("linking in " + directory, e);
            }
        }
        return count;
    }

    private static boolean relinked(Path link, Path from, Path to) throws IOException {
        var target = Files.readSymbolicLink(link);
        if (!target.startsWith(from)) return false;
        var other = to.resolve(from.relativize(target));
        var beside = link.resolveSibling(link.getFileName() + ".new");
        Files.deleteIfExists(beside);
        if (Files.exists(other, LinkOption.NOFOLLOW_LINKS)) {
            Files.createSymbolicLink(beside, other);
            Files.move(beside, link, StandardCopyOption.ATOMIC_MOVE);
        } else {
            Files.delete(link);
        }
        return true;
    }
}
