package dev.coppice.cli;

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
 * Takes many trees away, each by a removal of its own: shows the plans of all, asks once, and
 * confirms each with its digest. What is refused stays and is named.
 */
final class RemoveTrees {
    /** Answers that say that it is not there any more. */
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

    /** One of the trees, and what its removal would mean. */
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
        // What was asked for goes where it can be piped from; a question does not.
        var table = only && !args.has(Option.JSON) ? console.out() : console.err();
        table.print(Table.of(headings, trees.stream().map(RemoveTrees::row).toList()));
        table.println(trees(trees.size()) + ", " + Counted.sessions(sessions));
        if (only) {
            var plans = trees.stream().map(tree -> tree.answer().body()).toList();
            if (args.has(Option.JSON)) console.out().println(Json.tree(plans));
            return Exit.OK;
        }
        if (!args.has("yes") && !agreed(sessions)) {
            console.err().println("nothing was done");
            return Exit.REFUSED;
        }
        return removed(trees);
    }

    private static String trees(long n) {
        return Counted.of(n, "tree", "trees");
    }

    /** Nothing of one that has gone since it was listed. */
    private Optional<Planned> planned(SessionView top) {
        var id = top.sessionId();
        try {
            var plan = Remove.plan(connection, args, id);
            return Optional.of(new Planned(id, Shown.harmless(top.path()), plan));
        } catch (Refused e) {
            if (!GONE.contains(e.problem().status())) throw e;
            return Optional.empty();
        }
    }

    private static List<String> row(Planned tree) {
        var plan = tree.plan();
        long unsaved = plan.work().stream().filter(WorkView::unsaved).count();
        var unseen = Remove.unseen(plan.notLookedAt(), plan.looksFailed());
        var refused = plan.refusals().stream().map(r -> Shown.harmless(r.said())).toList();
        return List.of(
                tree.path(),
                Long.toString(plan.sessions()),
                Long.toString(plan.runs()),
                Counted.of(unsaved, "directory", "directories")
                        + (unseen.isEmpty() ? "" : "; " + String.join("; ", unseen)),
                String.join("; ", refused));
    }

    /** A number has to be typed: an idle return key must not do this. */
    private boolean agreed(long sessions) {
        if (!console.isTerminal()) throw new Args.Wrong("nobody can be asked here; say --yes");
        var forGood = args.has("now") ? " for good" : "";
        console.err().print("Type %d to remove them all%s: ".formatted(sessions, forGood));
        console.err().flush();
        return console.line().strip().equals(Long.toString(sessions));
    }

    private Exit removed(List<Planned> trees) {
        int gone = 0;
        var worst = Exit.OK;
        var answers = new ArrayList<JsonNode>();
        for (var tree : trees) {
            try {
                var removal = removed(tree);
                answers.add(removal.body());
                if (!args.has(Option.JSON)) Remove.said(removal, args, console);
                if (OUT_OF_SIGHT.contains(removal.value().state())) gone++;
                var exit = Remove.exit(removal.value());
                if (worst != Exit.REFUSED && exit != Exit.OK) worst = exit;
            } catch (Refused e) {
                boolean left = GONE.contains(e.problem().status());
                if (!left) worst = Exit.REFUSED;
                var what = left ? "has gone meanwhile" : "stays: " + Advice.inOneLine(e.problem());
                console.err().println("  %s %s".formatted(tree.path(), what));
                if (left) gone++;
            }
        }
        if (args.has(Option.JSON)) console.out().println(Json.tree(answers));
        else console.out().println("%d removed, %d stay".formatted(gone, trees.size() - gone));
        return worst;
    }

    private Answer<RemovalView> removed(Planned tree) {
        return Remove.remove(connection, args, tree.id(), confirmed(tree).digest());
    }

    /**
     * Where nobody has judged the table the plan of this moment is confirmed, as it is for one. Of
     * what was chosen because it had ended long ago it must still be the same sessions.
     */
    private PlanView confirmed(Planned tree) {
        if (!args.has("yes")) return tree.plan();
        var now = Remove.plan(connection, args, tree.id()).value();
        boolean asChosen = now.sessionsByState().equals(tree.plan().sessionsByState());
        boolean mustBe = args.has("finished") || args.has("older-than");
        return asChosen || !mustBe ? now : tree.plan();
    }
}
