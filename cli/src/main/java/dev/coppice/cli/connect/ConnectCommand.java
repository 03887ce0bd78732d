package dev.coppice.cli.connect;

import dev.coppice.cli.connect.ConfigurationFile.Mode;
import dev.coppice.cli.connect.Hooks.Patience;
import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.CoordinatorPlace;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Usage;
import dev.coppice.wire.Json;
import dev.coppice.wire.observe.HookCalls;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.node.ObjectNode;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;

/**
 * Adds Coppice to the configuration of an agent program: its hooks, through which Coppice sees what
 * the program does, and in a project also Coppice's tools.
 */
public final class ConnectCommand implements Command {
    private static final String NAME = "coppice";

    /** Entries in the form of each program. They name an environment variable, not the token. */
    private static final Map<String, Place> PLACES =
            new TreeMap<>(
                    Map.of(
                            "claude-code",
                            new Place(
                                    ".mcp.json",
                                    "mcpServers",
                                    """
                                    {"type": "http", "url": "URL",
                                     "headers": {
                                       "Authorization": "Bearer ${COPPICE_TOKEN}",
                                       "X-Agent-Session-Name": "${AGENT_SESSION_NAME:-}"}}
                                    """),
                            "cursor",
                            new Place(
                                    ".cursor/mcp.json",
                                    "mcpServers",
                                    """
                                    {"url": "URL",
                                     "headers": {"Authorization": "Bearer ${env:COPPICE_TOKEN}"}}
                                    """),
                            "gemini",
                            new Place(
                                    ".gemini/settings.json",
                                    "mcpServers",
                                    """
                                    {"httpUrl": "URL",
                                     "headers": {"Authorization": "Bearer $COPPICE_TOKEN"}}
                                    """),
                            "opencode",
                            new Place(
                                    "opencode.json",
                                    "mcp",
                                    """
                                    {"type": "remote", "url": "URL", "enabled": true,
                                     "headers": {
                                       "Authorization": "Bearer {env:COPPICE_TOKEN}",
                                       "X-Agent-Session-Name": "{env:AGENT_SESSION_NAME}"}}
                                    """)));

    /** The file of a program below a project, the field of its servers, and ours in its form. */
    private record Place(String file, String field, String server) {}

    @Override
    public String name() {
        return "connect";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Watch an agent program, and give it Coppice's tools",
                List.of("PROGRAM"),
                List.of(
                        Option.of(
                                "project",
                                "DIR",
                                "watch only this project, and give its agents Coppice's tools"),
                        Option.of(
                                "ask",
                                "TIME",
                                "hold the program's questions for you so long; 5m by default"),
                        Option.of(
                                "unanswered",
                                "HOW",
                                "leave them to the program (the default), or deny"),
                        Option.flag("mod", "claude-code: ask before each subagent is born, too"),
                        Option.of(
                                "unreachable",
                                "HOW",
                                "with --mod: pass subagents when Coppice is down, or deny them"),
                        Option.flag("telemetry", "claude-code: send OpenTelemetry, too"),
                        Option.flag("print", "only show the change"),
                        Option.flag("undo", "take Coppice out of the configuration again")),
                """
                PROGRAM is claude-code, codex, cursor, gemini or opencode. Without --project,
                every session that you start with it stands in a tree of Coppice, with its
                subagents, its cost and its questions. The program goes on undisturbed when
                Coppice is down. Everything else in its files stays, and --undo gives them back
                as they were.

                Questions of Claude Code and Codex wait for 'coppice ask' and the page, and then
                are asked as ever; --ask 0s leaves them out. With --ask, Cursor and Gemini also
                wait, with what an answer in advance wants asked (see 'coppice ask --help').

                --mod installs a plugin of Claude Code, with which each subagent has its place in
                the tree from its birth, and none is born above a limit, a budget or in a tree
                that is being stopped.

                --telemetry is for a coordinator that cannot read the program's transcripts, such
                as one of another user: cost and places of subagents then come by OpenTelemetry.

                The hooks have a token that can only tell of the sessions of which they told
                first; --undo revokes it. A file that holds it is readable by you alone. The tools
                have none: the program reads COPPICE_TOKEN from its environment, which agents
                that Coppice starts have.

                  coppice connect claude-code
                  coppice connect claude-code --project . && export COPPICE_TOKEN=…
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var program = args.word(0);
        var hooks = Hooks.of(program);
        var place = PLACES.get(program);
        if (hooks == null && place == null) {
            var known = "codex, " + String.join(", ", PLACES.keySet());
            throw new Args.Invalid("'%s' is not known; known are %s".formatted(program, known));
        }
        var project = args.value("project");
        if (hooks == null) watchOpenCode(project, args, console);
        else watch(hooks, project, args, console);
        if (project == null) return Exit.OK;
        if (place == null) codexTools(args, console);
        else tools(place, Path.of(project), args, console);
        return Exit.OK;
    }

    private static ConfigurationFile file(Path file, Args args, Console console) {
        return new ConfigurationFile(file, CoordinatorPlace.data(args, console).resolve("connect"));
    }

    private static Mode mode(Args args) {
        return args.has("print") ? Mode.SHOW : Mode.WRITE;
    }

    private static void watchOpenCode(@Nullable String project, Args args, Console console) {
        refuseOfOthers(args);
        var plugin =
                project == null
                        ? OpenCode.ofPerson(home(console))
                        : OpenCode.ofProject(Path.of(project).toAbsolutePath().normalize());
        var connection = Connection.open(args, console);
        var token = HookToken.of(connection, OpenCode.PROGRAM, plugin.file());
        boolean isThere = plugin.isThere();
        if (args.has("undo") != isThere) {
            console.out().println(plugin.file() + " stays as it is");
        } else if (isThere) {
            plugin.delete(mode(args), console);
            if (mode(args) == Mode.WRITE) token.revoke(console);
        } else {
            var address = connection.client().base().resolve(OpenCode.PATH).toString();
            plugin.write(address, secret(token, args), mode(args), console);
        }
    }

    private static Path home(Console console) {
        var home = console.env("HOME");
        return Path.of(home == null ? System.getProperty("user.home") : home);
    }

    /** Creates a token, or returns a placeholder if the change is only shown. */
    private static String secret(HookToken token, Args args) {
        return mode(args) == Mode.SHOW ? "…" : token.create();
    }

    /** Adds the hooks, or takes them out. */
    private static void watch(Hooks hooks, @Nullable String project, Args args, Console console) {
        var person = home(console);
        var path =
                project == null
                        ? person.resolve(hooks.person())
                        : Path.of(project).resolve(hooks.project());
        var file = file(path, args, console);
        var mod = mod(hooks, args, console);
        if (args.has("undo")) {
            file.remove(document -> remove(hooks, document), mode(args), console);
            if (mode(args) != Mode.WRITE) return;
            token(hooks, file, args, console).revoke(console);
            script(file).delete();
            // A project has no mod, and that of the person stays.
            if (project == null) mod.delete();
        } else if (!hooks.fits(file.document())) {
            throw new Args.Invalid(
                    "the hooks of %s are not lists of entries; nothing was changed"
                            .formatted(file.path()));
        } else {
            add(hooks, mod, file, args, console);
        }
    }

    /** Adds missing entries, and changes others only if an option says so. */
    private static void add(
            Hooks hooks, Mod mod, ConfigurationFile file, Args args, Console console) {
        var before = file.document();
        var patience = patience(hooks.isClosedIn(before), args);
        boolean isAsked = args.value("ask") != null || args.value("unanswered") != null;
        boolean addsHooks = isAsked || !hooks.isIn(before);
        boolean addsMod =
                args.has("mod") && (args.value("unreachable") != null || !Mod.isIn(before));
        boolean addsTelemetry = args.has("telemetry") && !TelemetrySettings.isIn(before);
        if (addsTelemetry) TelemetrySettings.check(before);
        if (!addsHooks && !addsMod && !addsTelemetry) {
            console.out().println(file.path() + " stays as it is");
            return;
        }
        var secret = secret(token(hooks, file, args, console), args);
        var base = Connection.open(args, console).client().base();
        var target = new Hooks.Target(base.resolve(hooks.path()).toString(), secret, script(file));
        if (mode(args) == Mode.WRITE) {
            if (addsHooks) target.script().write(secret);
            if (addsMod) mod.write(target.address(), secret, args.value("unreachable", "pass"));
        }
        file.add(
                document -> {
                    if (addsHooks) hooks.add(document, target, patience);
                    if (addsMod) mod.add(document);
                    if (addsTelemetry) {
                        // The program adds the rest of the path itself.
                        var endpoint = "%s://%s".formatted(base.getScheme(), base.getAuthority());
                        TelemetrySettings.add(document, endpoint, secret);
                    }
                },
                document -> remove(hooks, document),
                mode(args),
                console);
        if (addsHooks && hooks.note() != null) console.out().println(hooks.note());
    }

    private static HookToken token(
            Hooks hooks, ConfigurationFile file, Args args, Console console) {
        return HookToken.of(Connection.open(args, console), hooks.program(), file.path());
    }

    private static HookScript script(ConfigurationFile file) {
        return new HookScript(file.beside(".sh"));
    }

    /** Refuses options that only Claude Code has. */
    private static void refuseOfOthers(Args args) {
        for (var option : List.of("mod", "telemetry")) {
            if (args.has(option)) {
                throw new Args.Invalid("--%s is for claude-code".formatted(option));
            }
        }
    }

    private static Mod mod(Hooks hooks, Args args, Console console) {
        if (!hooks.program().equals("claude-code")) refuseOfOthers(args);
        if (args.has("mod") && args.value("project") != null) {
            throw new Args.Invalid("--mod is for all projects of a person: leave out --project");
        }
        var unreachable = args.value("unreachable", "pass");
        if (!List.of("pass", "deny").contains(unreachable)) {
            throw new Args.Invalid(
                    "--unreachable is '%s'; it must be pass or deny".formatted(unreachable));
        }
        return new Mod(CoordinatorPlace.data(args, console).resolve("connect").resolve("mod"));
    }

    private static void remove(Hooks hooks, ObjectNode document) {
        hooks.remove(document);
        if (!hooks.program().equals("claude-code")) return;
        Mod.remove(document);
        TelemetrySettings.remove(document);
    }

    /** Keeps the denial of unanswered questions, unless an option changes it. */
    private static Patience patience(boolean wasClosed, Args args) {
        var length = args.length("ask");
        if (length != null && !isHold(length.value())) {
            throw new Args.Invalid(
                    "--ask is '%s'; it must be 0s, or from 1s to %s"
                            .formatted(args.value("ask"), Shown.length(HookCalls.HOLD_MAX)));
        }
        var otherwise = args.value("unanswered", wasClosed ? "deny" : "leave");
        if (!List.of("leave", "deny").contains(otherwise)) {
            throw new Args.Invalid(
                    "--unanswered is '%s'; it must be leave or deny".formatted(otherwise));
        }
        var closed = otherwise.equals("deny") ? Patience.Closed.YES : Patience.Closed.NO;
        return new Patience(length == null ? null : length.value(), closed);
    }

    private static boolean isHold(Duration length) {
        return length.isZero()
                || (length.compareTo(Duration.ofSeconds(1)) >= 0
                        && length.compareTo(HookCalls.HOLD_MAX) <= 0);
    }

    /** Codex edits its own TOML file. */
    private static void codexTools(Args args, Console console) {
        var url = Connection.open(args, console).client().base().resolve("/mcp");
        var command =
                args.has("undo")
                        ? "codex mcp remove " + NAME
                        : "codex mcp add %s --url %s --bearer-token-env-var COPPICE_TOKEN"
                                .formatted(NAME, url);
        console.out().println("For the tools: " + command);
    }

    private static void tools(Place place, Path project, Args args, Console console) {
        var file = file(project.resolve(place.file()), args, console);
        var servers = file.document().path(place.field());
        if (!servers.isMissingNode() && !servers.isObject()) {
            var message = "%s of %s is not an object".formatted(place.field(), file.path());
            throw new Args.Invalid(message);
        }
        if (args.has("undo")) {
            file.remove(document -> remove(document, place.field()), mode(args), console);
            return;
        }
        var url = Connection.open(args, console).client().base().resolve("/mcp").toString();
        var server = Json.read(place.server().replace("URL", url));
        file.add(
                document -> document.withObject("/" + place.field()).set(NAME, server),
                document -> remove(document, place.field()),
                mode(args),
                console);
        if (mode(args) == Mode.WRITE && console.env("COPPICE_TOKEN") == null) {
            var from = CoordinatorPlace.of(args, console).directory();
            var token = from.resolve("token").toAbsolutePath();
            console.out()
                    .println(
                            "Next, in the terminal where you start it: export"
                                    + " COPPICE_TOKEN=$(cat '%s')".formatted(token));
        }
    }

    /** Removes Coppice, and an object that is empty without it. */
    private static void remove(ObjectNode document, String field) {
        if (!(document.get(field) instanceof ObjectNode servers)) return;
        servers.remove(NAME);
        if (servers.isEmpty()) document.remove(field);
    }
}
