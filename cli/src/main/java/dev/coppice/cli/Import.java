package dev.coppice.cli;

import dev.coppice.backup.BackupFile;
import dev.coppice.backup.ForeignTrees;
import dev.coppice.client.Refused;
import dev.coppice.kernel.Counted;
import dev.coppice.store.ForeignDatabase;
import dev.coppice.wire.Json;
import dev.coppice.wire.removal.BackupCalls;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;

/** Brings in the sessions of the systems before, and puts their orphans where they belong. */
final class Import implements Command {
    @Override
    public String name() {
        return "import";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Bring in a database of the original coordinator or observability servers",
                List.of("FILE"),
                List.of(
                        Option.flag("dry-run", "only show what is in it"),
                        Option.of("orphans", "WORD", "those without a parent: root or skip; asks"),
                        Option.of("attach", "ID=PARENT,…", "whose children they were"),
                        Option.flag("new-ids", "with new ids, where others have the old ones"),
                        Option.flag("rename", "give other names to those whose names are taken")),
                """
                Sessions, who is whose child, runs, results and events come in; what was alive
                has ended. Where a deleted parent left a child that points to nobody, other
                rows may still name it: such a child is put below it again. For the rest you
                are asked. The file is only read; each tree comes in whole or not at all.

                  coppice import agent_sessions.db --dry-run
                  coppice import agent_sessions.db --orphans root
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var file = Path.of(args.word(0));
        if (!Files.isRegularFile(file)) throw new Args.Wrong("there is no file " + file);
        try (var database = new ForeignDatabase(file)) {
            var trees = new ForeignTrees(database);
            attach(trees, args);
            show(trees, console);
            if (args.has("dry-run")) return Exit.OK;
            return bringIn(trees, skipped(trees, args, console), args, console);
        } catch (ForeignDatabase.Unreadable e) {
            console.err().println(e.getMessage());
            return Exit.REFUSED;
        }
    }

    private static void attach(ForeignTrees trees, Args args) {
        var said = args.value("attach");
        if (said == null) return;
        for (var pair : said.split(",", -1)) {
            int equals = pair.indexOf('=');
            if (equals < 0)
                throw new Args.Wrong("--attach takes ID=PARENT, not '%s'".formatted(pair));
            try {
                trees.attach(pair.substring(0, equals), pair.substring(equals + 1));
            } catch (IllegalArgumentException e) {
                throw new Args.Wrong("--attach: " + e.getMessage());
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
                        console.err().println("  %s is put below %s again".formatted(id, parent)));
        for (var orphan : orphans(trees)) {
            console.err()
                    .println(
                            "  %s is an orphan: %s"
                                    .formatted(Shown.harmless(orphan.id()), why(orphan)));
        }
    }

    private static String why(ForeignTrees.Orphan orphan) {
        var parent = orphan.parent();
        return parent == null
                ? "it was someone's child, and nothing says whose"
                : "its parent %s is gone".formatted(Shown.harmless(parent));
    }

    /** Those nobody has attached to anyone meanwhile. */
    private static List<ForeignTrees.Orphan> orphans(ForeignTrees trees) {
        var roots = trees.roots();
        return trees.orphans().stream().filter(o -> roots.contains(o.id())).toList();
    }

    private static List<String> skipped(ForeignTrees trees, Args args, Console console) {
        var orphans = orphans(trees);
        var word = args.value("orphans");
        if (orphans.isEmpty() || "root".equals(word)) return List.of();
        if ("skip".equals(word)) return orphans.stream().map(ForeignTrees.Orphan::id).toList();
        if (word != null || !console.isTerminal()) {
            throw new Args.Wrong(
                    "for the %s say --orphans root, --orphans skip or --attach"
                            .formatted(Counted.of(orphans.size(), "orphan", "orphans")));
        }
        var skipped = new ArrayList<String>();
        for (var orphan : orphans) {
            while (!isAnswered(trees, orphan, skipped, console)) {
                console.err().println("  try again");
            }
        }
        return skipped;
    }

    private static boolean isAnswered(
            ForeignTrees trees, ForeignTrees.Orphan orphan, List<String> skipped, Console console) {
        var name = Shown.harmless(orphan.name());
        console.err().print("Parent of %s (an id, 'root' or 'skip'): ".formatted(name));
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

    private static Exit bringIn(
            ForeignTrees trees, List<String> skipped, Args args, Console console) {
        var connection = Connection.open(args, console);
        var answers = new ArrayList<JsonNode>();
        int stay = 0;
        int came = 0;
        for (var root : trees.roots()) {
            if (skipped.contains(root)) continue;
            try {
                answers.add(tree(connection, trees, root, args));
                came++;
            } catch (Refused e) {
                stay++;
                console.err()
                        .println(
                                "  %s: %s"
                                        .formatted(
                                                trees.nameOf(root), Advice.inOneLine(e.problem())));
            }
        }
        if (args.has(Option.JSON)) console.out().println(Json.tree(answers));
        else
            console.out()
                    .println(
                            "%s came in, %d did not"
                                    .formatted(Counted.of(came, "tree", "trees"), stay));
        return stay == 0 ? Exit.OK : Exit.REFUSED;
    }

    private static JsonNode tree(
            Connection connection, ForeignTrees trees, String root, Args args) {
        try {
            var file = Files.createTempFile("coppice-import", ".coppice");
            try {
                trees.write(root, file, InstantSource.system().instant());
                var request =
                        new BackupCalls.Restore(
                                RestoreCommand.handedIn(connection, file),
                                BackupFile.sha256(file),
                                Files.size(file),
                                null,
                                false,
                                args.has("new-ids"),
                                args.has("rename"),
                                null);
                return RestoreCommand.restored(connection, request).body();
            } finally {
                Files.deleteIfExists(file);
            }
        } catch (IOException e) {
            throw new UncheckedIOException("importing " + root, e);
        }
    }
}
