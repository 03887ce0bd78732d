package dev.coppice.cli.hosts;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.CoordinatorPlace;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;
import dev.coppice.cli.engine.Table;
import dev.coppice.cli.engine.Usage;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** Lists, adds and removes machines on which the coordinator keeps a runner by ssh. */
public final class HostsCommand implements Command {
    @Override
    public String name() {
        return "hosts";
    }

    @Override
    public Usage usage() {
        return new Usage(
                "Run agents on another machine that ssh reaches",
                List.of("list|add|remove", "[HOST]"),
                List.of(
                        Option.of("name", "NAME", "add: its name here (default its host name)"),
                        Option.of("dir", "DIR", "add: a directory there (default .coppice-host)"),
                        Option.of("tags", "TAGS", "add: the tags that it offers, such as a,b"),
                        Option.of("capacity", "N", "add: take at most N runs at once (default 64)"),
                        Option.of("archive", "FILE", "add: the program for another platform"),
                        Option.of("ssh", "COMMAND", "add: how to call ssh (default 'ssh')"),
                        Option.flag("discard", "remove: also the directories of sessions there"),
                        Option.flag("abandon", "remove: forget it, and leave everything there"),
                        Option.DATA,
                        Option.JSON),
                """
                'add ssh://USER@HOST:PORT' copies the program there if it is missing or of another
                version, and starts a runner. The coordinator of this machine keeps a connection by
                ssh for it, and connects again when it breaks. Its other end is a port of the
                loopback there; no other is opened. It needs a key of the host that is known here
                (connect once by hand) and a login without a question. 'add' again repairs, and
                brings this version. 'remove NAME' ends the runner and deletes its directory.

                  coppice hosts add ssh://me@build-7 --tags gpu
                  coppice hosts list
                """);
    }

    @Override
    public Exit run(Args args, Console console) {
        var data = CoordinatorPlace.data(args, console).toAbsolutePath().normalize();
        var verb = args.word(0);
        var word = args.wordOrNull(1);
        if (verb.equals("list")) {
            list(data, args, console);
            return Exit.OK;
        }
        if (word == null) throw new Args.Invalid("HOST is missing");
        try {
            if (verb.equals("add")) {
                return new NewHost(data, args, console).add(SshAddress.of(word));
            }
            remove(word, data, args, console);
            return Exit.OK;
        } catch (Remote.Failed e) {
            console.err().println("coppice: " + e.getMessage());
            return Exit.REFUSED;
        }
    }

    /** A host as it is listed. */
    private record Listed(
            String name,
            String address,
            String state,
            @Nullable String since,
            @Nullable String runner,
            @Nullable String says,
            String directory,
            String program,
            int port,
            List<String> tags) {}

    private static void list(Path data, Args args, Console console) {
        var files = HostFiles.in(data);
        boolean isUp = files.areServed();
        var all = new ArrayList<Listed>();
        for (var name : files.names()) {
            all.add(listed(name, files, isUp));
        }
        if (args.has(Option.JSON)) {
            console.out().println(Json.write(all));
            return;
        }
        var rows =
                all.stream()
                        .map(each ->
                                List.of(
                                        each.name(),
                                        each.address(),
                                        each.state(),
                                        each.runner() == null ? "" : Shown.clean(each.runner()),
                                        each.directory(),
                                        Shown.line(each.says())))
                        .toList();
        var headings = List.of("NAME", "ADDRESS", "STATE", "RUNNER", "DIRECTORY", "REASON");
        console.out().print(Table.of(headings, rows, console));
    }

    private static Listed listed(String name, HostFiles files, boolean isUp) {
        var state = isUp ? files.state(name) : null;
        try {
            var host = files.find(name);
            if (host != null) return listed(host, state, isUp);
        } catch (RuntimeException _) {
            // Listed below.
        }
        var says = "its file in %s cannot be read".formatted(files.directory());
        return new Listed(name, "", "unreadable", null, null, says, "", "", 0, List.of());
    }

    private static Listed listed(SshHost host, HostFiles.@Nullable State state, boolean isUp) {
        return new Listed(
                host.name(),
                host.address(),
                state == null ? (isUp ? "connecting" : "coordinator down") : state.state(),
                state == null ? null : state.since(),
                state == null ? null : state.runner(),
                state == null ? null : state.says(),
                host.directory(),
                host.program(),
                host.port(),
                host.tags());
    }

    private static void remove(String name, Path data, Args args, Console console) {
        var files = HostFiles.in(data);
        HostFiles.check(name);
        if (!files.has(name)) {
            throw Args.Invalid.near("there is no host '%s'".formatted(name), name, files.names());
        }
        boolean isAbandoned = args.has("abandon");
        var host = readable(name, files, isAbandoned);
        if (host == null) {
            files.delete(name);
            console.out().println("forgot %s, whose file could not be read".formatted(name));
            return;
        }
        if (!isAbandoned) refuseIfUsed(host, args);
        // Without its token the runner claims nothing more, and ends its agents.
        if (!host.tokenId().isEmpty())
            HostToken.revoke(host.tokenId(), Connection.open(args, console));
        if (isAbandoned) files.delete(name);
        else delete(host, files);
        console.out()
                .println(
                        isAbandoned
                                ? "removed %s; its runner and %s are still there"
                                        .formatted(name, host.directory())
                                : "removed %s, and %s there".formatted(name, host.directory()));
    }

    private static @Nullable SshHost readable(String name, HostFiles files, boolean isAbandoned) {
        try {
            return files.find(name);
        } catch (RuntimeException _) {
            if (isAbandoned) return null;
            throw new Remote.Failed(
                    "the file of '%s' in %s cannot be read; --abandon forgets it"
                            .formatted(name, files.directory()));
        }
    }

    private static void refuseIfUsed(SshHost host, Args args) {
        var counted = new Remote(host).done(HostScripts.counting(host));
        if (counted.size() != 2) throw new Remote.Failed(host.name() + " does not say what it has");
        boolean isUsed = !counted.equals(List.of("0", "0"));
        if (!isUsed || args.has("discard")) return;
        throw new Remote.Failed(
                ("%s on %s has directories with work of sessions (%s), and runs at work (%s):"
                                + " 'coppice rm' preserves work, 'coppice stop' stops; --discard"
                                + " ends and deletes them")
                        .formatted(
                                host.directory(),
                                host.name(),
                                Shown.line(counted.get(0)),
                                Shown.line(counted.get(1))));
    }

    private static void delete(SshHost host, HostFiles files) {
        // Without its file the coordinator ends the connection.
        files.delete(host.name());
        try {
            var _ = new Remote(host).done(HostScripts.deleting(host));
        } catch (Remote.Failed e) {
            files.write(host);
            throw e;
        }
    }
}
