package dev.coppice.cli;

import dev.coppice.cli.engine.Advice;
import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Logging;
import dev.coppice.cli.engine.TerminalFilter;
import dev.coppice.client.CoppiceClient;
import dev.coppice.client.Refused;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Finds and runs the command, and reports its errors in one place. */
public final class Main {
    private Main() {}

    public static void main(String[] args) {
        Logging.setUp();
        var out = stream(FileDescriptor.out);
        var err = stream(FileDescriptor.err);
        var console = new Console(System.getenv(), System.in, out, err);
        var exit = run(List.of(args), console);
        out.flush();
        err.flush();
        System.exit(exit.code());
    }

    /** Cleans both streams if standard input and output are terminals. */
    private static PrintStream stream(FileDescriptor descriptor) {
        var plain = new FileOutputStream(descriptor);
        var out = Console.hasTerminal() ? new TerminalFilter(plain) : plain;
        return new PrintStream(out, true, StandardCharsets.UTF_8);
    }

    static Exit run(List<String> line, Console console) {
        if (line.isEmpty() || line.getFirst().equals("--help") || line.getFirst().equals("-h")) {
            console.out().print(Commands.help());
            return line.isEmpty() ? Exit.USAGE : Exit.OK;
        }
        var name = line.getFirst().equals("--version") ? "version" : line.getFirst();
        var command = Commands.named(name);
        if (command == null) {
            console.err().println("coppice: '%s' is not a coppice command".formatted(name));
            console.err().println("See 'coppice --help'.");
            return Exit.USAGE;
        }
        var rest = line.subList(1, line.size());
        if (rest.contains("--help") || rest.contains("-h")) {
            console.out().print(command.usage().help(command.name()));
            return Exit.OK;
        }
        return guarded(command, rest, rest.contains("--json") ? console.forPrograms() : console);
    }

    private static Exit guarded(Command command, List<String> rest, Console console) {
        try {
            return command.run(Args.read(command.usage(), rest), console);
        } catch (Args.Invalid e) {
            return report(
                    console,
                    e.getMessage(),
                    "See 'coppice %s --help'.".formatted(command.name()),
                    Exit.USAGE);
        } catch (Refused e) {
            int status = e.problem().status();
            return report(
                    console,
                    e.getMessage(),
                    Advice.of(e.problem()),
                    status == 404 || status == 410 ? Exit.NOT_FOUND : Exit.REFUSED);
        } catch (CoppiceClient.Unreachable e) {
            return report(
                    console,
                    e.getMessage(),
                    "Check that the coordinator runs ('./coppice up' starts one) and that"
                            + " COPPICE_URL is right.",
                    Exit.UNREACHABLE);
        }
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
