package dev.coppice.cli;

import dev.coppice.wire.Json;
import dev.coppice.wire.Patience;
import dev.coppice.wire.run.RunKind;
import dev.coppice.wire.run.StartRunRequest;
import dev.coppice.wire.session.LimitsView;
import dev.coppice.wire.session.OnParentEnd;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Starts a session, below the one it is started from. */
final class Start implements Command {
    @Override
    public String name() {
        return "start";
    }

    @Override
    public Usage usage() {
        var options = new ArrayList<>(Order.OPTIONS);
        options.add(Option.of("agent", "BLUEPRINT", "what to start from; 'scripted' by default"));
        options.add(Option.of("project-dir", "DIR", "where it works; here by default"));
        options.add(
                Option.of("parent", "NAME", "its parent; inside an agent, that agent by default"));
        options.add(
                Option.of("limits", "JSON", "how far its tree may grow, as {\"descendants\":20}"));
        options.add(
                Option.of(
                        "on-parent-end",
                        "POLICY",
                        "stop, keep (unless the parent is stopped), abandon or ask"));
        return Usage.of(
                "Start a session",
                List.of("NAME"),
                options,
                """
                Waits and prints the result, unless --mode says otherwise; the asynchronous
                modes print the session's id and return. Inside an agent the new session
                becomes its child.

                  coppice start plan -p 'say hello'
                  echo 'make test' | coppice start check --agent sh
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var mode = Order.mode(args);
        var connection = Connection.open(args, console);
        var request =
                new StartRunRequest(
                        RunKind.START_SESSION,
                        Order.prompt(args, console),
                        null,
                        null,
                        args.word(0),
                        null,
                        args.value("agent"),
                        directory(args),
                        "coppice-cli",
                        null,
                        args.value("parent"),
                        mode,
                        null,
                        null,
                        null,
                        limits(args.value("limits")),
                        args.choice("on-parent-end", OnParentEnd.class),
                        null,
                        Patience.NONE);
        return Order.placed(connection, request, args, console);
    }

    private static @Nullable LimitsView limits(@Nullable String said) {
        if (said == null) return null;
        try {
            var read = Json.valueOf(said);
            if (read != null && read.isObject()) return Json.as(read, LimitsView.class);
        } catch (Json.Unreadable e) {
            throw new Args.Wrong("--limits: " + e.getMessage());
        }
        throw new Args.Wrong("--limits must be a JSON object");
    }

    private static String directory(Args args) {
        return Path.of(args.value("project-dir", "")).toAbsolutePath().normalize().toString();
    }
}
