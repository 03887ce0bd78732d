package dev.coppice.cli;

import dev.coppice.cli.connect.AdoptCommand;
import dev.coppice.cli.connect.ConnectCommand;
import dev.coppice.cli.doctor.DoctorCommand;
import dev.coppice.cli.doctor.FsckCommand;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.look.AlertsCommand;
import dev.coppice.cli.look.DiffCommand;
import dev.coppice.cli.look.EventsCommand;
import dev.coppice.cli.look.ExportCommand;
import dev.coppice.cli.look.LogsCommand;
import dev.coppice.cli.look.OpenCommand;
import dev.coppice.cli.look.ReplayCommand;
import dev.coppice.cli.look.ReportCommand;
import dev.coppice.cli.look.SearchCommand;
import dev.coppice.cli.look.TimelineCommand;
import dev.coppice.cli.look.TopCommand;
import dev.coppice.cli.look.TreeCommand;
import dev.coppice.cli.removal.BackupCommand;
import dev.coppice.cli.removal.DeleteAllCommand;
import dev.coppice.cli.removal.ReclaimCommand;
import dev.coppice.cli.removal.RemovalsCommand;
import dev.coppice.cli.removal.RemoveCommand;
import dev.coppice.cli.removal.RestoreCommand;
import dev.coppice.cli.removal.UndoCommand;
import dev.coppice.cli.removal.WorkCommand;
import dev.coppice.cli.session.AskCommand;
import dev.coppice.cli.session.AttachCommand;
import dev.coppice.cli.session.BudgetCommand;
import dev.coppice.cli.session.CallbacksCommand;
import dev.coppice.cli.session.ChildrenCommand;
import dev.coppice.cli.session.FreezeCommand;
import dev.coppice.cli.session.JoinCommand;
import dev.coppice.cli.session.ListCommand;
import dev.coppice.cli.session.PricesCommand;
import dev.coppice.cli.session.ResultCommand;
import dev.coppice.cli.session.ResumeCommand;
import dev.coppice.cli.session.RunsCommand;
import dev.coppice.cli.session.SendCommand;
import dev.coppice.cli.session.ShowCommand;
import dev.coppice.cli.session.StartCommand;
import dev.coppice.cli.session.StatusCommand;
import dev.coppice.cli.session.StopCommand;
import dev.coppice.cli.session.UsageCommand;
import dev.coppice.cli.session.WaitCommand;
import dev.coppice.cli.wave.RunCommand;
import dev.coppice.cli.wave.WaveCommand;
import dev.coppice.originals.OlderCommands;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** All commands, in groups, each in the order in which a new user needs them. */
final class Commands {
    /** A group of commands in the help. */
    private record Group(String heading, List<Command> commands) {}

    private static final List<Group> GROUPS =
            List.of(
                    new Group(
                            "Run",
                            List.of(
                                    new UpCommand(),
                                    new StartCommand(),
                                    new ResumeCommand(),
                                    new SendCommand(),
                                    new WaitCommand(),
                                    new JoinCommand(),
                                    new WaveCommand(),
                                    new RunCommand(),
                                    new BlueprintsCommand(),
                                    new RegistryCommand())),
                    new Group(
                            "Look",
                            List.of(
                                    new TreeCommand(),
                                    new TopCommand(),
                                    new OpenCommand(),
                                    new ListCommand(),
                                    new ShowCommand(),
                                    new StatusCommand(),
                                    new ResultCommand(),
                                    new LogsCommand(),
                                    new EventsCommand(),
                                    new SearchCommand(),
                                    new TimelineCommand(),
                                    new ExportCommand(),
                                    new RunsCommand(),
                                    new ChildrenCommand(),
                                    new CallbacksCommand(),
                                    new AlertsCommand(),
                                    new ReportCommand(),
                                    new DiffCommand(),
                                    new ReplayCommand())),
                    new Group(
                            "Control",
                            List.of(
                                    new StopCommand(),
                                    FreezeCommand.freeze(),
                                    FreezeCommand.thaw(),
                                    new AskCommand(),
                                    new AdoptCommand(),
                                    new AttachCommand(),
                                    new BudgetCommand(),
                                    new UsageCommand(),
                                    new PricesCommand())),
                    new Group(
                            "Remove and recover",
                            List.of(
                                    new RemoveCommand(),
                                    new UndoCommand(),
                                    new RemovalsCommand(),
                                    new WorkCommand(),
                                    new BackupCommand(),
                                    new RestoreCommand(),
                                    new ReclaimCommand(),
                                    new DeleteAllCommand(),
                                    new ImportCommand())),
                    new Group(
                            "Operate",
                            List.of(
                                    new RunnersCommand(),
                                    new RunnerCommand(),
                                    new DoctorCommand(),
                                    new FsckCommand(),
                                    new AuditCommand(),
                                    new TokenCommand(),
                                    new DbCommand(),
                                    new McpCommand(),
                                    new ConnectCommand(),
                                    new CompletionCommand(),
                                    new VersionCommand())));

    static final List<Command> ALL =
            GROUPS.stream().flatMap(group -> group.commands().stream()).toList();

    /** The summaries of the commands that the script ./coppice carries out itself. */
    static final Map<String, String> OF_SCRIPT = ofScript();

    private Commands() {}

    private static Map<String, String> ofScript() {
        var names = new LinkedHashMap<String, String>();
        names.put("test", "Build everything and run every test");
        names.put("soak", "Run the rare and long tests, for 15 minutes in 'soak 15'");
        names.put("simulate", "Play the simulation with many seeds, as in 'simulate 1000'");
        names.put("bench", "Run the benchmarks, or one, as in 'bench dispatch'");
        return names;
    }

    static @Nullable Command named(String typed) {
        var name = OlderCommands.NAMES.getOrDefault(typed, typed);
        for (var command : ALL) if (command.name().equals(name)) return command;
        return null;
    }

    /** The names of all commands, with those of the script and without the older ones. */
    static List<String> names() {
        var names = new ArrayList<>(ALL.stream().map(Command::name).toList());
        names.addAll(OF_SCRIPT.keySet());
        names.add("help");
        return names;
    }

    static String help() {
        var text =
                new StringBuilder(
                        """
                        Coppice: the control plane for trees of agent sessions.

                        The four commands that one needs:
                          coppice up                       start the coordinator and a local runner
                          coppice start NAME -p 'PROMPT'   start a session and print its result
                          coppice tree --watch             watch all trees
                          coppice stop NAME                stop a session, or its whole tree
                        """);
        for (var group : GROUPS) {
            text.append("\n").append(group.heading()).append(":\n");
            for (var command : group.commands()) {
                line(text, command.name(), command.usage().summary());
            }
        }
        OF_SCRIPT.forEach((name, summary) -> line(text, name, summary));
        text.append("\nSee 'coppice help COMMAND' for a command.\n\nExit codes:\n");
        for (var exit : Exit.values()) {
            text.append("  %-3d %s%n".formatted(exit.code(), exit.meaning()));
        }
        return text.toString();
    }

    private static void line(StringBuilder text, String name, String summary) {
        text.append("  %-12s %s%n".formatted(name, summary));
    }
}
