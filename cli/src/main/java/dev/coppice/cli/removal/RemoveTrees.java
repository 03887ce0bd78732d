package dev.coppice.cli.removal;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Table;
import dev.coppice.client.Answer;
import dev.coppice.client.Refused;
import dev.coppice.kernel.Counted;
import dev.coppice.wire.Json;
import dev.coppice.wire.removal.PlanView;
import dev.coppice.wire.removal.RemovalView;
import dev.coppice.wire.removal.WorkView;
import dev.coppice.wire.session.SessionView;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Removes many trees, each by its own removal: shows all plans, asks once, and confirms each plan
 * with its digest. Trees whose removal is refused are named.
 */
final class RemoveTrees {
    /** Statuses of a session that does not exist any more. */
    private static final Set<Integer> GONE = Set.of(404, 410);

    private static final Set<String> OUT_OF_SIGHT = Set.of("hidden", "purging", "purged");

    private final Connection connection;
    private final Args args;
    private final Console console;

    RemoveTrees(Connection connection, Args args, Console console) {
        this.connection = connection;
        this.args = args;
        this.console = console;
    }

    /** A tree and the plan of its removal. */
    private record Planned(String id, String path, Answer<PlanView> answer) {
        PlanView plan() {
            return answer.value();
        }
    }

    Exit remove(List<SessionView> tops) {
        var trees = tops.stream().map(this::planned).flatMap(Optional::stream).toList();
        long sessions = trees.stream().mapToLong(t -> t.plan().sessions()).sum();
        var headings = List.of("TREE", "SESSIONS", "RUNS", "UNSAVED", "REFUSED");
        boolean only = args.has("dry-run") || trees.isEmpty();
        // A table that is the result goes to standard output; one before a question does not.
        var table = only && !args.has(Option.JSON) ? console.out() : console.err();
        table.print(Table.of(headings, trees.stream().map(RemoveTrees::row).toList(), console));
        table.println(trees(trees.size()) + ", " + Counted.sessions(sessions));
        if (only) {
            var plans = trees.stream().map(tree -> tree.answer().body()).toList();
            if (args.has(Option.JSON)) console.out().println(Json.tree(plans));
            return Exit.OK;
        }
        if (!args.has("yes") && !agreed(sessions)) {
            console.err().println("aborted; nothing was removed");
            return Exit.REFUSED;
        }
        return removed(trees);
    }

    private static String trees(long n) {
        return Counted.of(n, "tree", "trees");
    }

    /** Plans the removal of a tree; empty if the tree was removed since it was listed. */
    private Optional<Planned> planned(SessionView top) {
        var id = top.sessionId();
        try {
            var plan = OneRemoval.plan(connection, args, id);
            return Optional.of(new Planned(id, Shown.clean(top.path()), plan));
        } catch (Refused e) {
            if (!GONE.contains(e.problem().status())) throw e;
            return Optional.empty();
        }
    }

    private static List<String> row(Planned tree) {
        var plan = tree.plan();
        long unsaved = plan.work().stream().filter(WorkView::unsaved).count();
        var unseen = Shown.unseen(plan.notLookedAt(), plan.looksFailed());
        var refused = plan.refusals().stream().map(r -> Shown.clean(r.said())).toList();
        return List.of(
                tree.path(),
                Long.toString(plan.sessions()),
                Long.toString(plan.runs()),
                Counted.of(unsaved, "directory", "directories")
                        + (unseen.isEmpty() ? "" : "; " + String.join("; ", unseen)),
                String.join("; ", refused));
    }

    /** Asks for the number of sessions, so that a stray return key does not confirm. */
    private boolean agreed(long sessions) {
        if (!console.canAsk()) throw new Args.Invalid("cannot ask: not a terminal; pass --yes");
        var forGood = args.has("now") ? " for good" : "";
        return console.answer("Type %d to remove them all%s:".formatted(sessions, forGood))
                .equals(Long.toString(sessions));
    }

    private Exit removed(List<Planned> trees) {
        int gone = 0;
        var worst = Exit.OK;
        var answers = new ArrayList<JsonNode>();
        for (var tree : trees) {
            try {
                var removal = removed(tree);
                answers.add(removal.body());
                if (!args.has(Option.JSON)) OneRemoval.said(removal, args, console);
                if (OUT_OF_SIGHT.contains(removal.value().state())) gone++;
                var exit = OneRemoval.exit(removal.value());
                if (worst != Exit.REFUSED && exit != Exit.OK) worst = exit;
            } catch (Refused e) {
                boolean left = GONE.contains(e.problem().status());
                if (!left) worst = Exit.REFUSED;
                var what = left ? "already removed" : "refused: " + e.problem().inOneLine();
                console.err().println("  %s: %s".formatted(tree.path(), what));
                if (left) gone++;
            }
        }
        if (args.has(Option.JSON)) console.out().println(Json.tree(answers));
        else console.out().println("removed %d of %s".formatted(gone, trees(trees.size())));
        return worst;
    }

    private Answer<RemovalView> removed(Planned tree) {
        return OneRemoval.remove(connection, args, tree.id(), confirmed(tree).digest());
    }

    /**
     * The plan to confirm: the one that the user accepted, or with --yes the current one. If the
     * tree was selected because it had ended and its states have changed since, it is the old plan,
     * which the coordinator refuses.
     */
    private PlanView confirmed(Planned tree) {
        if (!args.has("yes")) return tree.plan();
        var now = OneRemoval.plan(connection, args, tree.id()).value();
        boolean asChosen = now.sessionsByState().equals(tree.plan().sessionsByState());
        boolean mustBe = args.has("finished") || args.has("older-than");
        return asChosen || !mustBe ? now : tree.plan();
    }
}
