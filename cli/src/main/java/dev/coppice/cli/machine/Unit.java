package dev.coppice.cli.machine;

import java.nio.file.Path;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Collectors;

/**
 * The text of a service: a unit of systemd for a user or for the system, or a property list for
 * launchd.
 *
 * @param command the command line, whose first word is a path
 * @param environment the variables that it needs
 */
record Unit(Kind kind, List<String> command, Map<String, String> environment, Path data) {
    /** The kinds of services. */
    enum Kind {
        USER,
        SYSTEM,
        LAUNCHD
    }

    /** The user of a service of the system. */
    static final String USER = "coppice";

    Unit {
        command = List.copyOf(command);
        environment = Map.copyOf(new LinkedHashMap<>(environment));
    }

    String text() {
        return kind == Kind.LAUNCHD ? propertyList() : unit();
    }

    private String unit() {
        boolean isSystem = kind == Kind.SYSTEM;
        return """
        # Made by 'coppice service install'; another install replaces it.
        [Unit]
        Description=Coppice, the control plane for trees of agent sessions
        Documentation=man:coppice(1)
        %6$s# A crash loop ends after five starts in five minutes; 'service status' shows it.
        StartLimitIntervalSec=300
        StartLimitBurst=5

        [Service]
        Type=exec
        ExecStart=%1$s
        %2$s
        %3$sRestart=on-failure
        RestartSec=2
        # 2: the command line is wrong. 3: a runner was revoked. Neither changes by itself.
        RestartPreventExitStatus=2 3
        SuccessExitStatus=143
        # The coordinator ends its agents; what is left after that is killed.
        KillMode=mixed
        TimeoutStopSec=90
        # Agents get control groups of their own below this one.
        Delegate=yes
        # One agent without memory does not end the others.
        OOMPolicy=continue
        LimitNOFILE=65536
        TasksMax=infinity
        %4$s
        [Install]
        WantedBy=%5$s
        """
                .formatted(
                        command.stream().map(Unit::word).collect(Collectors.joining(" ")),
                        variables(),
                        isSystem ? "User=%1$s\nGroup=%1$s\n".formatted(USER) : "",
                        isSystem ? "StateDirectory=coppice\nStateDirectoryMode=0700\n" : "",
                        isSystem ? "multi-user.target" : "default.target",
                        isSystem
                                ? "Wants=network-online.target\nAfter=network-online.target\n"
                                : "");
    }

    private String variables() {
        return environment.entrySet().stream()
                .sorted(Map.Entry.comparingByKey())
                .map(e -> "Environment=" + quoted(e.getKey() + "=" + e.getValue()))
                .collect(Collectors.joining("\n"));
    }

    /** A word of a command line: systemd replaces what begins with a dollar or a percent sign. */
    private static String word(String word) {
        return quoted(word).replace("$", "$$");
    }

    private static String quoted(String text) {
        return '"' + text.replace("\\", "\\\\").replace("\"", "\\\"").replace("%", "%%") + '"';
    }

    private String propertyList() {
        var words = command.stream().map(Unit::string).collect(Collectors.joining("\n"));
        var variables =
                environment.entrySet().stream()
                        .sorted(Map.Entry.comparingByKey())
                        .map(e ->
                                "<key>%s</key>%s".formatted(xml(e.getKey()), string(e.getValue())))
                        .collect(Collectors.joining("\n"));
        return """
        <?xml version="1.0" encoding="UTF-8"?>
        <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN"
          "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
        <plist version="1.0">
        <dict>
          <key>Label</key><string>dev.coppice</string>
          <key>ProgramArguments</key>
          <array>
            %s
          </array>
          <key>EnvironmentVariables</key>
          <dict>
            %s
          </dict>
          <key>RunAtLoad</key><true/>
          <key>KeepAlive</key><dict><key>SuccessfulExit</key><false/></dict>
          <key>ThrottleInterval</key><integer>10</integer>
          <key>StandardErrorPath</key>%s
          <key>SoftResourceLimits</key>
          <dict><key>NumberOfFiles</key><integer>65536</integer></dict>
        </dict>
        </plist>
        """
                .formatted(
                        words.indent(4).strip(),
                        variables.indent(4).strip(),
                        string(data.resolve("up.log").toString()));
    }

    private static String string(String text) {
        return "<string>" + xml(text) + "</string>";
    }

    private static String xml(String text) {
        return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;");
    }
}
