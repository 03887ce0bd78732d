package dev.coppice.cli;

import dev.coppice.cli.config.ConfigCommand;
import dev.coppice.cli.config.ContextCommand;
import dev.coppice.cli.connect.AdoptCommand;
import dev.coppice.cli.connect.ConnectCommand;
import dev.coppice.cli.doctor.DoctorCommand;
import dev.coppice.cli.doctor.FsckCommand;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.hosts.HostsCommand;
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
import dev.coppice.cli.machine.DownCommand;
import dev.coppice.cli.machine.RollbackCommand;
import dev.coppice.cli.machine.TlsCommand;
import dev.coppice.cli.machine.UnitCommand;
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
import dev.coppice.cli.session.RetryCommand;
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
import java.util.Objects;
import java.util.function.Function;
import java.util.stream.Stream;

/** All commands, in groups, each in the order in which a new user needs them. */
final class Commands {
    /** A group of commands in the help, which makes a command of it by its name. */
    private record Group(String heading, List<String> names, Function<String, Command> maker) {}

    private static final List<Group> GROUPS =
            List.of(
                    group(
                            "Run",
                            "up down start resume retry send wait join wave run blueprints"
                                    + " registry",
                            Commands::toRun),
                    group(
                            "Look",
                            "tree top open list show status result logs events search"
                                    + " timeline export runs children callbacks alerts report diff"
                                    + " replay",
                            Commands::toLook),
                    group(
                            "Control",
                            "stop freeze thaw ask adopt attach budget usage prices",
                            Commands::toControl),
                    group(
                            "Remove and recover",
                            "rm undo removals work backup restore reclaim delete-all import",
                            Commands::toRemove),
                    group(
                            "Operate",
                            "config context service rollback tls hosts runners runner doctor fsck"
                                    + " audit token db mcp connect completion version",
                            Commands::toOperate));

    /** The names by which other tools call the same. */
    private static final Map<String, String> OTHER_NAMES = Map.of("ps", "list", "ls", "list");

    private static Group group(String heading, String names, Function<String, Command> maker) {
        return new Group(heading, List.of(names.split(" ", -1)), maker);
    }

    private static Command toRun(String name) {
        return switch (name) {
            case "up" -> new UpCommand();
            case "down" -> new DownCommand();
            case "start" -> new StartCommand();
            case "resume" -> new ResumeCommand();
            case "retry" -> new RetryCommand();
            case "send" -> new SendCommand();
            case "wait" -> new WaitCommand();
            case "join" -> new JoinCommand();
            case "wave" -> new WaveCommand();
            case "run" -> new RunCommand();
            case "blueprints" -> new BlueprintsCommand();
            case "registry" -> new RegistryCommand();
            default -> throw unmade(name);
        };
    }

    private static Command toLook(String name) {
        return switch (name) {
            case "tree" -> new TreeCommand();
            case "top" -> new TopCommand();
            case "open" -> new OpenCommand();
            case "list" -> new ListCommand();
            case "show" -> new ShowCommand();
            case "status" -> new StatusCommand();
            case "result" -> new ResultCommand();
            case "logs" -> new LogsCommand();
            case "events" -> new EventsCommand();
            case "search" -> new SearchCommand();
            case "timeline" -> new TimelineCommand();
            case "export" -> new ExportCommand();
            case "runs" -> new RunsCommand();
            case "children" -> new ChildrenCommand();
            case "callbacks" -> new CallbacksCommand();
            case "alerts" -> new AlertsCommand();
            case "report" -> new ReportCommand();
            case "diff" -> new DiffCommand();
            case "replay" -> new ReplayCommand();
            default -> throw unmade(name);
        };
    }

    private static Command toControl(String name) {
        return switch (name) {
            case "stop" -> new StopCommand();
            case "freeze" -> FreezeCommand.freeze();
            case "thaw" -> FreezeCommand.thaw();
            case "ask" -> new AskCommand();
            case "adopt" -> new AdoptCommand();
            case "attach" -> new AttachCommand();
            case "budget" -> new BudgetCommand();
            case "usage" -> new UsageCommand();
            case "prices" -> new PricesCommand();
            default -> throw unmade(name);
        };
    }

    private static Command toRemove(String name) {
        return switch (name) {
            case "rm" -> new RemoveCommand();
            case "undo" -> new UndoCommand();
            case "removals" -> new RemovalsCommand();
            case "work" -> new WorkCommand();
            case "backup" -> new BackupCommand();
            case "restore" -> new RestoreCommand();
            case "reclaim" -> new ReclaimCommand();
            case "delete-all" -> new DeleteAllCommand();
            case "import" -> new ImportCommand();
            default -> throw unmade(name);
        };
    }

    private static Command toOperate(String name) {
        return switch (name) {
            case "config" -> new ConfigCommand();
            case "context" -> new ContextCommand();
            case "service" -> new UnitCommand();
            case "tls" -> new TlsCommand();
            case "rollback" -> new RollbackCommand();
            case "hosts" -> new HostsCommand();
            case "runners" -> new RunnersCommand();
            case "runner" -> new RunnerCommand();
            case "doctor" -> new DoctorCommand();
            case "fsck" -> new FsckCommand();
            case "audit" -> new AuditCommand();
            case "token" -> new TokenCommand();
            case "db" -> new DbCommand();
            case "mcp" -> new McpCommand();
            case "connect" -> new ConnectCommand();
            case "completion" -> new CompletionCommand();
            case "version" -> new VersionCommand();
            default -> throw unmade(name);
        };
    }

    private static IllegalStateException unmade(String name) {
        return new IllegalStateException("the group of '%s' does not make it".formatted(name));
    }

    /** The summaries of the commands that the script of a checkout carries out itself. */
    static final Map<String, String> OF_SCRIPT = ofScript();

    /** The commands of the script that called this one; an archive's script has none. */
    static Map<String, String> ofScript(Console console) {
        return console.env("COPPICE_CHECKOUT") == null ? Map.of() : OF_SCRIPT;
    }

    private Commands() {}

    private static Map<String, String> ofScript() {
        var names = new LinkedHashMap<String, String>();
        names.put("test", "Build everything and run every test");
        names.put("soak", "Run the rare and long tests, for 15 minutes in 'soak 15'");
        names.put("simulate", "Play the simulation with many seeds, as in 'simulate 1000'");
        names.put("bench", "Run the benchmarks, or one, as in 'bench dispatch'");
        names.put("dist", "Make the archive, which needs nothing where it is installed");
        return names;
    }

    static @Nullable Command named(String typed) {
        var name = OTHER_NAMES.getOrDefault(typed, OlderCommands.NAMES.getOrDefault(typed, typed));
        // One command is made, and not all: each start pays for what it makes.
        for (var group : GROUPS) {
            if (group.names().contains(name)) return group.maker().apply(name);
        }
        return null;
    }

    static List<Command> all() {
        return ours().map(Commands::named).map(Objects::requireNonNull).toList();
    }

    private static Stream<String> ours() {
        return GROUPS.stream().flatMap(group -> group.names().stream());
    }

    /** The names of all commands, with those of the script and without the older ones. */
    static List<String> names(Map<String, String> script) {
        var names = new ArrayList<>(ours().toList());
        names.addAll(script.keySet());
        names.add("help");
        return names;
    }

    static String help(Map<String, String> script) {
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
            for (var name : group.names()) {
                line(text, name, Objects.requireNonNull(named(name)).usage().summary());
            }
        }
        script.forEach((name, summary) -> line(text, name, summary));
        text.append("\nEvery command also takes:\n");
        for (var option : Option.OF_ALL) text.append(option.help());
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
