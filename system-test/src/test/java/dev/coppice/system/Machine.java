package dev.coppice.system;

import dev.coppice.cli.Main;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Terminal;
import dev.coppice.client.Answer;
import dev.coppice.client.CoppiceClient;
import dev.coppice.client.RawClient;
import dev.coppice.house.Sources;
import dev.coppice.scene.Eventually;
import dev.coppice.scene.Temporary;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.PrintStream;
import java.io.UncheckedIOException;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.jar.Attributes;
import java.util.jar.JarOutputStream;
import java.util.jar.Manifest;
import java.util.stream.Collectors;

/**
 * A machine with Coppice on it, seen from outside: real processes, started from the class path of
 * the product, each machine with its own data directory.
 */
public final class Machine implements AutoCloseable {
    /** A lease for scenes that lose runs. On a busy machine, it loses healthy runs, too. */
    public static final Map<String, String> SHORT_LEASE = Map.of("COPPICE_LEASE", "6s");

    /** The directory of the launcher; users have such names, too. */
    static final String HOME = "a home";

    /** Commands that look at processes and files around them, or end their own process. */
    private static final Set<String> AS_A_PROCESS =
            Set.of(
                    "adopt", "ask", "connect", "doctor", "events", "export", "logs", "mcp", "open",
                    "runner", "up");

    /** In the environment of every program of a machine, agents among them. */
    private static final String MARK = "TEST_MACHINE";

    private final Path data;
    private boolean nobodyLooks;
    private final List<Program> programs = new ArrayList<>();

    private final Map<String, String> settings;

    public Machine() {
        this(Map.of());
    }

    /** Adds the settings to the environment of every program. */
    public Machine(Map<String, String> settings) {
        this(settings, Temporary.directory("coppice-test"));
    }

    /** Uses the given data directory. */
    public Machine(Path data) {
        this(Map.of(), data);
    }

    Machine(Map<String, String> settings, Path data) {
        this.settings = Map.copyOf(settings);
        this.data = data;
    }

    /** A started program, and the file with its output so far. */
    public record Program(Process process, Path said) {
        public String text() {
            try {
                return Files.readString(said);
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        public int awaitExit() {
            try {
                if (!process.waitFor(Eventually.PATIENCE.toSeconds(), TimeUnit.SECONDS)) {
                    throw new AssertionError("still running; it said: " + text());
                }
                return process.exitValue();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }

        public void kill() {
            process.destroyForcibly();
            awaitExit();
        }
    }

    /** Accepts at close that no runner can inspect this host, because the only one is gone. */
    public void nobodyLooks() {
        nobodyLooks = true;
    }

    public Path data() {
        return data;
    }

    public Program start(String... line) {
        return begin(Product.command(List.of(line)));
    }

    /** Starts a program with more settings in its environment. */
    public Program startWith(Map<String, String> more, String... line) {
        return begin(Product.command(List.of(line)), more);
    }

    /** Starts a program in a shell that first runs a command such as {@code ulimit -f 4000}. */
    public Program startLimited(String limit, String... line) {
        var words = Product.command(List.of(line));
        var quoted = words.stream().map(w -> "'" + w + "'").collect(Collectors.joining(" "));
        return begin(List.of("bash", "-c", limit + "; exec " + quoted));
    }

    static boolean isRoot() {
        return "root".equals(System.getProperty("user.name"));
    }

    /** Starts a program as an ordinary user; for root, from copies that such a user can read. */
    public Program startAsNobody(String... line) {
        if (!isRoot()) return start(line);
        var words = new ArrayList<>(List.of("setpriv", "--reuid=65534", "--regid=65534"));
        words.add("--clear-groups");
        words.addAll(Product.command(copied(Product.path()), List.of(line)));
        return begin(words);
    }

    private String copied(List<String> classPath) {
        var to = data.resolve("classes");
        var copies = new ArrayList<String>();
        try {
            Files.createDirectories(to);
            for (var entry : classPath) {
                var from = Path.of(entry);
                if (!Files.exists(from)) continue;
                var copy = to.resolve(copies.size() + "-" + from.getFileName());
                copy(from, copy);
                copies.add(copy.toString());
            }
            handOver(data);
            return String.join(":", copies);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void copy(Path from, Path to) throws IOException {
        try (var all = Files.walk(from)) {
            for (var path : all.toList()) {
                Files.copy(path, to.resolve(from.relativize(path).toString()));
            }
        }
    }

    private static void handOver(Path directory) throws IOException {
        var nobody =
                directory
                        .getFileSystem()
                        .getUserPrincipalLookupService()
                        .lookupPrincipalByName("nobody");
        try (var all = Files.walk(directory)) {
            for (var path : all.toList()) Files.setOwner(path, nobody);
        }
    }

    /** Starts the launcher script, from a directory in which everything is already built. */
    public Program launch(Map<String, String> more, String... line) {
        var home = data.resolve(HOME);
        try {
            var built = Files.createDirectories(home.resolve("cli/target"));
            Files.createDirectories(built.resolve("lib"));
            var script = home.resolve("coppice");
            if (!Files.exists(script)) {
                Files.copy(Sources.ROOT.resolve("coppice"), script);
                var shell = Files.createDirectories(home.resolve("cli/src/main/sh"));
                var start = Sources.ROOT.resolve("cli/src/main/sh/start.sh");
                Files.copy(start, shell.resolve("start.sh"));
                classPath(built.resolve("coppice-cli.jar"));
                Files.createFile(built.resolve(".built"));
            }
            var command = new ArrayList<>(List.of("sh", script.toString()));
            command.addAll(List.of(line));
            var environment = new HashMap<>(more);
            environment.put("COPPICE_JAVA_HOME", System.getProperty("java.home"));
            return begin(command, environment);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Writes a jar that contains only a manifest with the present class path. */
    private static void classPath(Path jar) throws IOException {
        var manifest = new Manifest();
        var urls = Product.path().stream().map(e -> Path.of(e).toUri().toString());
        manifest.getMainAttributes().put(Attributes.Name.MANIFEST_VERSION, "1.0");
        manifest.getMainAttributes()
                .put(Attributes.Name.CLASS_PATH, urls.collect(Collectors.joining(" ")));
        new JarOutputStream(Files.newOutputStream(jar), manifest).close();
    }

    /** Runs a text of a page in a shell, in which ./coppice is the product. */
    public Program shell(String text, Map<String, String> more) {
        try {
            var script = data.resolve("coppice");
            var command = String.join("' '", Product.command(List.of()));
            Files.writeString(script, "#!/bin/sh\nexec '%s' \"$@\"\n".formatted(command));
            Files.setPosixFilePermissions(script, PosixFilePermissions.fromString("rwxr-xr-x"));
            return begin(List.of("bash", "-e", "-c", text), more);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Starts a program by its whole command line. */
    Program begin(List<String> command) {
        return begin(command, Map.of());
    }

    Program begin(List<String> command, Map<String, String> more) {
        try {
            var said = Files.createTempFile(data, "said", ".txt");
            var builder = new ProcessBuilder(command);
            builder.directory(data.toFile());
            configure(builder.environment(), more);
            builder.redirectErrorStream(true).redirectOutput(said.toFile());
            builder.redirectInput(ProcessBuilder.Redirect.from(new java.io.File("/dev/null")));
            var program = new Program(builder.start(), said);
            programs.add(program);
            return program;
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void configure(Map<String, String> environment, Map<String, String> more) {
        environment.keySet().removeIf(n -> n.startsWith("COPPICE_") || n.startsWith("AGENT_"));
        environment.put(MARK, data.toString());
        environment.put("COPPICE_DATA", data.toString());
        environment.put("COPPICE_HOME", Sources.ROOT.toString());
        environment.put("COPPICE_AGENT", "scripted");
        environment.putAll(settings);
        environment.putAll(more);
    }

    /** Starts a coordinator and waits until it is ready. */
    public Program up(String... options) {
        var line = new ArrayList<>(List.of("up"));
        if (List.of(options).stream().noneMatch("--port"::equals))
            line.addAll(List.of("--port", "0"));
        line.addAll(List.of(options));
        return ready(start(line.toArray(String[]::new)));
    }

    public static Program ready(Program up) {
        Eventually.await(
                () -> up.text().contains("Coppice is up at"), () -> "up said: " + up.text());
        return up;
    }

    public int port() {
        return URI.create(url()).getPort();
    }

    public String url() {
        return read("url");
    }

    public String read(String file) {
        try {
            return Files.readString(data.resolve(file)).strip();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    public RawClient client() {
        return new RawClient(URI.create(url()), read("token"));
    }

    /** Runs a command, asserts its exit code, and returns its output. */
    public String run(int expected, String... line) {
        if (!AS_A_PROCESS.contains(line[0])) return within(expected, line);
        var program = start(line);
        int exit = program.awaitExit();
        if (exit != expected) {
            throw new AssertionError(
                    "%s exited with %d: %s".formatted(List.of(line), exit, program.text()));
        }
        return program.text();
    }

    /** Runs a command in this process: starting one takes ten times as long. */
    private String within(int expected, String... line) {
        var environment = new HashMap<>(System.getenv());
        configure(environment, Map.of("COPPICE_TERMINAL", ""));
        var said = new ByteArrayOutputStream();
        var stream = new PrintStream(said, true, StandardCharsets.UTF_8);
        var console =
                new Console(
                        environment,
                        InputStream.nullInputStream(),
                        stream,
                        stream,
                        Console.Readers.PEOPLE,
                        Terminal.of(environment),
                        data);
        var exit = Main.run(List.of(line), console);
        stream.flush();
        var text = said.toString(StandardCharsets.UTF_8);
        if (exit.code() != expected) {
            throw new AssertionError(
                    "%s exited with %d: %s".formatted(List.of(line), exit.code(), text));
        }
        return text;
    }

    public String run(String... line) {
        return run(0, line);
    }

    public JsonNode get(String path) {
        var answer = client().get(path);
        if (!answer.isGood()) throw new AssertionError(path + ": " + answer.body());
        return answer.body();
    }

    public JsonNode post(String path, String json) {
        var answer = client().post(path, Json.read(json));
        if (!answer.isGood()) throw new AssertionError(path + ": " + answer.body());
        return answer.body();
    }

    public Answer<JsonNode> refused(String path, String json) {
        var answer = client().post(path, Json.read(json));
        if (answer.isGood()) throw new AssertionError("not refused: " + answer.body());
        return answer;
    }

    public String state(String name) {
        return String.valueOf(Json.text(get("/sessions/by-name/" + name).get("session"), "state"));
    }

    public void awaitState(String name, String state) {
        Eventually.await(
                () -> state.equals(stateOrNone(name)), () -> name + " is " + stateOrNone(name));
    }

    /** Waits until a program asks for this, and returns the id of the question. */
    public String awaitAsk(String subject) {
        Eventually.await(() -> asked(subject).isPresent(), () -> get("/asks?all=true").toString());
        return asked(subject).orElseThrow();
    }

    private Optional<String> asked(String subject) {
        for (var ask : get("/asks").get("asks")) {
            if (subject.equals(Json.text(ask, "subject"))) {
                return Optional.ofNullable(Json.text(ask, "ask_id"));
            }
        }
        return Optional.empty();
    }

    private @Nullable String stateOrNone(String name) {
        try {
            var answer = client().get("/sessions/by-name/" + name);
            return answer.isGood() ? Json.text(answer.body().get("session"), "state") : null;
        } catch (CoppiceClient.Unreachable _) {
            return null;
        }
    }

    /** Waits for the process: a run counts as running before its directory and process exist. */
    public void awaitAtWork(String name) {
        awaitState(name, "running");
        Eventually.await(
                () -> !carrying("AGENT_SESSION_NAME=" + name).isEmpty(),
                () -> "no process of " + name + ": " + get("/sessions/by-name/" + name));
    }

    /**
     * Returns a line of shell that waits until the file exists. It polls only five times a second:
     * at fifty, its sleep processes took a quarter of the machine.
     */
    public static String awaiting(Path file) {
        return "until [ -e %s ]; do sleep 0.2; done; ".formatted(file);
    }

    /** The processes of this machine that have this in their environment. */
    public List<ProcessHandle> carrying(String variable) {
        var own = "\0%s=%s\0".formatted(MARK, data);
        var found = new ArrayList<ProcessHandle>();
        ProcessHandle.allProcesses()
                .forEach(p -> {
                    var file = Path.of("/proc", Long.toString(p.pid()), "environ");
                    try {
                        var text = "\0" + Files.readString(file, StandardCharsets.ISO_8859_1);
                        if (text.contains(own) && text.contains("\0" + variable)) found.add(p);
                    } catch (IOException _) {
                        // The process has exited.
                    }
                });
        return found;
    }

    Connection database() throws SQLException {
        return DriverManager.getConnection("jdbc:sqlite:" + data.resolve("coppice.db"));
    }

    void sql(List<String> all) {
        try (var connection = database();
                var statement = connection.createStatement()) {
            statement.execute("pragma busy_timeout = 10000");
            for (var sql : all) statement.execute(sql);
        } catch (SQLException e) {
            throw new AssertionError(String.join("; ", all), e);
        }
    }

    /** The flaws that fsck reports; empty if there are none, or if no coordinator answers. */
    private String leftovers() {
        if (!Files.exists(data.resolve("url"))) return "";
        try {
            var found = client().get("/fsck");
            boolean ok =
                    found.isGood()
                            && found.body().path("ok").asBoolean(false)
                            && (nobodyLooks || found.body().path("not_looked_at").isEmpty());
            return ok ? "" : found.body().toString();
        } catch (CoppiceClient.Unreachable _) {
            return "";
        }
    }

    @Override
    public void close() {
        var leftovers = leftovers();
        end();
        if (!leftovers.isEmpty()) throw new AssertionError("left over: " + leftovers);
    }

    private void end() {
        for (var program : programs.reversed()) {
            program.process().destroy();
            try {
                if (!program.process().waitFor(20, TimeUnit.SECONDS))
                    program.process().destroyForcibly();
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
        }
        carrying("COPPICE_URL=http://127.0.0.1:").forEach(ProcessHandle::destroyForcibly);
    }
}
