package dev.coppice.cli.wave;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Table;
import dev.coppice.cli.engine.Usage;
import dev.coppice.wire.Json;
import dev.coppice.wire.Length;
import dev.coppice.wire.Paging;
import dev.coppice.wire.Patience;
import dev.coppice.wire.wave.WaveCalls;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;

/** Starts, shows, awaits and stops waves. */
public final class WaveCommand implements Command {
    private static final DateTimeFormatter DAY = DateTimeFormatter.ofPattern("MM-dd HH:mm:ss");

    @Override
    public String name() {
        return "wave";
    }

    @Override
    public Usage usage() {
        return Usage.of(
                "Start, show, await or stop sessions that belong together",
                List.of("start|list|show|wait|stop", "[NAME|ID]"),
                List.of(
                        Option.of("members", "NAMES", "start: the members, such as api,ui,docs"),
                        Option.of("prompt", "TEXT", "start: the prompt; ${member} is the name")
                                .as("p"),
                        Option.of("agent", "BLUEPRINT", "start: the blueprint of all members"),
                        Option.of("parent", "NAME", "start: below this session"),
                        Option.of("concurrency", "N", "start: at most N members at once"),
                        Option.of("stagger", "TIME", "start: at least TIME between two starts"),
                        Option.of("timeout", "TIME", "wait: give up after TIME, with exit code 10"),
                        Option.of("limit", "N", "list: show at most N (default 100)"),
                        Option.of("after", "CURSOR", "list: show the page after this cursor")),
                """
                'start NAME' starts a session for each member, and prints the id of the wave. The
                other actions take that id, or the name that the newest of such waves has. 'list'
                takes a session, and then also shows what its children did at the same time without
                a declared wave. 'coppice run' starts members that depend on each other, from a
                file.

                  coppice wave start review --members api,ui -p 'Review ${member}' --concurrency 2
                  coppice wave wait wave_0123456789ab
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var connection = Connection.open(args, console);
        return switch (args.word(0)) {
            case "start" -> start(connection, named(args), args, console);
            case "list" -> list(connection, args.wordOrNull(1), args, console);
            case "show" -> show(connection, id(connection, args), args, console);
            case "wait" -> WaveText.await(connection, id(connection, args), args, console);
            default -> stop(connection, id(connection, args), args, console);
        };
    }

    private static String named(Args args) {
        var word = args.wordOrNull(1);
        if (word != null) return word;
        throw new Args.Invalid(args.word(0).equals("start") ? "NAME is missing" : "ID is missing");
    }

    /** The id of the wave; names are not unique, and a name means the newest wave that has it. */
    private static String id(Connection connection, Args args) {
        return id(connection, named(args));
    }

    /** The id of the newest wave of this name, or the word itself if it is an id. */
    public static String id(Connection connection, String word) {
        if (word.startsWith("wave_")) return word;
        var names = new LinkedHashSet<String>();
        String after = null;
        do {
            var find = new WaveCalls.Find(null, Paging.after(after));
            var page = connection.call(WaveCalls.LIST, find);
            for (var wave : page.waves()) {
                if (wave.name().equals(word)) return wave.waveId();
                names.add(wave.name());
            }
            after = page.next();
        } while (after != null);
        throw Args.Invalid.near(
                "there is no wave named '%s'; see 'coppice wave list'".formatted(word),
                word,
                List.copyOf(names));
    }

    private static Exit start(Connection connection, String name, Args args, Console console) {
        var names = args.list("members");
        var prompt = args.value("prompt");
        if (names == null) throw new Args.Invalid("--members is missing");
        if (prompt == null) throw new Args.Invalid("--prompt is missing");
        var here = console.directory().toString();
        var members = names.stream().map(member -> member(member, prompt, here, args)).toList();
        var start =
                new WaveCalls.Start(
                        name,
                        members,
                        null,
                        null,
                        null,
                        args.value("parent"),
                        args.value("concurrency") == null ? null : args.count("concurrency", 1),
                        args.length("stagger"),
                        false);
        return started(connection, start, args, console);
    }

    private record Member(
            String name, String prompt, @Nullable String agentName, String projectDir) {}

    private static JsonNode member(String name, String prompt, String here, Args args) {
        return Json.tree(new Member(name.strip(), prompt, args.value("agent"), here));
    }

    /** Starts a wave and prints its id. */
    private static Exit started(
            Connection connection, WaveCalls.Start start, Args args, Console console) {
        var wave = connection.ask(WaveCalls.START, start);
        console.out()
                .println(args.has(Option.JSON) ? wave.body().toString() : wave.value().waveId());
        return Exit.OK;
    }

    private static Exit list(
            Connection connection, @Nullable String session, Args args, Console console) {
        var find = new WaveCalls.Find(session == null ? null : connection.id(session), args.page());
        var page = connection.ask(WaveCalls.LIST, find);
        if (args.has(Option.JSON)) {
            console.out().println(page.text());
            return Exit.OK;
        }
        var rows = new ArrayList<List<String>>();
        for (var wave : page.value().waves()) {
            var created = Instant.parse(wave.createdAt()).atZone(ZoneId.systemDefault());
            rows.add(
                    List.of(
                            Shown.clean(wave.name()),
                            WaveText.state(wave.state()),
                            WaveText.progress(wave),
                            wave.startedAt() == null ? "" : WaveText.length(wave.wallMs()),
                            DAY.format(created),
                            wave.waveId()));
        }
        var headings = List.of("NAME", "STATE", "MEMBERS", "TIME", "CREATED", "ID");
        console.out().print(Table.of(headings, rows, console));
        Table.more(page.value().next(), console);
        return Exit.OK;
    }

    private static Exit show(Connection connection, String id, Args args, Console console) {
        var wave = connection.ask(WaveCalls.READ, new WaveCalls.Await(id, Patience.NONE));
        WaveText.print(wave.body(), wave.value(), args, console);
        return Exit.OK;
    }

    private static Exit stop(Connection connection, String id, Args args, Console console) {
        var order = new WaveCalls.Stop(id, Length.ofSeconds(10), "the wave was stopped");
        var wave = connection.ask(WaveCalls.STOP, order);
        WaveText.print(wave.body(), wave.value(), args, console);
        return Exit.OK;
    }
}
