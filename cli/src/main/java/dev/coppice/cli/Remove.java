package dev.coppice.cli;

import dev.coppice.client.Answer;
import dev.coppice.kernel.Counted;
import dev.coppice.wire.Patience;
import dev.coppice.wire.removal.Choice;
import dev.coppice.wire.removal.Choices;
import dev.coppice.wire.removal.PlanView;
import dev.coppice.wire.removal.RemovalCalls;
import dev.coppice.wire.removal.RemovalView;
import dev.coppice.wire.removal.SeedChoices;
import dev.coppice.wire.removal.WorkView;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;

/** Takes a session away with all below it, after showing what that means. */
final class Remove implements Command {
    static final Patience PATIENCE = Patience.of(Duration.ofHours(1));

    /** Unsaved work that is shown, so that a large tree still fits on a screen. */
    private static final int DIRECTORIES_MAX = 12;

    @Override
    public String name() {
        return "rm";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Take a session and its tree away; can be undone for a week",
                List.of("[NAME]"),
                List.of(
                        Option.flag("yes", "do not ask").as("y"),
                        Option.flag("dry-run", "only show what would happen"),
                        Option.flag("stop", "stop what still runs"),
                        Option.flag("detach", "let the children stay, as roots of their own"),
                        Option.flag("only", "refuse when there are children"),
                        Option.flag("override", "break off critical operations; needs --reason"),
                        Option.flag("now", "delete for good, with no time for an undo"),
                        Option.flag("abandon", "go on without what cannot be stopped in time"),
                        Option.flag(
                                "discard", "throw unsaved work away, exactly what the plan shows"),
                        Option.flag("no-backup", "write no backup"),
                        Option.of("ignored", "WORD", "what git ignores: list, keep or skip; list"),
                        Option.flag("include-dir", "also keep directories Coppice has not made"),
                        Option.of("deadline", "TIME", "how long stopping may take; 60s"),
                        Option.of("reason", "TEXT", "why, for those who look later"),
                        Option.of("confirm", "DIGEST", "only if the plan still has this digest"),
                        Option.flag("finished", "instead of NAME: all that have ended"),
                        Option.of("older-than", "TIME", "the same, so long ago or longer"),
                        Option.of(
                                "match",
                                "PATTERN",
                                "instead of NAME: whose names begin so, or are so: test-*-old"),
                        Option.of("below", "NAME", "instead of NAME: those below this one")),
                """
                Shows the plan and asks. The digest in it stands for what was shown: when it
                is no longer true, nothing is done. What was removed is out of sight at once,
                comes back with 'coppice undo', and is deleted when its time is over.
                What chooses many can be combined, and takes the highest that all of it is
                true of, each with everything below it.

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
            throw new Args.Wrong("NAME does not go together with what chooses many");
        }
        var id = connection.id(name);
        var answer = plan(connection, args, id);
        var plan = answer.value();
        if (args.has("dry-run")) {
            console.out().print(args.has(Option.JSON) ? answer.body() + "\n" : shown(plan));
            return plan.allowed() ? Exit.OK : Exit.REFUSED;
        }
        if (!args.has(Option.JSON)) console.err().print(shown(plan));
        boolean allowed = plan.allowed();
        if (allowed && !args.has("yes") && args.value("confirm") == null && !agreed(console)) {
            console.err().println("nothing was done");
            return Exit.REFUSED;
        }
        return said(
                remove(connection, args, id, args.value("confirm", plan.digest())), args, console);
    }

    private static boolean agreed(Console console) {
        if (!console.isTerminal()) throw new Args.Wrong("nobody can be asked here; say --yes");
        console.err().print("Remove this? [y/N] ");
        console.err().flush();
        return console.line().strip().toLowerCase(Locale.ROOT).startsWith("y");
    }

    static Choices choices(Args args) {
        var none = Choices.CAREFUL;
        return new Choices(
                args.has("detach")
                        ? Choice.Children.DETACH
                        : args.has("only") ? Choice.Children.REFUSE : none.children(),
                args.has("stop") ? Choice.Running.STOP : none.running(),
                args.has("override") ? Choice.Critical.OVERRIDE : none.critical(),
                args.has("now") ? Choice.Purge.NOW : none.purge(),
                args.has("abandon") ? Choice.Unreachable.ABANDON : none.unreachable(),
                args.length("deadline"),
                args.has("discard") ? Choice.Work.DISCARD : none.work(),
                args.has("no-backup") ? Choice.Backup.NO : none.backup(),
                args.choice("ignored", none.ignored()),
                args.has("include-dir") ? Choice.Directories.ALL : none.directories());
    }

    static Answer<RemovalView> remove(
            Connection connection, Args args, String id, @Nullable String digest) {
        var request =
                new RemovalCalls.Remove(id, choices(args), args.value("reason"), digest, PATIENCE);
        return connection.ask(RemovalCalls.REMOVE, request);
    }

    static Answer<PlanView> plan(Connection connection, Args args, String id) {
        var seeds = new SeedChoices(null, null, null, null, null, args.value("reason"));
        return connection.ask(RemovalCalls.PLAN, new RemovalCalls.Plan(id, choices(args), seeds));
    }

    /** One line for each thing that there is, and none for what there is not. */
    private static String shown(PlanView plan) {
        var text = new StringBuilder();
        boolean alone = plan.choices().children().equals("detach");
        var what = alone ? "alone; its children stay as roots" : "and all below it";
        text.append("%s %s%n".formatted(Shown.harmless(plan.sessionName()), what));
        line(text, "sessions", "%d (%s)".formatted(plan.sessions(), states(plan)));
        var running = plan.running().stream().map(PlanView.RunningView::sessionName).toList();
        line(text, "running", names(running));
        line(text, "runs", runs(plan));
        counted(text, "processes", plan.processes(), "of agents and what they have started");
        line(text, "events", "%d, %s".formatted(plan.events(), size(plan.eventBytes())));
        counted(text, "callbacks", plan.openCallbacks(), "owed to it, which will reach nobody");
        counted(
                text,
                "callbacks",
                plan.owedCallbacks(),
                "owed by it: its parent hears that it is removed");
        var critical = plan.criticalOperations().stream().map(PlanView.CriticalView::what).toList();
        line(text, "critical", names(critical));
        work(text, plan.work());
        for (var unseen : unseen(plan.notLookedAt(), plan.looksFailed())) {
            line(text, "unknown", unseen);
        }
        for (var earlier : plan.earlierRemovals()) {
            line(
                    text,
                    "earlier",
                    "%s of %s, with %s%s; goes along when this is purged"
                            .formatted(
                                    earlier.removalId(),
                                    Shown.harmless(earlier.sessionName()),
                                    Counted.sessions(earlier.sessions()),
                                    earlier.backedUp() ? "" : ", no backup"));
        }
        for (var refusal : plan.refusals()) {
            line(text, "refused", Shown.harmless(refusal.said()));
            var advice = Advice.ofObjection(refusal.code(), refusal.advice());
            line(text, "", Shown.harmless(advice));
        }
        if (plan.needsConfirm()) {
            line(text, "lost", "unsaved work is thrown away; say so with this digest");
        }
        line(text, "digest", plan.digest());
        return text.toString();
    }

    /** What is saved nowhere else, as far as a screen has room; of the rest how much there is. */
    private static void work(StringBuilder text, List<WorkView> items) {
        int unsaved = 0;
        int noted = 0;
        for (var item : items) {
            var notes = Work.notes(item);
            if (!item.unsaved() && notes.isEmpty()) continue;
            noted++;
            if (item.unsaved()) unsaved++;
            if (noted > DIRECTORIES_MAX) continue;
            line(text, item.unsaved() ? "unsaved" : "directory", Work.said(item));
            for (var note : notes) line(text, "", note);
        }
        if (noted > DIRECTORIES_MAX) {
            line(
                    text,
                    "",
                    "and %d more of them, %s with unsaved work in all; see --json"
                            .formatted(
                                    noted - DIRECTORIES_MAX,
                                    Counted.of(unsaved, "directory", "directories")));
        }
        int clean = items.size() - noted;
        if (clean == 1) line(text, "saved", "all that is in one more directory");
        if (clean > 1) line(text, "saved", "all that is in %d more directories".formatted(clean));
    }

    private static String runs(PlanView plan) {
        if (plan.liveRuns() == 0) return Long.toString(plan.runs());
        return "%d, %d of them live, %d with a lease"
                .formatted(plan.runs(), plan.liveRuns(), plan.leases());
    }

    private static void counted(StringBuilder text, String label, long n, String said) {
        if (n > 0) line(text, label, n + " " + said);
    }

    /** The hosts that were not looked at, and why. */
    static List<String> unseen(List<String> hosts, Map<String, String> failures) {
        return hosts.stream().map(host -> unseen(host, failures.get(host))).toList();
    }

    private static String unseen(String host, @Nullable String why) {
        return why == null
                ? "no runner answered on " + Shown.harmless(host)
                : "on %s a runner looked in vain: %s"
                        .formatted(Shown.harmless(host), Shown.harmless(why));
    }

    private static void line(StringBuilder text, String what, String said) {
        if (!said.isEmpty()) text.append("  %-10s %s%n".formatted(what, said));
    }

    private static String states(PlanView plan) {
        return plan.sessionsByState().entrySet().stream()
                .map(state -> state.getValue() + " " + state.getKey())
                .collect(Collectors.joining(", "));
    }

    private static String names(List<String> all) {
        var shown = all.subList(0, Math.min(8, all.size()));
        var names = shown.stream().map(Shown::harmless).collect(Collectors.joining(", "));
        return names + (shown.size() < all.size() ? ", …" : "");
    }

    static String size(long bytes) {
        if (bytes < 10_000) return bytes + " bytes";
        return bytes < 10_000_000 ? bytes / 1000 + " kB" : bytes / 1_000_000 + " MB";
    }

    /** What became of it, and the way back. */
    static Exit said(Answer<RemovalView> answer, Args args, Console console) {
        var removal = answer.value();
        if (args.has(Option.JSON)) console.out().println(answer.body());
        else console.out().println(told(removal));
        for (var left : removal.notKept()) {
            console.err()
                    .println(
                            "%s: %s not kept: %s"
                                    .formatted(
                                            Shown.harmless(left.host()),
                                            Counted.of(
                                                    left.directories().size(),
                                                    "directory was",
                                                    "directories were"),
                                            Shown.harmless(left.why())));
        }
        return exit(removal);
    }

    private static String told(RemovalView removal) {
        var id = removal.removalId();
        var name = Shown.harmless(removal.sessionName());
        return switch (removal.state()) {
            case "hidden" ->
                    "%s is removed; 'coppice undo %s' brings it back until %s"
                            .formatted(name, id, Shown.harmless(removal.undoUntil()));
            case "purged" -> "%s is removed for good (%s)".formatted(name, id);
            case "taken_back" ->
                    "%s stays; %s was called off: %s"
                            .formatted(name, id, Shown.harmless(removal.calledOff()));
            case String state ->
                    "%s: %s is %s: %s"
                            .formatted(name, id, state, Shown.harmless(removal.waitsFor()));
        };
    }

    static Exit exit(RemovalView removal) {
        return switch (removal.state()) {
            case "hidden", "purged" -> Exit.OK;
            case "taken_back" -> Exit.REFUSED;
            default -> Exit.LATE;
        };
    }
}
