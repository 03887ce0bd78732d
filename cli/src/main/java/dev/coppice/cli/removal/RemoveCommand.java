package dev.coppice.cli.removal;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.OnInterrupt;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Usage;
import dev.coppice.kernel.Counted;
import dev.coppice.wire.removal.PlanView;
import dev.coppice.wire.removal.WorkView;

import java.util.List;
import java.util.stream.Collectors;

/** Removes a session and all below it, after showing the plan. */
public final class RemoveCommand implements Command {

    /** Directories that a plan lists, so that the plan of a large tree fits on a screen. */
    private static final int DIRECTORIES_MAX = 12;

    @Override
    public String name() {
        return "rm";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Remove a session and all below it; can be undone for a week",
                List.of("[NAME]"),
                List.of(
                        Option.flag("yes", "do not ask for confirmation").as("y"),
                        Option.flag("dry-run", "only show the plan"),
                        Option.flag("stop", "stop sessions that are running"),
                        Option.flag("detach", "keep the children, as roots"),
                        Option.flag("only", "refuse if the session has children"),
                        Option.flag("override", "interrupt critical operations; requires --reason"),
                        Option.flag("now", "purge at once, without an undo window"),
                        Option.flag("abandon", "continue without what cannot be stopped in time"),
                        Option.flag("discard", "discard unsaved work, exactly what the plan shows"),
                        Option.flag("no-backup", "write no backup"),
                        Option.of("ignored", "WORD", "ignored files: list (default), keep or skip"),
                        Option.flag("include-dir", "also preserve directories not made by Coppice"),
                        Option.of("deadline", "TIME", "how long stopping may take (default 60s)"),
                        Option.of("reason", "TEXT", "the reason, recorded in the audit"),
                        Option.of("confirm", "DIGEST", "refuse if the plan has another digest"),
                        Option.flag("finished", "instead of NAME: trees that have ended"),
                        Option.of("older-than", "TIME", "the same, but at least this long ago"),
                        Option.of("match", "PATTERN", "instead of NAME: a prefix, or test-*-old"),
                        Option.of("below", "NAME", "instead of NAME: sessions below this one")),
                """
                Shows the plan and asks for confirmation. The digest identifies the plan; if
                the plan has changed since, nothing is removed. Removed sessions are hidden at
                once and purged later; until then 'coppice undo' restores them.
                The options instead of NAME can be combined. They select the topmost sessions
                that meet all conditions, each with everything below it. A pattern without '*'
                matches the beginning of a name.

                  coppice rm plan --dry-run
                  coppice rm plan --stop --reason "wrong branch"
                  coppice rm --finished --older-than 7d --yes
                  coppice rm --match 'test-*' --stop --dry-run
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var name = args.wordOrNull(0);
        if (name == null) return new RemoveMany(connection, args, console).run();
        if (RemoveMany.isAsked(args)) {
            throw new Args.Invalid("NAME cannot be combined with options instead of NAME");
        }
        var id = connection.id(name);
        var answer = OneRemoval.plan(connection, args, id);
        var plan = answer.value();
        if (args.has("dry-run")) {
            console.out().print(args.has(Option.JSON) ? answer.body() + "\n" : shown(plan));
            return plan.allowed() ? Exit.OK : Exit.REFUSED;
        }
        boolean allowed = plan.allowed();
        // Do not print a refused plan: the refusal says what is in the way.
        if (allowed && !args.has(Option.JSON)) console.err().print(shown(plan));
        if (allowed && !args.has("yes") && args.value("confirm") == null && !agreed(console)) {
            console.err().println("aborted; nothing was removed");
            return Exit.REFUSED;
        }
        try (var _ =
                OnInterrupt.say(
                        console,
                        () ->
                                "The removal goes on; 'coppice removals' shows it, and cancels"
                                        + " it.")) {
            var removed =
                    OneRemoval.remove(connection, args, id, args.value("confirm", plan.digest()));
            return OneRemoval.said(removed, args, console);
        }
    }

    private static boolean agreed(Console console) {
        if (!console.canAsk()) throw new Args.Invalid("cannot ask: not a terminal; pass --yes");
        return console.answer("Remove this? [y/N]").startsWith("y");
    }

    /** The plan as text, without lines for what the tree does not have. */
    private static String shown(PlanView plan) {
        var text = new StringBuilder();
        boolean alone = plan.choices().children().equals("detach");
        var what = alone ? "alone; its children are kept as roots" : "and all below it";
        text.append("%s %s%n".formatted(Shown.clean(plan.sessionName()), what));
        line(text, "sessions", "%d (%s)".formatted(plan.sessions(), states(plan)));
        var running = plan.running().stream().map(PlanView.RunningView::sessionName).toList();
        line(text, "running", Shown.names(running));
        for (var process : plan.outside()) line(text, "process", outside(process));
        line(text, "runs", runs(plan));
        counted(text, "processes", plan.processes(), "of agents and the programs they started");
        line(text, "events", "%d, %s".formatted(plan.events(), Shown.size(plan.eventBytes())));
        counted(text, "callbacks", plan.openCallbacks(), "owed to it; they are not delivered");
        counted(
                text,
                "callbacks",
                plan.owedCallbacks(),
                "owed by it; its parent is told of the removal");
        var critical = plan.criticalOperations().stream().map(PlanView.CriticalView::what).toList();
        line(text, "critical", Shown.names(critical));
        work(text, plan.work());
        for (var unseen : Shown.unseen(plan.notLookedAt(), plan.looksFailed())) {
            line(text, "unknown", unseen);
        }
        for (var earlier : plan.earlierRemovals()) {
            line(
                    text,
                    "earlier",
                    "%s of %s, with %s%s; is purged with this one"
                            .formatted(
                                    earlier.removalId(),
                                    Shown.clean(earlier.sessionName()),
                                    Counted.sessions(earlier.sessions()),
                                    earlier.backedUp() ? "" : ", no backup"));
        }
        for (var refusal : plan.refusals()) {
            line(text, "refused", Shown.clean(refusal.said()));
            line(text, "", Shown.clean(refusal.commandAdvice()));
        }
        if (plan.needsConfirm()) {
            line(text, "lost", "unsaved work is discarded; confirm with this digest");
        }
        line(text, "digest", plan.digest());
        return text.toString();
    }

    /** Lists the first directories with unsaved work or notes, and counts the others. */
    private static void work(StringBuilder text, List<WorkView> items) {
        int unsaved = 0;
        int noted = 0;
        for (var item : items) {
            var notes = WorkCommand.notes(item);
            if (!item.unsaved() && notes.isEmpty()) continue;
            noted++;
            if (item.unsaved()) unsaved++;
            if (noted > DIRECTORIES_MAX) continue;
            line(text, item.unsaved() ? "unsaved" : "directory", WorkCommand.said(item));
            for (var note : notes) line(text, "", note);
        }
        if (noted > DIRECTORIES_MAX) {
            line(
                    text,
                    "",
                    "and %d more; %s with unsaved work in total; see --json"
                            .formatted(
                                    noted - DIRECTORIES_MAX,
                                    Counted.of(unsaved, "directory", "directories")));
        }
        int clean = items.size() - noted;
        if (clean == 1) line(text, "saved", "everything in one more directory");
        if (clean > 1) line(text, "saved", "everything in %d more directories".formatted(clean));
    }

    private static String outside(PlanView.OutsideView process) {
        var end =
                process.mayStop()
                        ? "ends with its session"
                        : "goes on, and may write again: 'coppice adopt %d --stop' lets it end"
                                .formatted(process.pid());
        return "%s %d on %s %s"
                .formatted(process.program(), process.pid(), Shown.clean(process.hostname()), end);
    }

    private static String runs(PlanView plan) {
        if (plan.liveRuns() == 0) return Long.toString(plan.runs());
        return "%d, %d of them live, %d with a lease"
                .formatted(plan.runs(), plan.liveRuns(), plan.leases());
    }

    private static void counted(StringBuilder text, String label, long n, String meaning) {
        if (n > 0) line(text, label, n + " " + meaning);
    }

    private static void line(StringBuilder text, String label, String value) {
        if (!value.isEmpty()) text.append("  %-10s %s%n".formatted(label, value));
    }

    private static String states(PlanView plan) {
        return plan.sessionsByState().entrySet().stream()
                .map(state -> state.getValue() + " " + state.getKey())
                .collect(Collectors.joining(", "));
    }
}
