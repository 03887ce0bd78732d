package dev.coppice.cli.config;

import dev.coppice.boot.SettingsReader;
import dev.coppice.boot.SettingsReader.Variable;
import dev.coppice.cli.engine.Args;

import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** The settings that a configuration file can contain: all of docs/settings.md but three kinds. */
final class Known {
    static final Map<String, Variable> SETTINGS = settings();

    /** Settings whose values are not shown. The address of a database can contain a password. */
    private static final Set<String> SECRET =
            Set.of(
                    "COPPICE_TOKEN",
                    "COPPICE_DB",
                    "COPPICE_OTLP_HEADERS",
                    "COPPICE_ALERT_SECRET",
                    "COPPICE_ALERT_URL");

    /** Settings that must be known before the file is read. */
    private static final Map<String, String> ELSEWHERE =
            Map.of(
                    "COPPICE_CONFIG", "it names this file",
                    "COPPICE_CONTEXT", "'coppice context use' keeps it",
                    "COPPICE_JAVA_HOME", "the launcher reads it before this file",
                    "COPPICE_JAVA_OPTS", "the launcher reads it before this file");

    private Known() {}

    private static Map<String, Variable> settings() {
        var all = new LinkedHashMap<>(SettingsReader.VARIABLES);
        all.put("COPPICE_URL", new Variable("the address of the coordinator", null));
        all.put("COPPICE_TOKEN", new Variable("the caller's token", null));
        all.put("COPPICE_CA", new Variable("the certificates to accept from it, in PEM", null));
        all.put("COPPICE_AGENT", new Variable("the blueprint of 'coppice start'", null));
        all.put("COPPICE_ARCHIVE_MAX", new Variable("the largest archive of a directory", "1g"));
        all.put("COPPICE_CONTAINMENT", new Variable("how agents are held together", "auto"));
        all.put("COPPICE_DEBUG", new Variable("print where an internal error was", null));
        return Collections.unmodifiableMap(all);
    }

    /** True for a setting that a command needs to call a coordinator. */
    static boolean isOfCaller(String name) {
        return name.equals("COPPICE_DATA") || !SettingsReader.VARIABLES.containsKey(name);
    }

    static boolean isSecret(String name) {
        return SECRET.contains(name);
    }

    /** Throws if no configuration file can contain the setting. */
    static void check(String name) {
        if (SETTINGS.containsKey(name)) return;
        var why = ELSEWHERE.get(name);
        if (why != null) throw new Args.Invalid("%s cannot be set here: %s".formatted(name, why));
        throw Args.Invalid.near(
                "there is no setting '%s'".formatted(name), name, List.copyOf(SETTINGS.keySet()));
    }
}
