package dev.coppice.boot;

import dev.coppice.alerts.Webhook;
import dev.coppice.callback.CallbackPorts;
import dev.coppice.fleet.Leases;
import dev.coppice.journal.EventRetention;
import dev.coppice.journal.Journal;
import dev.coppice.operations.removal.Confirmation;
import dev.coppice.removal.Choices;
import dev.coppice.session.Limits;
import dev.coppice.wire.Length;

import org.jspecify.annotations.Nullable;

import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;

/** Reads the settings from an environment. An error names the variable. */
public final class SettingsReader {
    /** Every variable that is read, with its meaning; a test compares it with the settings page. */
    public static final Map<String, Variable> VARIABLES = variables();

    /** Runners renew three times per lease; shorter leases would make them renew every second. */
    private static final Duration LEASE_MIN = Duration.ofSeconds(5);

    private static final String CONFIRM = "COPPICE_CONFIRM_REMOVALS";
    private static final String HOOK_PORTS = "COPPICE_COMPAT_PORTS";
    private static final String HOOKS_OPEN = "COPPICE_COMPAT_OPEN";
    private static final String PATH_PORTS = "COPPICE_PATH_PORTS";
    private static final String LISTEN = "COPPICE_LISTEN";
    private static final String LISTEN_PLAIN = "COPPICE_LISTEN_PLAIN";
    private static final String TLS_CERT = "COPPICE_TLS_CERT";
    private static final String TLS_KEY = "COPPICE_TLS_KEY";
    private static final int PORT_OF_LISTEN = 8766;
    private static final Pattern ADDRESS =
            Pattern.compile("([\\w.-]{1,253}|\\[[0-9a-fA-F:.]{2,45}])(?::(\\d{1,5}))?");
    private static final Pattern PORT = Pattern.compile("\\d{1,5}");
    private static final int PORT_MAX = 65_535;
    private static final Pattern ORIGIN = Pattern.compile("https?://[^/\\s*]+");

    /** Stands for all types of events that have no length of their own. */
    private static final String ALL = "*";

    private final Map<String, String> environment;

    public SettingsReader(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    /** A setting that cannot be used. */
    public static final class BadSetting extends RuntimeException {
        private static final long serialVersionUID = 1;

        BadSetting(String name, String value, String rule) {
            super("%s is '%s'; it must be %s".formatted(name, value, rule));
        }
    }

    /** The meaning of a variable, and its value when nothing sets it, if it has one then. */
    public record Variable(String meaning, @Nullable String byDefault) {
        @Override
        public String toString() {
            return byDefault == null ? meaning : "%s (default %s)".formatted(meaning, byDefault);
        }
    }

    /** The variables in the order in which they are listed. */
    private static final class Listed {
        private final Map<String, Variable> all = new LinkedHashMap<>();

        Listed set(String name, String meaning, @Nullable String byDefault) {
            all.put(name, new Variable(meaning, byDefault));
            return this;
        }
    }

    private static Map<String, Variable> variables() {
        var listed = new Listed();
        listed.set("COPPICE_DATA", "the data directory", "~/.coppice");
        listening(listed);
        listed.set("COPPICE_DB", "jdbc:postgresql://… to store everything there", "an SQLite file")
                .set("COPPICE_DB_WAIT", "how long a start waits for a PostgreSQL", "30s");
        for (var kind : Limits.Kind.values()) {
            long max = Limits.DEFAULT.max().getOrDefault(kind, Long.MAX_VALUE);
            listed.set(limit(kind), kind.meaning(), Long.toString(max));
        }
        listed.set("COPPICE_LEASE", "how long a runner may be silent", "30s")
                .set("COPPICE_NO_MATCH", "how long a run waits for a suitable runner", "300s")
                .set("COPPICE_CALLBACK_TRIES", "how many runs may carry a callback", "5")
                .set(
                        "COPPICE_CALLBACK_WAIT",
                        "the first wait between two tries; each further one is four times as long",
                        "2s")
                .set(
                        "COPPICE_CALLBACK_HOLD",
                        "how long callbacks are held for a session that is not resumed",
                        "7d")
                .set(
                        "COPPICE_QUOTA_WAIT",
                        "how long no run starts on an account that met its limit, at first",
                        "30s");
        keeping(listed);
        listed.set("COPPICE_ENV_ALLOW", "names that blueprints may use as ${env.NAME}", "none")
                .set("COPPICE_HOSTS", "further host:port names to answer to", "none")
                .set(
                        "COPPICE_ORIGINS",
                        "origins whose pages may call from a browser, such as"
                                + " http://localhost:3000",
                        "none");
        watching(listed);
        return Collections.unmodifiableMap(listed.all);
    }

    /** Variables about ports. */
    private static void listening(Listed listed) {
        listed.set("COPPICE_PORT", "the port on 127.0.0.1", "8765")
                .set(HOOK_PORTS, "further ports that serve the hook server's paths", "none")
                .set(
                        HOOKS_OPEN,
                        "true: these ports need no token from programs of this machine",
                        "false")
                .set(
                        PATH_PORTS,
                        "further ports that serve everything and take an operator's token in the"
                                + " address, which logs keep",
                        "none")
                .set(LISTEN, "an address beyond this machine, with TLS, as 0.0.0.0:8766", "none")
                .set(TLS_CERT, "the certificate for it, with its chain, in PEM", "DATA/tls")
                .set(TLS_KEY, "the key of the certificate, in PEM", "DATA/tls")
                .set(LISTEN_PLAIN, "true: it listens there without TLS", "false")
                .set("COPPICE_PUBLIC_URL", "the address at which a proxy serves it", "none")
                .set("COPPICE_PROXIES", "addresses of proxies whose headers are believed", "none");
    }

    /** Variables about what is kept, and how it is removed. */
    private static void keeping(Listed listed) {
        listed.set(
                        "COPPICE_KEEP_EVENTS",
                        "how long events are kept, as 30d,PreToolUse=7d",
                        "for ever")
                .set(
                        "COPPICE_KEEP_SESSIONS",
                        "how long after its end a tree is removed, as 90d",
                        "never")
                .set("COPPICE_UNDO_WINDOW", "how long a removal can be undone", "7d")
                .set(
                        "COPPICE_REMOVAL_DEADLINE",
                        "how long a removal waits for sessions and hosts",
                        "60s")
                .set(CONFIRM, "true: each removal needs the digest of its plan", "false")
                .set(
                        "COPPICE_BACKUPS",
                        "the directory of backups and preserved work; several coordinators need"
                                + " one that all of them see",
                        "'backups' in the data directory");
    }

    /** Variables about agents that Coppice did not start, and about alerts. */
    private static void watching(Listed listed) {
        listed.set(
                        "COPPICE_TRANSCRIPTS",
                        "directories whose transcripts are read for what models cost",
                        "~/.claude/projects,~/.codex/sessions,~/.gemini/tmp")
                .set(
                        "COPPICE_OTLP_ENDPOINT",
                        "a collector of OpenTelemetry to which ended sessions are sent, such as"
                                + " http://127.0.0.1:4318",
                        "nowhere")
                .set("COPPICE_OTLP_HEADERS", "headers for it, as name=value; may be secret", "none")
                .set(
                        "COPPICE_ALERT_URL",
                        "where alerts are posted, such as https://…/alerts",
                        "nowhere")
                .set(
                        "COPPICE_ALERT_SECRET",
                        "signs what is posted there; 16 characters or more",
                        null);
    }

    public Settings read() {
        var user = environment.getOrDefault("HOME", System.getProperty("user.home"));
        var home = Path.of(user, ".coppice");
        var data = environment.get("COPPICE_DATA");
        var lease = duration("COPPICE_LEASE", Leases.DEFAULT.run());
        if (lease.compareTo(LEASE_MIN) < 0) {
            throw new BadSetting("COPPICE_LEASE", lease.toSeconds() + "s", "5s or more");
        }
        return new Settings(
                data == null ? home : Path.of(data),
                (int) number("COPPICE_PORT", Settings.PORT_DEFAULT, 0, PORT_MAX),
                ports(HOOK_PORTS),
                isTrue(HOOKS_OPEN),
                ports(PATH_PORTS),
                given("COPPICE_DB"),
                duration("COPPICE_DB_WAIT", Duration.ofSeconds(30)),
                limits(),
                new Leases(Leases.DEFAULT.claim(), lease, Leases.DEFAULT.unfencedRun()),
                callbacks(),
                duration("COPPICE_QUOTA_WAIT", Duration.ofSeconds(30)),
                duration("COPPICE_NO_MATCH", Duration.ofMinutes(5)),
                keepEvents(),
                environment.containsKey("COPPICE_KEEP_SESSIONS")
                        ? duration("COPPICE_KEEP_SESSIONS", Duration.ZERO)
                        : null,
                duration("COPPICE_UNDO_WINDOW", Duration.ofDays(7)),
                duration("COPPICE_REMOVAL_DEADLINE", Choices.DEADLINE),
                isTrue(CONFIRM) ? Confirmation.OF_ALL : Confirmation.OF_LOSSES,
                backups(data == null ? home : Path.of(data)),
                allowed(),
                reach(data == null ? home : Path.of(data)),
                transcripts(user),
                collector(),
                alertTo());
    }

    private boolean isTrue(String name) {
        var given = environment.getOrDefault(name, "").strip();
        return switch (given) {
            case "", "false" -> false;
            case "true" -> true;
            default -> throw new BadSetting(name, given, "true or false");
        };
    }

    private List<Integer> ports(String name) {
        var ports = new ArrayList<Integer>();
        for (var word : words(name)) {
            if (!PORT.matcher(word).matches() || Integer.parseInt(word) > PORT_MAX) {
                throw new BadSetting(name, word, "ports from 0 to 65535, with commas");
            }
            ports.add(Integer.parseInt(word));
        }
        return List.copyOf(ports);
    }

    private Path backups(Path data) {
        var given = given("COPPICE_BACKUPS");
        var path = given == null ? data.resolve("backups") : Path.of(given);
        return path.toAbsolutePath().normalize();
    }

    private @Nullable String given(String name) {
        var value = environment.get(name);
        return value == null || value.isBlank() ? null : value.strip();
    }

    private CallbackPorts.Terms callbacks() {
        var terms = CallbackPorts.Terms.DEFAULT;
        return new CallbackPorts.Terms(
                (int) number("COPPICE_CALLBACK_TRIES", terms.triesMax(), 1, 100),
                duration("COPPICE_CALLBACK_WAIT", terms.firstWait()),
                duration("COPPICE_CALLBACK_HOLD", terms.heldAtMost()));
    }

    private static String limit(Limits.Kind kind) {
        return "COPPICE_LIMIT_" + kind.name();
    }

    private Limits limits() {
        var limits = Limits.DEFAULT;
        for (var kind : Limits.Kind.values()) {
            long byDefault = limits.max().getOrDefault(kind, Long.MAX_VALUE);
            long max = kind == Limits.Kind.DEPTH ? byDefault : Long.MAX_VALUE;
            limits = limits.with(kind, number(limit(kind), byDefault, 0, max));
        }
        return limits;
    }

    /** The retention of events: a time for single types, and one for all others. */
    private List<EventRetention.Rule> keepEvents() {
        var lengths = new LinkedHashMap<String, Duration>();
        for (var word : words("COPPICE_KEEP_EVENTS")) {
            int at = word.indexOf('=');
            var type = at < 0 ? ALL : word.substring(0, at).strip();
            var length = Length.read(word.substring(at + 1).strip());
            boolean isGood = length != null && !length.isZero() && !type.isEmpty();
            if (!isGood || lengths.put(type, length) != null) {
                var rule =
                        "lengths with commas, one for all events and some for single types, such as"
                                + " 30d,PreToolUse=7d; a length is "
                                + Length.RULE;
                throw new BadSetting("COPPICE_KEEP_EVENTS", word, rule);
            }
        }
        var named = lengths.keySet().stream().filter(type -> !type.equals(ALL)).toList();
        return lengths.entrySet().stream()
                .map(e -> new EventRetention.Rule(types(e.getKey(), named), e.getValue()))
                .toList();
    }

    private static Journal.Types types(String type, List<String> named) {
        return type.equals(ALL)
                ? new Journal.Types(null, named)
                : new Journal.Types(type, List.of());
    }

    private Ground.@Nullable Collector collector() {
        var name = "COPPICE_OTLP_ENDPOINT";
        var base = environment.get(name);
        if (base == null || base.isBlank()) return null;
        var headers = new LinkedHashMap<String, String>();
        for (var header : words("COPPICE_OTLP_HEADERS")) {
            int at = header.indexOf('=');
            if (at < 1) {
                throw new BadSetting("COPPICE_OTLP_HEADERS", "…", "name=value, with commas");
            }
            headers.put(header.substring(0, at).strip(), header.substring(at + 1).strip());
        }
        var url = base.strip().replaceAll("/+$", "") + "/v1/traces";
        return new Ground.Collector(web(name, url, "an address such as http://host:4318"), headers);
    }

    private static URI web(String name, String url, String rule) {
        try {
            var address = URI.create(url.strip());
            var scheme = String.valueOf(address.getScheme());
            boolean isWeb = scheme.equals("http") || scheme.equals("https");
            if (isWeb && address.getHost() != null) return address;
        } catch (IllegalArgumentException _) {
            // Refused below, as an address without a host is.
        }
        throw new BadSetting(name, url, rule);
    }

    private List<Path> transcripts(String home) {
        if (environment.containsKey("COPPICE_TRANSCRIPTS")) {
            return words("COPPICE_TRANSCRIPTS").stream().map(Path::of).toList();
        }
        var claude = environment.get("CLAUDE_CONFIG_DIR");
        var codex = environment.get("CODEX_HOME");
        return List.of(
                (claude == null ? Path.of(home, ".claude") : Path.of(claude)).resolve("projects"),
                (codex == null ? Path.of(home, ".codex") : Path.of(codex)).resolve("sessions"),
                Path.of(home, ".gemini/tmp"));
    }

    private Webhook.@Nullable Target alertTo() {
        var url = environment.get("COPPICE_ALERT_URL");
        if (url == null || url.isBlank()) return null;
        var secret = environment.getOrDefault("COPPICE_ALERT_SECRET", "");
        if (secret.length() < Webhook.SECRET_CHARS_MIN) {
            throw new BadSetting(
                    "COPPICE_ALERT_SECRET",
                    "of %d characters".formatted(secret.length()),
                    "%d characters or more".formatted(Webhook.SECRET_CHARS_MIN));
        }
        var rule = "an address such as https://host.example/alerts";
        return new Webhook.Target(web("COPPICE_ALERT_URL", url, rule), secret);
    }

    private Map<String, String> allowed() {
        var allowed = new LinkedHashMap<String, String>();
        for (var name : words("COPPICE_ENV_ALLOW")) {
            var value = environment.get(name);
            if (value != null) allowed.put(name, value);
        }
        return allowed;
    }

    private Set<String> words(String name) {
        var text = environment.getOrDefault(name, "");
        var words = new LinkedHashSet<String>();
        for (var word : List.of(text.split(",", -1))) if (!word.isBlank()) words.add(word.strip());
        return words;
    }

    private Settings.Reach reach(Path data) {
        var proxies = new LinkedHashSet<InetAddress>();
        for (var word : words("COPPICE_PROXIES")) {
            try {
                proxies.add(InetAddress.ofLiteral(word));
            } catch (IllegalArgumentException _) {
                throw new BadSetting("COPPICE_PROXIES", word, "addresses such as 10.0.0.7");
            }
        }
        return new Settings.Reach(
                listen(data), publicUrl(), proxies, Set.copyOf(words("COPPICE_HOSTS")), origins());
    }

    private @Nullable URI publicUrl() {
        var url = given("COPPICE_PUBLIC_URL");
        if (url == null) return null;
        var rule = "an address such as https://coppice.example.org, without a path";
        var publicUrl = web("COPPICE_PUBLIC_URL", url, rule);
        if (Set.of("", "/").contains(publicUrl.getPath())) return publicUrl;
        throw new BadSetting("COPPICE_PUBLIC_URL", url, rule);
    }

    /** The address to listen at. Beyond this machine it needs a certificate, or a promise. */
    private Settings.@Nullable Listen listen(Path data) {
        var given = given(LISTEN);
        if (given == null) return null;
        var found = ADDRESS.matcher(given);
        if (!found.matches()) {
            throw new BadSetting(LISTEN, given, "an address, as in 192.168.1.5 or 0.0.0.0:8443");
        }
        int port = found.group(2) == null ? PORT_OF_LISTEN : Integer.parseInt(found.group(2));
        if (port > PORT_MAX) throw new BadSetting(LISTEN, given, "with a port up to 65535");
        boolean isPlain = isTrue(LISTEN_PLAIN);
        var tls = isPlain ? null : tls(data);
        if (tls == null && !isPlain) {
            throw new BadSetting(
                    LISTEN,
                    given,
                    "with a certificate: 'coppice tls make' makes one, or name yours with"
                            + " --tls-cert and --tls-key; --listen-plain does without, and"
                            + " everybody on the way can read all of it, tokens too");
        }
        return new Settings.Listen(found.group(1), port, tls);
    }

    private Settings.@Nullable TlsFiles tls(Path data) {
        var certificate = given(TLS_CERT);
        var key = given(TLS_KEY);
        if (certificate != null && key != null) {
            return new Settings.TlsFiles(Path.of(certificate), Path.of(key));
        }
        if (certificate != null) throw new BadSetting(TLS_KEY, "", "the file with the key");
        if (key != null) throw new BadSetting(TLS_CERT, "", "the file with the certificate");
        var made = Settings.TlsFiles.madeIn(data);
        return Files.exists(made.certificate()) ? made : null;
    }

    /** Rejects '*': a page of any site could then try tokens. */
    private Set<String> origins() {
        var origins = words("COPPICE_ORIGINS");
        for (var origin : origins) {
            if (!ORIGIN.matcher(origin).matches()) {
                var rule =
                        "origins such as http://localhost:3000, with commas, without paths or '*'";
                throw new BadSetting("COPPICE_ORIGINS", origin, rule);
            }
        }
        return Set.copyOf(origins);
    }

    private long number(String name, long absent, long min, long max) {
        var text = environment.get(name);
        if (text == null) return absent;
        try {
            long value = Long.parseLong(text);
            if (value >= min && value <= max) return value;
        } catch (NumberFormatException _) {
            // Refused below, as a number out of range is.
        }
        throw new BadSetting(name, text, "a whole number from %d to %d".formatted(min, max));
    }

    private Duration duration(String name, Duration absent) {
        var text = environment.get(name);
        if (text == null) return absent;
        var value = Length.read(text);
        if (value == null || value.isZero()) throw new BadSetting(name, text, Length.RULE);
        return value;
    }
}
