package dev.coppice.cli;

import dev.coppice.backup.BackupFile;
import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Usage;
import dev.coppice.cli.removal.RestoreCommand;
import dev.coppice.client.Refused;
import dev.coppice.kernel.Counted;
import dev.coppice.originals.foreign.ForeignDatabase;
import dev.coppice.originals.foreign.ForeignTrees;
import dev.coppice.wire.Json;
import dev.coppice.wire.removal.BackupCalls;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Imports the sessions of the older systems, and attaches their orphans to parents. */
final class ImportCommand implements Command {
    @Override
    public String name() {
        return "import";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Import a database of the original servers",
                List.of("FILE"),
                List.of(
                        Option.flag("dry-run", "only show the contents of the file"),
                        Option.of("orphans", "WORD", "orphans: root or skip (default: ask)"),
                        Option.of("attach", "ID=PARENT,…", "attach an orphan to this parent"),
                        Option.flag("new-ids", "give every session a new id"),
                        Option.flag("rename", "rename sessions whose names are taken")),
                """
                Imports the sessions of a coordinator, of an observability server or of a hook
                server (events.db): their parents and pairs, runs, results and events; live sessions
                are ended. A session that lost the reference to its parent is put below it again if
                another row names the parent; any other orphan needs a decision. What has no place
                here is named. Each tree is imported completely or not at all. The file is only
                read.

                  coppice import agent_sessions.db --dry-run
                  coppice import agent_sessions.db --orphans root
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var file = args.file(0);
        try (var database = new ForeignDatabase(file)) {
            var trees = new ForeignTrees(database);
            attach(trees, args);
            show(trees, console);
            if (args.has("dry-run")) {
                showOmitted(trees, console);
                return Exit.OK;
            }
            var skipped = decideOrphans(trees, args, console);
            showOmitted(trees, console);
            return importAll(trees, skipped, args, console);
        } catch (ForeignDatabase.Unreadable e) {
            console.err().println(e.getMessage());
            return Exit.REFUSED;
        }
    }

    private static void attach(ForeignTrees trees, Args args) {
        var pairs = args.value("attach");
        if (pairs == null) return;
        for (var pair : pairs.split(",", -1)) {
            int equals = pair.indexOf('=');
            if (equals < 0)
                throw new Args.Invalid("--attach takes ID=PARENT, not '%s'".formatted(pair));
            try {
                trees.attach(pair.substring(0, equals), pair.substring(equals + 1));
            } catch (IllegalArgumentException e) {
                throw new Args.Invalid("--attach: " + e.getMessage());
            }
        }
    }

    private static void show(ForeignTrees trees, Console console) {
        console.err()
                .println(
                        Counted.sessions(trees.sessions())
                                + " in "
                                + Counted.of(trees.roots().size(), "tree", "trees"));
        trees.reattached()
                .forEach((id, parent) ->
                        console.err()
                                .println(
                                        "  %s: parent %s found in another row"
                                                .formatted(id, parent)));
        for (var orphan : orphans(trees)) {
            console.err()
                    .println(
                            "  %s is an orphan: %s"
                                    .formatted(Shown.clean(orphan.id()), why(orphan)));
        }
    }

    /** Prints what is left out, after orphans are attached: this decides which pairs are kept. */
    private static void showOmitted(ForeignTrees trees, Console console) {
        for (var line : trees.omitted()) console.err().println("  not kept: " + Shown.clean(line));
    }

    private static String why(ForeignTrees.Orphan orphan) {
        var parent = orphan.parent();
        return parent == null
                ? "no row names its parent"
                : "its parent %s is not in the database, or is below it"
                        .formatted(Shown.clean(parent));
    }

    /** The orphans that --attach or an answer has not attached. */
    private static List<ForeignTrees.Orphan> orphans(ForeignTrees trees) {
        var roots = trees.roots();
        return trees.orphans().stream().filter(o -> roots.contains(o.id())).toList();
    }

    /** Attaches orphans as the user answers; returns the roots to skip. */
    private static List<String> decideOrphans(ForeignTrees trees, Args args, Console console) {
        var orphans = orphans(trees);
        var word = args.value("orphans");
        if (orphans.isEmpty() || "root".equals(word)) return List.of();
        if ("skip".equals(word)) return orphans.stream().map(ForeignTrees.Orphan::id).toList();
        if (word != null || !console.canAsk()) {
            throw new Args.Invalid(
                    "%s no parent; pass --orphans root, --orphans skip or --attach ID=PARENT"
                            .formatted(Counted.of(orphans.size(), "session has", "sessions have")));
        }
        var skipped = new ArrayList<String>();
        for (var orphan : orphans) {
            while (!tryAskParent(trees, orphan, skipped, console)) {
                console.err().println("  Answer again.");
            }
        }
        return skipped;
    }

    /** Attaches the orphan or skips it, as answered; false if the answer is not valid. */
    private static boolean tryAskParent(
            ForeignTrees trees, ForeignTrees.Orphan orphan, List<String> skipped, Console console) {
        var name = Shown.clean(orphan.name());
        console.err().print("Parent of %s (an id, 'root' or 'skip') [root]: ".formatted(name));
        console.err().flush();
        try {
            switch (console.line().strip()) {
                case "", "root" -> {}
                case "skip" -> skipped.add(orphan.id());
                case String parent -> trees.attach(orphan.id(), parent);
            }
            return true;
        } catch (IllegalArgumentException e) {
            console.err().println("  " + e.getMessage());
            return false;
        }
    }

    private static Exit importAll(
            ForeignTrees trees, List<String> skipped, Args args, Console console) {
        var connection = Connection.open(args, console);
        var answers = new ArrayList<JsonNode>();
        int refused = 0;
        int imported = 0;
        for (var root : trees.roots()) {
            if (skipped.contains(root)) continue;
            try {
                answers.add(importTree(connection, trees, root, args));
                imported++;
            } catch (Refused e) {
                refused++;
                console.err()
                        .println("  %s: %s".formatted(trees.nameOf(root), e.problem().inOneLine()));
            }
        }
        if (args.has(Option.JSON)) console.out().println(Json.tree(answers));
        else
            console.out()
                    .println(
                            "%s imported, %d refused"
                                    .formatted(Counted.of(imported, "tree", "trees"), refused));
        return refused == 0 ? Exit.OK : Exit.REFUSED;
    }

    private static JsonNode importTree(
            Connection connection, ForeignTrees trees, String root, Args args) {
        try {
            var file = Files.createTempFile("coppice-import", ".coppice");
            try {
                trees.write(root, file, InstantSource.system().instant());
                var request =
                        new BackupCalls.Restore(
                                RestoreCommand.upload(connection, file),
                                BackupFile.sha256(file),
                                Files.size(file),
                                null,
                                false,
                                args.has("new-ids"),
                                args.has("rename"),
                                null);
                return RestoreCommand.restore(connection, request).body();
            } finally {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("importing " + root, e);
        }
    }
}
