package dev.coppice.cli.removal;

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
import dev.coppice.runner.directory.Restore;
import dev.coppice.runner.raw.PreservationFailed;
import dev.coppice.wire.Json;
import dev.coppice.wire.Reason;
import dev.coppice.wire.removal.RemovalCalls;
import dev.coppice.wire.removal.WorkView;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** Lists the preserved work of removed sessions, or restores it. */
public final class WorkCommand implements Command {
    private static final int NOTES_MAX = 8;
    private static final int OFFERED_MAX = 20;

    @Override
    public String name() {
        return "work";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "List the preserved work of removed sessions, or restore it",
                List.of("list|restore", "NAME"),
                List.of(
                        Option.of("into", "DIR", "the directory to create and restore into"),
                        Option.of(
                                "number",
                                "N",
                                "its number in the list (default: the newest with work)"),
                        Option.of("repository", "DIR", "another clone, if the repository is gone")),
                """
                NAME is the name of a removed session, or the id of a removal. Work from a git
                repository is restored as a new work tree on a new branch, with its staged,
                changed and untracked files, and with stashes that the repository no longer has.
                A directory that Coppice created is restored completely. Only files that could
                make git run a program get the suffix .from-agent and a line that explains it,
                because an agent wrote them.

                  coppice work list plan
                  coppice work restore plan --into ../plan-again
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var name = args.word(1);
        var removal = connection.removal(name, _ -> true);
        // A session that was removed below another one is found through the removal of that one.
        var below = removal.equals(name) && !name.startsWith("rem_") ? connection.gone(name) : null;
        if (below != null) removal = below.removal();
        var preserved = new ArrayList<WorkView>();
        for (var item : work(connection, removal)) {
            boolean wanted = below == null || item.sessions().contains(below.name());
            if (wanted && item.preserved() != null) preserved.add(item);
        }
        return switch (args.word(0)) {
            case "list" -> list(preserved, args, console);
            case "restore" -> restore(connection, removal, preserved, args, console);
            case String other ->
                    throw new Args.Invalid("unexpected argument '%s'".formatted(other));
        };
    }

    private static List<WorkView> work(Connection connection, String removal) {
        return connection.pages(
                RemovalCalls.WORK,
                page -> new RemovalCalls.Within(removal, page),
                RemovalCalls.Preserved::work,
                RemovalCalls.Preserved::next);
    }

    /** The place of preserved work. Not null: only preserved directories are listed. */
    private static WorkView.PreservedView preserved(WorkView item) {
        return Objects.requireNonNull(item.preserved());
    }

    private static Exit list(List<WorkView> preserved, Args args, Console console) {
        if (args.has(Option.JSON)) {
            console.out().println(Json.write(preserved));
            return Exit.OK;
        }
        var rows = new ArrayList<List<String>>();
        for (var item : preserved) {
            rows.add(
                    List.of(
                            String.valueOf(rows.size() + 1),
                            item.kind(),
                            Shown.clean(item.directory()),
                            counts(item),
                            Shown.clean(preserved(item).ref())));
        }
        console.out()
                .print(Table.of(List.of("N", "KIND", "DIRECTORY", "WORK", "REF"), rows, console));
        for (int i = 0; i < preserved.size(); i++) {
            for (var note : notes(preserved.get(i))) console.out().println((i + 1) + " " + note);
        }
        return Exit.OK;
    }

    /** One line: the directory and its amounts of unsaved work. */
    static String said(WorkView item) {
        return "%s: %s".formatted(Shown.clean(item.directory()), counts(item));
    }

    /** The first notes about a directory, as many as fit on a screen. */
    static List<String> notes(WorkView item) {
        var all = item.notes().stream().map(Shown::clean).toList();
        if (all.size() <= NOTES_MAX) return all;
        var some = new ArrayList<>(all.subList(0, NOTES_MAX));
        some.add("and %d more; see --json".formatted(all.size() - NOTES_MAX));
        return some;
    }

    private static String counts(WorkView item) {
        var words = new ArrayList<String>();
        count(words, item.uncommitted(), "uncommitted");
        count(words, item.untracked(), "untracked");
        count(words, item.stashed(), "stashed");
        count(words, item.unpushed(), "unpushed");
        words.add(Shown.size(item.bytes()));
        return String.join(", ", words);
    }

    private static void count(List<String> words, long n, String what) {
        if (n > 0) words.add(n + " " + what);
    }

    private static Exit restore(
            Connection connection,
            String removal,
            List<WorkView> preserved,
            Args args,
            Console console) {
        var into = args.value("into");
        if (into == null) throw new Args.Invalid("--into DIR is missing");
        var item = chosen(preserved, args.value("number"), console);
        try {
            var downloaded = Files.createTempFile("coppice", ".kept");
            try {
                var file = preserved(item).file();
                if (file != null) {
                    var fetch = new RemovalCalls.WorkFile(removal, file);
                    connection.download(RemovalCalls.WORK_FILE, fetch, downloaded);
                    same(preserved(item), downloaded);
                }
                var done = restored(new Restore(Path.of(into), downloaded), item, args);
                tell(done, console);
                return Exit.OK;
            } finally {
                Files.deleteIfExists(downloaded);
            }
        } catch (PreservationFailed | UncheckedIOException e) {
            console.err().println("not restored: " + Shown.clean(Reason.of(e)));
            return Exit.REFUSED;
        } catch (IOException e) {
            throw new UncheckedIOException("restoring into " + into, e);
        }
    }

    /** Throws if the file is not the one that was preserved. */
    private static void same(WorkView.PreservedView preserved, Path file) throws IOException {
        var hash = preserved.sha256();
        if (hash == null || hash.equals(Restore.sha256(file))) return;
        throw new IOException("the file is not the preserved one: its SHA-256 is not " + hash);
    }

    private static void tell(Restore.Restored done, Console console) {
        var branch = done.branch() == null ? "" : " on branch " + done.branch();
        console.out()
                .println(
                        "%s%s: %s"
                                .formatted(
                                        done.directory(),
                                        branch,
                                        Counted.of(done.files(), "file", "files")));
        if (done.stashes() > 0) {
            console.out().println("stashes restored to 'git stash list': " + done.stashes());
        }
        done.notes().forEach(note -> console.out().println(Shown.clean(note)));
    }

    /** The item with this number; without one, the newest that has work in it. */
    private static WorkView chosen(
            List<WorkView> preserved, @Nullable String number, Console console) {
        if (preserved.isEmpty()) {
            throw new Args.Invalid("nothing is preserved there; see 'coppice work list'");
        }
        if (number == null) {
            int newest = newest(preserved);
            if (preserved.size() > 1) offer(preserved, newest, console);
            return preserved.get(newest);
        }
        try {
            return preserved.get(Integer.parseInt(number) - 1);
        } catch (NumberFormatException | IndexOutOfBoundsException _) {
            throw new Args.Invalid(
                    "--number is '%s'; there are %d; see 'coppice work list'"
                            .formatted(number, preserved.size()));
        }
    }

    private static int newest(List<WorkView> preserved) {
        var all = IntStream.range(0, preserved.size()).boxed();
        return all.max(
                        Comparator.<Integer>comparingInt(i -> worth(preserved.get(i)))
                                .thenComparing(Comparator.naturalOrder()))
                .orElseThrow();
    }

    /** Ranks an item: unsaved work of git before other files, and those before printed output. */
    private static int worth(WorkView item) {
        long unsaved = item.uncommitted() + item.untracked() + item.stashed() + item.unpushed();
        if (unsaved > 0 && item.kind().equals("git")) return 2;
        return item.kind().equals("plain") && item.bytes() > 0 ? 1 : 0;
    }

    private static void offer(List<WorkView> preserved, int chosen, Console console) {
        console.err().println("restoring number %d of %d:".formatted(chosen + 1, preserved.size()));
        for (int i = 0; i < preserved.size() && i < OFFERED_MAX; i++) {
            var sign = i == chosen ? ">" : " ";
            console.err().println("%s %d  %s".formatted(sign, i + 1, said(preserved.get(i))));
        }
        console.err().println("--number N chooses another");
    }

    private static Restore.Restored restored(Restore restore, WorkView item, Args args) {
        var ref = preserved(item).ref();
        if (ref == null) return restore.files();
        var first = item.sessions().isEmpty() ? "work" : item.sessions().getFirst();
        var preserved = new Restore.Preserved(ref, item.commit(), first);
        var repository = args.value("repository");
        if (repository == null) {
            var places =
                    Stream.of(item.directory(), preserved(item).repository())
                            .flatMap(Stream::ofNullable)
                            .toList();
            return restore.worktree(preserved, restore.among(preserved, places));
        }
        if (!Restore.isRepository(Path.of(repository))) {
            throw new Args.Invalid("'" + repository + "' is not a git repository");
        }
        return restore.worktree(preserved, Path.of(repository));
    }
}
