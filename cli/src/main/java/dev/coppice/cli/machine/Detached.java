package dev.coppice.cli.machine;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Usage;
import dev.coppice.client.OwnerOnly;
import dev.coppice.wire.Json;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/**
 * Starts 'up' in the background: in a session of its own, with its log in the data directory. It
 * returns when the coordinator answers, or says why it does not.
 */
public final class Detached {
    private static final String FLAG = "detach";
    private static final long LOG_BYTES_MAX = 10L * 1024 * 1024;
    private static final int SHOWN_LINES_MAX = 20;

    /** The option of 'up' for this. */
    public static final Option OPTION =
            Option.flag(FLAG, "start in the background; 'coppice down' stops it").as("d");

    private Detached() {}

    /** Starts 'up' with these arguments but that option. */
    public static Exit up(Usage usage, Args args, Path data, Console console) {
        try {
            OwnerOnly.directory(data);
            var log = log(data);
            long before = Files.size(log);
            var line = new ArrayList<String>(ofItsOwn(console));
            line.addAll(Launch.command(console));
            line.add("up");
            line.addAll(options(usage, args));
            line.add("--json");
            var process =
                    new ProcessBuilder(line)
                            .redirectInput(ProcessBuilder.Redirect.from(new File("/dev/null")))
                            .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                            .start();
            var reader = new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8);
            var first = new BufferedReader(reader).readLine();
            if (first == null) return failed(process, log, before, console);
            console.out().println(args.has(Option.JSON) ? first : started(first, process, log));
            return Exit.OK;
        } catch (IOException e) {
            throw new UncheckedIOException("starting the coordinator in " + data, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Exit.INTERRUPTED;
        }
    }

    private static String started(String first, Process process, Path log) {
        var url = Json.text(Json.read(first), "url");
        return "Coppice is up at %s (process %d); 'coppice down' stops it.%nIts log: %s"
                .formatted(url, process.pid(), log);
    }

    private static Exit failed(Process process, Path log, long before, Console console)
            throws IOException, InterruptedException {
        int code = process.waitFor();
        List<String> lines;
        try (var said = Files.newInputStream(log)) {
            said.skipNBytes(before);
            lines = new String(said.readAllBytes(), StandardCharsets.UTF_8).lines().toList();
        }
        int from = Math.max(0, lines.size() - SHOWN_LINES_MAX);
        lines.subList(from, lines.size()).forEach(console.err()::println);
        console.err()
                .println("coppice: the coordinator ended with %d; see %s".formatted(code, log));
        return Stream.of(Exit.values())
                .filter(exit -> exit.code() == code)
                .findFirst()
                .orElse(Exit.CANNOT_START);
    }

    /** A terminal that closes, or Ctrl-C in it, must not end the process. */
    private static List<String> ofItsOwn(Console console) {
        if (Launch.isOnPath("setsid", console)) return List.of("setsid");
        return List.of("sh", "-c", "trap '' HUP INT; exec \"$@\"", "sh");
    }

    private static Path log(Path data) throws IOException {
        var log = data.resolve("up.log");
        if (Files.exists(log) && Files.size(log) > LOG_BYTES_MAX) {
            var before = data.resolve("up.log.1");
            Files.move(log, before, StandardCopyOption.REPLACE_EXISTING);
        }
        OwnerOnly.create(log);
        return log;
    }

    private static List<String> options(Usage usage, Args args) {
        var line = new ArrayList<String>();
        for (var option : usage.all()) {
            boolean isLeftOut = option.name().equals(FLAG) || option.name().equals("json");
            var value = args.value(option.name());
            if (isLeftOut || value == null) continue;
            line.add("--" + option.name());
            if (option.value() != null) line.add(value);
        }
        return line;
    }
}
