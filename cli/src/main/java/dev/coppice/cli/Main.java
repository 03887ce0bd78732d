package dev.coppice.cli;

import dev.coppice.client.CoppiceClient;
import dev.coppice.client.Refused;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.util.List;

/** Finds the command, runs it, and says in one place what went wrong. */
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

    /** A program that reads gets every byte; a terminal only what cannot steer it. */
    private static PrintStream stream(FileDescriptor descriptor) {
        var plain = new FileOutputStream(descriptor);
        var out = Console.hasTerminal() ? new Harmless(plain) : plain;
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
            console.err().println("coppice: there is no command '%s'".formatted(name));
            console.err().println("'coppice --help' lists them.");
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
        } catch (Args.Wrong e) {
            return told(
                    console,
                    e.getMessage(),
                    "See 'coppice %s --help'.".formatted(command.name()),
                    Exit.USAGE);
        } catch (Refused e) {
            int status = e.problem().status();
            return told(
                    console,
                    e.getMessage(),
                    Advice.of(e.problem()),
                    status == 404 || status == 410 ? Exit.NOT_FOUND : Exit.REFUSED);
        } catch (CoppiceClient.Unreachable e) {
            return told(
                    console,
                    e.getMessage(),
                    "Start one with './coppice up', or set COPPICE_URL.",
                    Exit.UNREACHABLE);
        }
    }

    private record Told(@Nullable String error, @Nullable String advice, int exit) {}

    private static Exit told(
            Console console, @Nullable String what, @Nullable String advice, Exit exit) {
        if (console.wantsJson()) {
            console.err().println(Json.write(new Told(what, advice, exit.code())));
            return exit;
        }
        console.err().println("coppice: " + what);
        if (advice != null && !advice.isEmpty()) console.err().println(advice);
        return exit;
    }
}
