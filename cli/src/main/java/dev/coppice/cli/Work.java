package dev.coppice.cli;

import dev.coppice.kernel.Counted;
import dev.coppice.runner.unsaved.Git;
import dev.coppice.runner.unsaved.Restore;
import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/** Lists what was kept of a removed session's unsaved work, and gives it back. */
final class Work implements Command {
    private static final int NOTES_MAX = 8;

    @Override
    public String name() {
        return "work";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "List the work that was kept of removed sessions, or restore it",
                List.of("list|restore", "NAME"),
                List.of(
                        Option.of("into", "DIR", "where to restore it; must not be there yet"),
                        Option.of("number", "N", "which one, as 'list' numbers them; 1"),
                        Option.of(
                                "repository", "DIR", "one with its history, if the first is gone")),
                """
                NAME is that of a removed session, or a removal's id. Work from a git
                repository comes back as a new work tree of it on a new branch, with what
                was staged, changed and untracked as it was, and with stashes and branches
                that the repository does not have any more; the rest as plain files.

                  coppice work list plan
                  coppice work restore plan --into ../plan-again
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var said = args.word(1);
        var removal = connection.removal(said, _ -> true);
        // Who went along with another is known by that one's removal.
        var below = removal.equals(said) && !said.startsWith("rem_") ? connection.gone(said) : null;
        if (below != null) removal = below.removal();
        var path = "/removals/" + Connection.part(removal) + "/work";
        var kept = new ArrayList<JsonNode>();
        for (var item : connection.pages(path + "?limit=1000", "work")) {
            boolean its = below == null || names(item).contains(below.name());
            if (its && item.hasNonNull("kept")) kept.add(item);
        }
        return switch (args.word(0)) {
            case "list" -> list(kept, args, console);
            case "restore" -> restore(connection, path, kept, args, console);
            case String other ->
                    throw new Args.Wrong("nothing is known to be done with '%s'".formatted(other));
        };
    }

    private static List<String> names(JsonNode item) {
        var names = new ArrayList<String>();
        item.path("sessions").forEach(name -> names.add(name.asString()));
        return names;
    }

    private static Exit list(List<JsonNode> kept, Args args, Console console) {
        if (args.has(Option.JSON)) {
            console.out().println(Json.tree(kept));
            return Exit.OK;
        }
        var rows = new ArrayList<List<String>>();
        for (var item : kept) {
            rows.add(
                    List.of(
                            String.valueOf(rows.size() + 1),
                            Shown.text(item, "kind"),
                            Shown.text(item, "directory"),
                            counts(item),
                            Shown.harmless(Json.text(item.get("kept"), "ref"))));
        }
        console.out().print(Table.of(List.of("N", "KIND", "DIRECTORY", "WORK", "REF"), rows));
        for (int i = 0; i < kept.size(); i++) {
            for (var note : notes(kept.get(i))) console.out().println((i + 1) + " " + note);
        }
        return Exit.OK;
    }

    /** A line that a person can judge. */
    static String said(JsonNode item) {
        return "%s: %s".formatted(Shown.text(item, "directory"), counts(item));
    }

    /** What else there is to know, as far as a screen has room for it. */
    static List<String> notes(JsonNode item) {
        var all = new ArrayList<String>();
        item.path("notes").forEach(note -> all.add(Shown.harmless(note.asString())));
        if (all.size() <= NOTES_MAX) return all;
        var some = new ArrayList<>(all.subList(0, NOTES_MAX));
        some.add("and %d more, see --json".formatted(all.size() - NOTES_MAX));
        return some;
    }

    private static String counts(JsonNode item) {
        var words = new ArrayList<String>();
        for (var what : List.of("uncommitted", "untracked", "stashed", "unpushed")) {
            long n = item.path(what).asLong(0);
            if (n > 0) words.add(n + " " + what);
        }
        words.add(Remove.size(item.path("bytes").asLong(0)));
        return String.join(", ", words);
    }

    private static Exit restore(
            Connection connection, String path, List<JsonNode> kept, Args args, Console console) {
        var into = args.value("into");
        if (into == null) throw new Args.Wrong("--into DIR is missing");
        var item = chosen(kept, args.value("number", "1"));
        try {
            var bundle = Files.createTempFile("coppice", ".bundle");
            try {
                var file = Json.text(item.get("kept"), "file");
                if (file != null) {
                    connection.download(path + "/file?file=" + Connection.part(file), bundle);
                }
                var done = restored(new Restore(Path.of(into), bundle), item, args);
                console.out()
                        .println(
                                "%s%s: %s"
                                        .formatted(
                                                done.directory(),
                                                done.branch() == null
                                                        ? ""
                                                        : " on branch " + done.branch(),
                                                Counted.of(done.files(), "file", "files")));
                for (var branch : done.branches()) console.out().println("branch " + branch);
                if (done.stashes() > 0) {
                    console.out().println("stashes again in 'git stash list': " + done.stashes());
                }
                return Exit.OK;
            } finally {
                Files.deleteIfExists(bundle);
            }
        } catch (Git.Failed e) {
            console.err().println("not restored: " + e.getMessage());
            return Exit.REFUSED;
        } catch (IOException e) {
            throw new UncheckedIOException("restoring into " + into, e);
        }
    }

    private static JsonNode chosen(List<JsonNode> kept, String number) {
        try {
            return kept.get(Integer.parseInt(number) - 1);
        } catch (NumberFormatException | IndexOutOfBoundsException _) {
            throw new Args.Wrong(
                    "--number is '%s'; there are %d, see 'coppice work list'"
                            .formatted(number, kept.size()));
        }
    }

    private static Restore.Restored restored(Restore restore, JsonNode item, Args args) {
        var ref = Json.text(item.get("kept"), "ref");
        if (ref == null) return restore.files();
        var first =
                item.get("sessions").isEmpty() ? "work" : item.get("sessions").get(0).asString();
        var kept = new Restore.Kept(ref, Json.text(item, "commit"), first);
        var said = args.value("repository");
        if (said == null) {
            var places =
                    Stream.of(
                                    Json.text(item, "directory"),
                                    Json.text(item.get("kept"), "repository"))
                            .flatMap(Stream::ofNullable)
                            .toList();
            return restore.worktree(kept, restore.among(kept, places));
        }
        if (!Git.isRepository(Path.of(said))) {
            throw new Args.Wrong(said + " is no git repository");
        }
        return restore.worktree(kept, Path.of(said));
    }
}
