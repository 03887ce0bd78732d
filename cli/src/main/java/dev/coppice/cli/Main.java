package dev.coppice.cli;

import dev.coppice.cli.config.BadConfiguration;
import dev.coppice.cli.config.Configuration;
import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Logging;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Terminal;
import dev.coppice.client.CoppiceClient;
import dev.coppice.client.Refused;
import dev.coppice.client.Trust;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.AccessDeniedException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.NoSuchFileException;
import java.util.List;
import java.util.Map;

/** Finds and runs the command, and reports its errors in one place. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        System.exit(run(List.of(args), System.getenv()).code());
    }

    /** Runs a command line with the streams of this process. */
    static Exit run(List<String> line, Map<String, String> environment) {
        Logging.setUp();
        var terminal = Terminal.of(environment);
        var out = stream(terminal, Terminal.Stream.OUT, FileDescriptor.out);
        var err = stream(terminal, Terminal.Stream.ERR, FileDescriptor.err);
        var exit = run(line, new Console(environment, System.in, out, err));
        out.flush();
        err.flush();
        return exit;
    }

    private static PrintStream stream(
            Terminal terminal, Terminal.Stream stream, FileDescriptor descriptor) {
        var to = terminal.writingTo(stream, new FileOutputStream(descriptor));
        return new PrintStream(to, true, StandardCharsets.UTF_8);
    }

    /** Runs a command line in these surroundings. */
    public static Exit run(List<String> line, Console console) {
        if (line.isEmpty()) {
            console.out().print(Commands.help(Commands.ofScript(console)));
            return Exit.USAGE;
        }
        var name = FLAGS.getOrDefault(line.getFirst(), line.getFirst());
        var rest = line.subList(1, line.size());
        if (name.equals("help")) return Help.print(rest, console);
        var command = Commands.named(name);
        if (command == null) return Help.unknown(name, console);
        var ours = ours(rest);
        if (ours.contains("--help") || ours.contains("-h")) {
            console.out().print(command.usage().help(command.name()));
            return Exit.OK;
        }
        return guarded(command, rest, ours.contains("--json") ? console.forPrograms() : console);
    }

    /** The arguments up to two dashes: those behind them may be another program's. */
    private static List<String> ours(List<String> rest) {
        int end = rest.indexOf("--");
        return end < 0 ? rest : rest.subList(0, end);
    }

    /** Flags that stand for a command. */
    private static final Map<String, String> FLAGS =
            Map.of("--help", "help", "-h", "help", "--version", "version");

    private static Exit guarded(Command command, List<String> rest, Console console) {
        try {
            var args = Args.read(command.usage(), rest);
            return command.run(args, configured(command, args, console));
        } catch (Args.Invalid e) {
            var advice = "See 'coppice %s --help'.".formatted(command.name());
            return report(console, e.getMessage(), advice, Exit.USAGE);
        } catch (BadConfiguration e) {
            var advice = "Correct the file, or name another one with --config.";
            return report(console, e.getMessage(), advice, Exit.USAGE);
        } catch (Trust.BadFile e) {
            return report(console, e.getMessage(), null, Exit.NO_FILE);
        } catch (Refused e) {
            var offer = e instanceof Connection.Misnamed misnamed ? misnamed.offer() + " " : "";
            var advice = (offer + e.problem().commandAdvice()).strip();
            return report(console, e.getMessage(), advice, Exit.of(e.problem()));
        } catch (CoppiceClient.Unreachable e) {
            return report(
                    console,
                    e.getMessage(),
                    "Check that the coordinator runs ('coppice up' starts one) and that"
                            + " COPPICE_URL is right.",
                    Exit.UNREACHABLE);
        } catch (UncheckedIOException e) {
            return report(console, withCause(e), null, Exit.NO_FILE);
        } catch (RuntimeException e) {
            boolean shows = console.env("COPPICE_DEBUG") != null;
            if (shows)
                System.getLogger("cli").log(System.Logger.Level.ERROR, "an internal error", e);
            var advice =
                    shows
                            ? "Please report it."
                            : "Set COPPICE_DEBUG=1 to see where, and please report it.";
            return report(console, "an internal error: " + e, advice, Exit.BROKEN);
        }
    }

    /** The settings of the configuration file stand behind those of the environment. */
    private static Console configured(Command command, Args args, Console console) {
        boolean isNamed = args.has("context");
        if (isNamed && (command.reads() != Command.Reads.OF_CALLER || args.has(Option.DATA))) {
            throw new Args.Invalid(
                    args.has(Option.DATA)
                            ? "--context and --data exclude each other"
                            : "'%s' calls no coordinator, so it takes no --context"
                                    .formatted(command.name()));
        }
        return Configuration.with(console, command.reads(), args);
    }

    private static String withCause(UncheckedIOException e) {
        var why =
                switch (e.getCause()) {
                    case NoSuchFileException _ -> "there is no such file";
                    case AccessDeniedException _ -> "permission denied";
                    case FileAlreadyExistsException _ -> "it exists already";
                    case null -> "it failed";
                    case IOException cause -> String.valueOf(cause.getMessage());
                };
        return e.getMessage() + ": " + why;
    }

    private record ErrorReport(@Nullable String error, @Nullable String advice, int exit) {}

    private static Exit report(
            Console console, @Nullable String error, @Nullable String advice, Exit exit) {
        if (console.wantsJson()) {
            console.err().println(Json.write(new ErrorReport(error, advice, exit.code())));
            return exit;
        }
        console.err().println("coppice: " + error);
        if (advice != null && !advice.isEmpty()) console.err().println(advice);
        return exit;
    }
}
