package dev.coppice.cli.removal;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.client.Answer;
import dev.coppice.kernel.Counted;
import dev.coppice.wire.removal.Choices;
import dev.coppice.wire.removal.PlanView;
import dev.coppice.wire.removal.RemovalCalls;
import dev.coppice.wire.removal.RemovalView;
import dev.coppice.word.Choice;

import org.jspecify.annotations.Nullable;

/** A removal as the options of the command line describe it: its plan, and its outcome. */
final class OneRemoval {
    private OneRemoval() {}

    private static Choices choices(Args args) {
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
                new RemovalCalls.Remove(
                        id, choices(args), args.value("reason"), digest, Connection.PATIENCE);
        return connection.ask(RemovalCalls.REMOVE, request);
    }

    static Answer<PlanView> plan(Connection connection, Args args, String id) {
        var request = new RemovalCalls.Plan(id, choices(args), args.value("reason"));
        return connection.ask(RemovalCalls.PLAN, request);
    }

    /** Prints the outcome of a removal and how to undo it; returns the exit code. */
    static Exit said(Answer<RemovalView> answer, Args args, Console console) {
        var removal = answer.value();
        if (args.has(Option.JSON)) console.out().println(answer.text());
        else console.out().println(outcome(removal));
        for (var left : removal.notPreserved()) {
            console.err()
                    .println(
                            "%s: %s not preserved: %s"
                                    .formatted(
                                            Shown.clean(left.host()),
                                            Counted.of(
                                                    left.directories().size(),
                                                    "directory was",
                                                    "directories were"),
                                            Shown.clean(left.why())));
        }
        return exit(removal);
    }

    private static String outcome(RemovalView removal) {
        var id = removal.removalId();
        var name = Shown.clean(removal.sessionName());
        return switch (removal.state()) {
            case "hidden" ->
                    "removed %s; 'coppice undo %s' restores it until %s"
                            .formatted(name, id, Shown.clean(removal.undoUntil()));
            case "purged" -> "purged %s (%s)".formatted(name, id);
            case "taken_back" ->
                    "%s was not removed; %s was cancelled: %s"
                            .formatted(name, id, Shown.clean(removal.calledOff()));
            case String state ->
                    "%s: %s is %s: %s".formatted(name, id, state, Shown.clean(removal.waitsFor()));
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
