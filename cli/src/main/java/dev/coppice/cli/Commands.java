package dev.coppice.cli;

import dev.coppice.cli.doctor.Doctor;
import dev.coppice.cli.doctor.FsckCommand;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.removal.Backup;
import dev.coppice.cli.removal.DeleteAll;
import dev.coppice.cli.removal.Removals;
import dev.coppice.cli.removal.Remove;
import dev.coppice.cli.removal.RestoreCommand;
import dev.coppice.cli.removal.Undo;
import dev.coppice.cli.removal.Work;
import dev.coppice.cli.session.Budget;
import dev.coppice.cli.session.Callbacks;
import dev.coppice.cli.session.Children;
import dev.coppice.cli.session.Events;
import dev.coppice.cli.session.Freeze;
import dev.coppice.cli.session.Join;
import dev.coppice.cli.session.ListSessions;
import dev.coppice.cli.session.Result;
import dev.coppice.cli.session.Resume;
import dev.coppice.cli.session.Send;
import dev.coppice.cli.session.Show;
import dev.coppice.cli.session.Start;
import dev.coppice.cli.session.Status;
import dev.coppice.cli.session.Stop;
import dev.coppice.cli.session.Tree;

import org.jspecify.annotations.Nullable;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All commands, in the order in which a new user needs them. */
final class Commands {
    static final List<Command> ALL =
            List.of(
                    new Up(),
                    new Start(),
                    new Resume(),
                    new Tree(),
                    new ListSessions(),
                    new Status(),
                    new Result(),
                    new Children(),
                    new Events(),
                    new Stop(),
                    Freeze.freeze(),
                    Freeze.thaw(),
                    new Send(),
                    new Join(),
                    new Callbacks(),
                    new Budget(),
                    new Remove(),
                    new DeleteAll(),
                    new Undo(),
                    new Work(),
                    new Backup(),
                    new RestoreCommand(),
                    new Import(),
                    new Removals(),
                    new Audit(),
                    new Show(),
                    new Blueprints(),
                    new Runners(),
                    new RunnerCommand(),
                    new Doctor(),
                    new FsckCommand(),
                    new Db(),
                    new Mcp(),
                    new Token(),
                    new Version(),
                    new Completion());

    /** The original tools' names for these commands. */
    static final Map<String, String> OTHER_NAMES = otherNames();

    private Commands() {}

    private static Map<String, String> otherNames() {
        var names = new LinkedHashMap<String, String>();
        names.put("ao-start", "start");
        names.put("ao-resume", "resume");
        names.put("ao-status", "status");
        names.put("ao-get-result", "result");
        names.put("ao-list-sessions", "list");
        names.put("ao-list-blueprints", "blueprints");
        names.put("ao-show-config", "show");
        names.put("ao-delete-all", "delete-all");
        return names;
    }

    static @Nullable Command named(String typed) {
        var name = OTHER_NAMES.getOrDefault(typed, typed);
        for (var command : ALL) if (command.name().equals(name)) return command;
        return null;
    }

    static String help() {
        var text = new StringBuilder("Coppice: the control plane for trees of agent sessions.\n\n");
        for (var command : ALL) {
            text.append("  %-12s %s%n".formatted(command.name(), command.usage().summary()));
        }
        text.append("  %-12s %s%n".formatted("test", "Build everything and run every test"));
        text.append("\nSee 'coppice COMMAND --help' for a command.\n\nExit codes:\n");
        for (var exit : Exit.values()) {
            text.append("  %-3d %s%n".formatted(exit.code(), exit.meaning()));
        }
        return text.toString();
    }
}
