package dev.coppice.cli.hosts;

import static java.nio.file.StandardWatchEventKinds.ENTRY_CREATE;
import static java.nio.file.StandardWatchEventKinds.ENTRY_MODIFY;

import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Connection;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Shown;

import org.jspecify.annotations.Nullable;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.List;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;

/** Adds a host, or brings another program to one. */
final class NewHost {
    private static final Duration CONNECT_MAX = Duration.ofSeconds(90);
    private static final Duration LOOK = Duration.ofSeconds(1);
    private static final int PORT_MIN = 20_000;
    private static final int PORTS = 10_000;
    private static final int TRIES_MAX = 8;

    /** An absolute path, which a terminal shows as it is. */
    private static final Pattern DIRECTORY = Pattern.compile("/[^\\p{Cntrl}]{0,4000}");

    private final Args args;
    private final Console console;
    private final HostFiles files;
    private final Connection connection;
    private final Random random = new SecureRandom();

    NewHost(Path data, Args args, Console console) {
        this.args = args;
        this.console = console;
        this.files = HostFiles.in(data);
        if (!files.areServed()) {
            throw new Args.Invalid(
                    ("no coordinator runs in %s: it keeps the connections; start it with"
                                    + " 'coppice up'")
                            .formatted(data));
        }
        this.connection = Connection.open(args.with(Option.DATA, data.toString()), console);
    }

    Exit add(SshAddress address) {
        var name = args.value("name", address.host());
        HostFiles.check(name);
        var before = files.find(name);
        if (before != null && !before.address().equals(address.toString())) {
            throw new Args.Invalid(
                    "there is a host '%s' at %s; choose another --name"
                            .formatted(name, before.address()));
        }
        if (before == null && files.names().size() >= HostFiles.HOSTS_MAX) {
            throw new Args.Invalid(
                    "there are %d hosts, which is the limit".formatted(HostFiles.HOSTS_MAX));
        }
        var archive = args.value("archive");
        var program = HostProgram.of(archive == null ? null : console.file(archive), console);
        var wanted = wanted(name, address, program, before);
        var there = There.read(wanted, args.value("dir", directory(before)));
        check(there, wanted, program, before);
        boolean isConnected = before != null && there.hasToken() && isConnected(name);
        int port = isConnected ? wanted.port() : freePort(wanted);
        if (!there.programs().contains(program.name())) {
            console.err().println("copying the program to " + name);
            program.copy(wanted.at(there.directory(), wanted.tokenId(), port));
        }
        var host = wanted.at(there.directory(), wanted.tokenId(), port);
        if (!isConnected) host = equipped(host, there.hasToken() && !isRevoked(name));
        var since = InstantSource.system().instant();
        if (host.equals(before)) {
            console.out().println("%s has this version".formatted(name));
            return Exit.OK;
        }
        files.write(host);
        return awaited(host, since);
    }

    private boolean isConnected(String name) {
        var state = files.state(name);
        return state != null && state.state().equals(HostFiles.CONNECTED);
    }

    private boolean isRevoked(String name) {
        var state = files.state(name);
        var says = state == null ? null : state.says();
        return says != null && says.contains("its token was revoked");
    }

    /** Gives the host its port, and a token of its own if it has none: a new one loses its runs. */
    private SshHost equipped(SshHost host, boolean hasToken) {
        if (hasToken) {
            files.write(host);
            new Remote(host).done(HostScripts.equipping(host, ""));
            files.forgetState(host.name());
            return host;
        }
        if (!host.tokenId().isEmpty()) HostToken.revoke(host.tokenId(), connection);
        var joined = HostToken.make(host, connection);
        var own = host.at(host.directory(), joined.tokenId(), host.port());
        // Before the host has it: an interrupted 'add' loses no token.
        files.write(own);
        new Remote(own).done(HostScripts.equipping(own, joined.token()));
        // The state from now on counts.
        files.forgetState(own.name());
        return own;
    }

    private static String directory(@Nullable SshHost before) {
        return before == null ? ".coppice-host" : before.directory();
    }

    private SshHost wanted(
            String name, SshAddress address, HostProgram program, @Nullable SshHost before) {
        var ssh = args.value("ssh");
        var tags = args.list("tags");
        var capacity = args.count("capacity", 0);
        if (before != null && (tags != null || args.has("capacity"))) {
            boolean isSame =
                    (tags == null || tags.equals(before.tags()))
                            && (!args.has("capacity")
                                    || String.valueOf(capacity).equals(before.capacity()));
            if (!isSame) {
                throw new Args.Invalid(
                        "the tags and the capacity of '%s' are chosen once: remove it, and add it"
                                .formatted(name));
            }
        }
        var words =
                ssh == null
                        ? before == null ? List.of("ssh") : before.ssh()
                        : List.of(ssh.strip().split(" +", -1));
        return new SshHost(
                name,
                address.toString(),
                files.id() + "." + name,
                before == null ? "" : before.directory(),
                program.name(),
                before == null ? "" : before.tokenId(),
                before == null ? 0 : before.port(),
                words,
                tags == null ? before == null ? List.of() : before.tags() : tags,
                args.has("capacity")
                        ? String.valueOf(capacity)
                        : before == null ? null : before.capacity());
    }

    /** The platform of the machine, and the content of the directory there. */
    private record There(
            String platform, String directory, String id, boolean hasToken, List<String> programs) {
        static There read(SshHost host, String directory) {
            var said = new Remote(host).run(HostScripts.preparing(directory, host.id()));
            var lines = said.answers();
            if (!said.isGood() || lines.size() < 4) {
                throw new Remote.Failed(
                        ("cannot prepare %s: %s%nThe coordinator connects by itself: the key of the"
                             + " host must be known here, and the login must ask nothing. Try '%s"
                             + " %s' by hand.")
                                .formatted(
                                        host.address(),
                                        said.why(),
                                        String.join(" ", host.ssh()),
                                        String.join(" ", SshAddress.of(host.address()).words())));
            }
            return new There(
                    HostProgram.platform(lines.get(0), lines.get(1)),
                    lines.get(2),
                    lines.get(3),
                    lines.contains("token"),
                    lines.subList(4, lines.size()));
        }
    }

    private static void check(
            There there, SshHost wanted, HostProgram program, @Nullable SshHost before) {
        if (!DIRECTORY.matcher(there.directory()).matches()) {
            throw new Remote.Failed(
                    "%s answers with a directory that is none: '%s'"
                            .formatted(wanted.name(), Shown.line(there.directory())));
        }
        if (before != null && !before.directory().equals(there.directory())) {
            throw new Remote.Failed(
                    "'%s' is in %s already: remove it, and add it with another --dir"
                            .formatted(wanted.name(), before.directory()));
        }
        if (!there.id().equals(wanted.id())) {
            throw new Remote.Failed(
                    "%s on %s holds %s; name another directory with --dir"
                            .formatted(
                                    there.directory(),
                                    wanted.name(),
                                    there.id().equals("!")
                                            ? "other files"
                                            : "the runner of another coordinator"));
        }
        if (!there.platform().startsWith("linux-")) {
            throw new Remote.Failed(
                    "%s is %s; runners by ssh are for Linux"
                            .formatted(wanted.name(), Shown.line(there.platform())));
        }
        if (!there.platform().equals(program.platform())) {
            throw new Remote.Failed(
                    "%s is %s, and this program is for %s: name an archive with --archive"
                            .formatted(
                                    wanted.name(),
                                    Shown.line(there.platform()),
                                    program.platform()));
        }
    }

    /** A port of the host's loopback that is free. */
    private int freePort(SshHost host) {
        var why = "";
        for (int tries = 0; tries < TRIES_MAX; tries++) {
            boolean isFirst = tries == 0 && host.port() > 0;
            int port = isFirst ? host.port() : PORT_MIN + random.nextInt(PORTS);
            var tunnel = host.at("", "", port).tunnel(connection.client().base().getPort());
            var said = new Remote(host).run(tunnel, "exit 0\n");
            if (said.isGood()) return port;
            why = said.why();
        }
        throw new Remote.Failed("no tunnel to %s: %s".formatted(host.address(), why));
    }

    private Exit awaited(SshHost host, Instant since) {
        var until = since.plus(CONNECT_MAX);
        var place = files.directory();
        try (var changes = place.getFileSystem().newWatchService()) {
            place.register(changes, ENTRY_CREATE, ENTRY_MODIFY);
            while (InstantSource.system().instant().isBefore(until)) {
                var state = files.state(host.name());
                if (state != null
                        && state.state().equals(HostFiles.CONNECTED)
                        && !Instant.parse(state.since()).isBefore(since)) {
                    console.out()
                            .println(
                                    "%s runs agents now: runner %s in %s"
                                            .formatted(
                                                    host.name(),
                                                    Shown.line(state.runner()),
                                                    host.directory()));
                    return Exit.OK;
                }
                var change = changes.poll(LOOK.toMillis(), TimeUnit.MILLISECONDS);
                if (change != null) change.reset();
            }
        } catch (IOException e) {
            throw new UncheckedIOException("watching " + place, e);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return Exit.INTERRUPTED;
        }
        var state = files.state(host.name());
        console.err()
                .println(
                        "coppice: %s is not connected yet: %s; 'coppice hosts list' shows it"
                                .formatted(
                                        host.name(),
                                        state == null ? "no answer" : Shown.line(state.says())));
        return Exit.LATE;
    }
}
