package dev.coppice.cli.look;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Usage;
import dev.coppice.wire.Call;
import dev.coppice.wire.token.SignInCalls;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/** Opens the dashboard in a browser, signed in. */
public final class OpenCommand implements Command {
    private static final long BROWSER_SECONDS_MAX = 5;

    @Override
    public String name() {
        return "open";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Open the dashboard in a browser, signed in",
                List.of(),
                List.of(Option.flag("print", "only print the link")),
                """
                The link signs one browser in, within ten minutes; after that it is worth nothing.
                The browser gets a token of its own for seven days, which 'coppice token list'
                shows and 'coppice token revoke' ends.
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        var made = connection.ask(SignInCalls.CREATE_LINK, new Call.Nothing());
        if (args.has(Option.JSON)) {
            console.out().println(made.text());
            return Exit.OK;
        }
        var link = connection.client().base() + made.value().path();
        console.out().println(link);
        boolean opens = !args.has("print") && console.isWatched();
        if (opens && !isShown(link, console)) {
            console.err().println("coppice: no browser could be started; open the link yourself");
        }
        return Exit.OK;
    }

    /** Asks the desktop to show the link; false if there is none. */
    private static boolean isShown(String link, Console console) {
        var system = System.getProperty("os.name", "").toLowerCase(Locale.ROOT);
        var hasDesktop =
                system.contains("mac")
                        || console.env("DISPLAY") != null
                        || console.env("WAYLAND_DISPLAY") != null;
        if (!hasDesktop) return false;
        var program = system.contains("mac") ? "open" : "xdg-open";
        try {
            var process =
                    new ProcessBuilder(program, link)
                            .redirectErrorStream(true)
                            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                            .start();
            boolean isOver = process.waitFor(BROWSER_SECONDS_MAX, TimeUnit.SECONDS);
            return !isOver || process.exitValue() == 0;
        } catch (IOException _) {
            return false;
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return false;
        }
    }
}
