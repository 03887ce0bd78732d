package dev.coppice.cli.machine;

import dev.coppice.cli.config.Configuration;
import dev.coppice.cli.engine.Args;
import dev.coppice.cli.engine.Command;
import dev.coppice.cli.engine.Console;
import dev.coppice.cli.engine.CoordinatorPlace;
import dev.coppice.cli.engine.Exit;
import dev.coppice.cli.engine.Option;
import dev.coppice.cli.engine.Usage;
import dev.coppice.runner.LocalCoordinator;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/** Makes the coordinator, or a runner that joined, a service that starts with the machine. */
public final class UnitCommand implements Command {
    private static final String NAME = "coppice";
    private static final Path SYSTEM_DATA = Path.of("/var/lib/coppice");

    /** The file that systemd makes when it has started the machine. */
    private static final Path SYSTEMD = Path.of("/run/systemd/system");

    @Override
    public String name() {
        return "service";
    }

    @Override
    public Usage usage() {
        return new Usage(
                "Make the coordinator a service that starts with the machine",
                List.of("install|uninstall|status|logs|print"),
                List.of(
                        Option.flag("system", "a service of the machine, under the user 'coppice'"),
                        Option.flag("launchd", "print: the text for macOS"),
                        Option.flag("runner", "the runner of --data, which has joined"),
                        Option.DATA,
                        Option.JSON),
                """
                'install' writes a unit of systemd for this user, and starts it where systemd
                runs; with lingering it starts with the machine. As root, --system makes one for
                the machine, with its data in /var/lib/coppice and its settings in
                /etc/coppice/config.toml. 'print' prints the unit. Agents find their programs on
                the PATH that 'install' was called with.

                  coppice config set COPPICE_LISTEN 0.0.0.0
                  coppice service install
                  coppice service logs
                """);
    }

    /** A service: its kind, its name, and the file of its unit. */
    private record Installable(Unit.Kind kind, String name, Path file) {
        List<String> systemctl(String... words) {
            return withUser("systemctl", words);
        }

        List<String> withUser(String program, String... words) {
            var line = new ArrayList<>(List.of(program));
            if (kind == Unit.Kind.USER) line.add("--user");
            line.addAll(List.of(words));
            return line;
        }
    }

    @Override
    public Reads reads() {
        return Reads.NONE;
    }

    @Override
    public Exit run(Args args, Console console) {
        var service = service(args, console);
        return switch (args.word(0)) {
            case "install" -> install(service, unit(service, args, console), console);
            case "uninstall" -> uninstall(service, console);
            case "status" -> status(service, args, console);
            case "logs" -> logs(service, console);
            default -> {
                console.out().print(unit(service, args, console).text());
                yield Exit.OK;
            }
        };
    }

    private static Installable service(Args args, Console console) {
        boolean isSystem = args.has("system");
        var kind = isSystem ? Unit.Kind.SYSTEM : Unit.Kind.USER;
        if (args.has("launchd")) kind = Unit.Kind.LAUNCHD;
        var name = args.has("runner") ? NAME + "-runner" : NAME;
        var file = directory(kind, console).resolve(name + ".service");
        return new Installable(kind, name, file);
    }

    private static Path directory(Unit.Kind kind, Console console) {
        if (kind == Unit.Kind.SYSTEM) return Path.of("/etc/systemd/system");
        return CoordinatorPlace.configuration(console).resolve("systemd/user");
    }

    private static Unit unit(Installable service, Args args, Console console) {
        boolean isRunner = args.has("runner");
        boolean isSystem = service.kind() == Unit.Kind.SYSTEM;
        if (isRunner && !args.has(Option.DATA)) {
            throw new Args.Invalid("--runner needs --data DIR, which 'coppice runner join' prints");
        }
        var data =
                isSystem && !args.has(Option.DATA)
                        ? SYSTEM_DATA
                        : CoordinatorPlace.data(args, console).toAbsolutePath().normalize();
        var command = new ArrayList<>(Launch.command(console));
        command.addAll(List.of(isRunner ? "runner" : "up", "--data", data.toString()));
        var config = args.value("config");
        // The file is named: a service that cannot read it must not start without it.
        boolean isMachines = isSystem && config == null && Files.exists(Configuration.MACHINE);
        if (isMachines) command.addAll(List.of("--config", Configuration.MACHINE.toString()));
        if (config != null) command.addAll(List.of("--config", console.file(config).toString()));
        return new Unit(service.kind(), command, environment(isSystem, console), data);
    }

    /** The text of a unit of the machine for a program that a package has installed. */
    public static String packaged(Path program) {
        var environment =
                Map.of(
                        "HOME",
                        SYSTEM_DATA.toString(),
                        "PATH",
                        "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin");
        var command = List.of(program.toString(), "up", "--data", SYSTEM_DATA.toString());
        return new Unit(Unit.Kind.SYSTEM, command, environment, SYSTEM_DATA).text();
    }

    private static Map<String, String> environment(boolean isSystem, Console console) {
        var environment = new LinkedHashMap<String, String>();
        for (var name : List.of("PATH", "LANG")) {
            var value = console.env(name);
            if (value != null) environment.put(name, value);
        }
        if (isSystem) environment.put("HOME", SYSTEM_DATA.toString());
        return environment;
    }

    private static Exit install(Installable service, Unit unit, Console console) {
        if (service.kind() == Unit.Kind.LAUNCHD) {
            throw new Args.Invalid("--launchd is for 'print'");
        }
        try {
            Files.createDirectories(service.file().getParent());
            Files.writeString(service.file(), unit.text());
        } catch (IOException e) {
            throw new UncheckedIOException("writing " + service.file(), e);
        }
        console.out().println("wrote " + service.file());
        if (!isThere()) {
            console.err()
                    .println(
                            "coppice: systemd does not run here, so nothing was started; where it"
                                    + " runs: "
                                    + String.join(
                                            " ",
                                            service.systemctl("enable", "--now", service.name())));
            return Exit.OK;
        }
        boolean isSystem = service.kind() == Unit.Kind.SYSTEM;
        if (isSystem && Launch.run(List.of("id", "-u", Unit.USER)) != 0) {
            var made =
                    Launch.run(
                            List.of(
                                    "useradd",
                                    "--system",
                                    "--home-dir",
                                    SYSTEM_DATA.toString(),
                                    "--shell",
                                    "/usr/sbin/nologin",
                                    Unit.USER));
            if (made != 0) return Exit.CANNOT_START;
        }
        if (!isSystem) Launch.run(List.of("loginctl", "enable-linger"));
        Launch.run(service.systemctl("daemon-reload"));
        int started = Launch.run(service.systemctl("enable", "--now", service.name()));
        return started == 0 ? Exit.OK : Exit.CANNOT_START;
    }

    private static boolean isThere() {
        return Files.isDirectory(SYSTEMD);
    }

    private static Exit uninstall(Installable service, Console console) {
        if (isThere()) Launch.run(service.systemctl("disable", "--now", service.name()));
        try {
            boolean wasThere = Files.deleteIfExists(service.file());
            console.out().println((wasThere ? "removed " : "there is no file ") + service.file());
        } catch (IOException e) {
            throw new UncheckedIOException("removing " + service.file(), e);
        }
        if (isThere()) Launch.run(service.systemctl("daemon-reload"));
        return Exit.OK;
    }

    private static Exit status(Installable service, Args args, Console console) {
        var kind = service.kind().name().toLowerCase(Locale.ROOT);
        boolean isInstalled = Files.exists(service.file());
        console.out()
                .println(
                        isInstalled
                                ? "%s service, from %s".formatted(kind, service.file())
                                : "no %s service: %s does not exist"
                                        .formatted(kind, service.file()));
        if (isThere() && isInstalled) {
            // Restarts show a crash loop.
            var shown = "--property=ActiveState,SubState,NRestarts,Result,ExecMainStatus,MainPID";
            return Launch.run(service.systemctl("show", shown, service.name())) == 0
                    ? Exit.OK
                    : Exit.SICK;
        }
        var data = CoordinatorPlace.data(args, console).toAbsolutePath().normalize();
        var holder = LocalCoordinator.in(data).holder();
        console.out()
                .println(
                        holder.isPresent()
                                ? "a coordinator runs in %s (process %d)"
                                        .formatted(data, holder.get().pid())
                                : "no coordinator of this user runs in " + data);
        return Exit.OK;
    }

    private static Exit logs(Installable service, Console console) {
        if (!isThere()) {
            console.err()
                    .println(
                            "coppice: systemd does not run here; 'coppice up -d' writes up.log in"
                                    + " the data directory");
            return Exit.CANNOT_START;
        }
        var line = service.withUser("journalctl", "--unit", service.name(), "--follow");
        return Launch.run(line) == 0 ? Exit.OK : Exit.SICK;
    }
}
