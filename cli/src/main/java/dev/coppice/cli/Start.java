package dev.coppice.cli;

import dev.coppice.wire.Json;

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
        var request =
                Json.object()
                        .put("type", "start_session")
                        .put("session_name", args.word(0))
                        .put("execution_mode", mode)
                        .put("project_dir", directory(args))
                        .put("source_app", "coppice-cli");
        if (args.value("agent") != null) request.put("agent_name", args.value("agent"));
        if (args.value("parent") != null) request.put("parent_session_name", args.value("parent"));
        var policy = args.value("on-parent-end");
        if (policy != null) request.put("on_parent_end", policy);
        var limits = args.value("limits");
        if (limits != null) {
            var read = Json.valueOf(limits);
            if (read == null || !read.isObject())
                throw new Args.Wrong("--limits must be a JSON object");
            request.set("limits", read);
        }
        var connection = Connection.open(args, console);
        request.put("prompt", Order.prompt(args, console));
        return Order.placed(connection, request, args, console);
    }

    private static String directory(Args args) {
        return Path.of(args.value("project-dir", "")).toAbsolutePath().normalize().toString();
    }
}
