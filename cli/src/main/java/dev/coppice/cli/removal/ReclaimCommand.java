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
import dev.coppice.client.Answer;
import dev.coppice.client.Refused;
import dev.coppice.kernel.Counted;
import dev.coppice.wire.Call;
import dev.coppice.wire.Json;
import dev.coppice.wire.removal.PlanView;
import dev.coppice.wire.removal.StorageCalls;
import dev.coppice.wire.removal.WorkView;
import dev.coppice.wire.session.SessionView;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Set;

/** Shows the disk space of ended trees, and frees it. */
public final class ReclaimCommand implements Command {
    /** Statuses of a session that does not exist any more. */
    private static final Set<Integer> GONE = Set.of(404, 410);

    @Override
    public String name() {
        return "reclaim";
    }

    @Override
    public Usage usage() {
        var options = new ArrayList<Option>();
        options.add(Option.flag("free", "remove the trees, as 'coppice rm' does"));
        options.add(Option.flag("safe", "only trees whose work is saved elsewhere"));
        options.add(Option.of("older-than", "TIME", "only trees that ended TIME ago, such as 7d"));
        options.add(Option.flag("yes", "with --free: do not ask").as("y"));
        options.add(Option.of("reason", "TEXT", "with --free: why; recorded in the audit"));
        return Usage.of(
                "Show what ended trees hold on disk, and free it",
                List.of(),
                options,
                """
                DISK is the size of the directories that Coppice created for the sessions of a
                tree, and of their output; EVENTS is what the database holds. Your own directories
                stay, and are not counted. SAVED says if everything in all directories is
                committed and pushed; what is not is preserved by a removal. A removal can be
                undone, and frees the database only after that ('coppice undo').

                  coppice reclaim --safe --older-than 7d --free
                """);
    }

    /** An ended tree, and the plan of its removal. */
    private record Held(SessionView top, Answer<PlanView> plan) {
        long disk() {
            return plan.value().freedBytes() + plan.value().outputBytes();
        }

        boolean isSaved() {
            var value = plan.value();
            return value.work().stream().noneMatch(WorkView::unsaved)
                    && value.notLookedAt().isEmpty()
                    && value.looksFailed().isEmpty();
        }
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var held = new ArrayList<Held>();
        var age = args.length("older-than");
        for (var top : new Candidates(age == null, age, null, null).all(connection)) {
            try {
                var one = new Held(top, OneRemoval.plan(connection, args, top.sessionId()));
                if (one.isSaved() || !args.has("safe")) held.add(one);
            } catch (Refused e) {
                if (!GONE.contains(e.problem().status())) throw e;
            }
        }
        held.sort(Comparator.comparingLong(Held::disk).reversed());
        if (args.has("free")) {
            var tops = held.stream().map(Held::top).toList();
            return new RemoveTrees(connection, args, console).remove(tops);
        }
        if (args.has(Option.JSON)) {
            console.out().println(Json.tree(held.stream().map(one -> one.plan().body()).toList()));
            return Exit.OK;
        }
        console.out().print(table(held, console));
        console.out().print(sums(connection, held));
        return Exit.OK;
    }

    private static String table(List<Held> held, Console console) {
        var rows = new ArrayList<List<String>>();
        for (var one : held) {
            var plan = one.plan().value();
            rows.add(
                    List.of(
                            Shown.clean(plan.sessionName()),
                            Shown.size(one.disk()),
                            Integer.toString(plan.work().size()),
                            Shown.size(plan.eventBytes()),
                            Long.toString(plan.sessions()),
                            saved(one)));
        }
        var headings = List.of("TREE", "DISK", "DIRECTORIES", "EVENTS", "SESSIONS", "SAVED");
        return Table.of(headings, rows, console);
    }

    private static String saved(Held held) {
        if (held.isSaved()) return "yes";
        var plan = held.plan().value();
        var unseen = Shown.unseen(plan.notLookedAt(), plan.looksFailed());
        if (!unseen.isEmpty()) return String.join("; ", unseen);
        long unsaved = plan.work().stream().filter(WorkView::unsaved).count();
        return "not in " + Counted.of(unsaved, "directory", "directories");
    }

    private static String sums(Connection connection, List<Held> held) {
        long disk = held.stream().mapToLong(Held::disk).sum();
        var storage = connection.call(StorageCalls.READ, new Call.Nothing());
        return """
        %s: %s of directories and output
        the database: %s, backups and preserved work: %s
        """
                .formatted(
                        Counted.of(held.size(), "ended tree", "ended trees"),
                        Shown.size(disk),
                        Shown.size(storage.bytes()),
                        Shown.size(storage.backupBytes()));
    }
}
