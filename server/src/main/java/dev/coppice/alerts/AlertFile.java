package dev.coppice.alerts;

import dev.coppice.alert.Alert;
import dev.coppice.alert.Alert.Delivery;
import dev.coppice.alert.Alerts.Cause;
import dev.coppice.alert.DeliverAlerts;
import dev.coppice.alert.Routing;
import dev.coppice.wire.Json;
import dev.coppice.word.AlertKind;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.DateTimeException;
import java.time.Instant;
import java.time.InstantSource;
import java.time.LocalTime;
import java.time.ZoneId;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Predicate;

/**
 * The rules and channels of a person's file, and the webhook of the settings. Without a file, every
 * alert goes to that webhook. The file is read again when it changes. A faulty file changes
 * nothing, and its fault is shown.
 */
public final class AlertFile implements Routing, DeliverAlerts.Channels, AutoCloseable {
    /** The channel of the settings. */
    public static final String WEBHOOK = "webhook";

    public static final String DESKTOP = "desktop";

    private static final int BYTES_MAX = 1024 * 1024;
    private static final FileTime NEVER = FileTime.fromMillis(0);

    private final Path file;
    private final Map<String, String> environment;
    private final InstantSource clock;
    private final @Nullable Webhook webhook;
    private Read read;

    /** The time of the file that was read last; null if it could not be read. */
    private @Nullable FileTime changed = NEVER;

    private @Nullable String fault;

    public AlertFile(
            Path file,
            Map<String, String> environment,
            Webhook.@Nullable Target webhook,
            InstantSource clock) {
        this.file = file;
        this.environment = Map.copyOf(environment);
        this.clock = clock;
        this.webhook = webhook == null ? null : new Webhook(webhook, clock);
        this.read = byDefault();
        refresh();
    }

    /** The behaviour of a rule in the quiet hours. */
    public enum Quiet {
        /** The rule sends when they are over. */
        WAIT,
        /** The rule sends at once. */
        SEND,
        /** The rule sends nothing, not even later. */
        DROP
    }

    /** A rule: its alerts, and the channels that get them. All matching rules apply. */
    public record Rule(Set<AlertKind> kinds, @Nullable String below, List<String> to, Quiet quiet) {
        public Rule {
            kinds = Set.copyOf(kinds);
            to = List.copyOf(to);
        }
    }

    /** The content of the file. */
    private record Read(
            List<Rule> rules,
            Map<String, DeliverAlerts.Receiver> channels,
            @Nullable QuietHours quietHours) {
        Read {
            rules = List.copyOf(rules);
            channels = Map.copyOf(channels);
        }
    }

    private Read byDefault() {
        var to = webhook == null ? List.<String>of() : List.of(WEBHOOK);
        var all = new Rule(EnumSet.allOf(AlertKind.class), null, to, Quiet.WAIT);
        return new Read(List.of(all), own(), null);
    }

    private Map<String, DeliverAlerts.Receiver> own() {
        var channels = new LinkedHashMap<String, DeliverAlerts.Receiver>();
        if (webhook != null) channels.put(WEBHOOK, webhook);
        channels.put(DESKTOP, new CommandChannel(desktop(), environment));
        return channels;
    }

    /** Passes texts in the environment, so that they cannot be read as a script. */
    private static List<String> desktop() {
        boolean isMac = System.getProperty("os.name").startsWith("Mac");
        return isMac
                ? List.of(
                        "osascript",
                        "-e",
                        "display notification (system attribute \"COPPICE_ALERT_TEXT\") with title"
                                + " (system attribute \"COPPICE_ALERT_TITLE\")")
                : List.of(
                        "sh",
                        "-c",
                        "exec notify-send --app-name=Coppice -- \"$COPPICE_ALERT_TITLE\""
                                + " \"$COPPICE_ALERT_TEXT\"");
    }

    @Override
    public synchronized List<Delivery> deliveries(Cause cause, Predicate<String> isBelow) {
        var due = new LinkedHashMap<String, Instant>();
        var now = clock.instant();
        for (var rule : read.rules()) {
            if (!rule.kinds().contains(cause.kind())) continue;
            if (rule.below() != null && !isBelow.test(rule.below())) continue;
            var at = at(rule, now);
            if (at == null) continue;
            for (var channel : rule.to()) {
                due.merge(channel, at, (one, other) -> one.isBefore(other) ? one : other);
            }
        }
        return due.entrySet().stream()
                .map(e -> new Delivery(e.getKey(), Alert.State.DUE, 0, e.getValue(), null))
                .toList();
    }

    private @Nullable Instant at(Rule rule, Instant now) {
        var hours = read.quietHours();
        if (hours == null || rule.quiet() == Quiet.SEND) return now;
        var after = hours.after(now);
        return after.equals(now) || rule.quiet() == Quiet.WAIT ? after : null;
    }

    @Override
    public synchronized boolean wants(AlertKind kind) {
        return read.rules().stream().anyMatch(rule -> rule.kinds().contains(kind));
    }

    @Override
    public synchronized DeliverAlerts.@Nullable Receiver channel(String name) {
        return read.channels().get(name);
    }

    public synchronized List<Rule> rules() {
        return read.rules();
    }

    public synchronized Set<String> channels() {
        return new TreeSet<>(read.channels().keySet());
    }

    public synchronized @Nullable QuietHours quietHours() {
        return read.quietHours();
    }

    /** The reason why the file is not used; null if it is, or if there is none. */
    public synchronized @Nullable String fault() {
        return fault;
    }

    public Path file() {
        return file;
    }

    /** Reads the file if it has changed; returns 1 if it has. */
    public synchronized int refresh() {
        FileTime now;
        try {
            now = Files.getLastModifiedTime(file);
        } catch (NoSuchFileException _) {
            now = NEVER;
        } catch (IOException e) {
            return unreadable(e);
        }
        if (now.equals(changed)) return 0;
        changed = now;
        fault = null;
        try {
            if (now.equals(NEVER)) {
                use(byDefault());
                return 1;
            }
            if (Files.size(file) > BYTES_MAX) throw new Faulty("it is larger than 1 MiB");
            use(read(Json.read(Files.readString(file))));
        } catch (IOException e) {
            return unreadable(e);
        } catch (Faulty | Json.Unreadable e) {
            fault = String.valueOf(e.getMessage());
        }
        return 1;
    }

    /** An error of the disk may pass without a change of the file: the next sweep reads again. */
    private int unreadable(IOException e) {
        changed = null;
        fault = String.valueOf(e.getMessage());
        return 0;
    }

    private void use(Read next) {
        closeAll(read);
        read = next;
    }

    private void closeAll(Read old) {
        for (var channel : old.channels().values()) {
            if (channel instanceof Webhook one && one != webhook) one.close();
        }
    }

    /** The file has a fault. */
    private static final class Faulty extends RuntimeException {
        private static final long serialVersionUID = 1;

        Faulty(String message) {
            super(message);
        }
    }

    private Read read(JsonNode json) {
        known(json, "the file", "quiet_hours", "channels", "rules");
        var channels = own();
        json.path("channels")
                .properties()
                .forEach(e -> channels.put(e.getKey(), channel(e.getKey(), e.getValue())));
        var rules = new ArrayList<Rule>();
        for (var rule : json.path("rules")) rules.add(rule(rule, channels.keySet()));
        var hours = json.path("quiet_hours");
        return new Read(rules, channels, hours.isMissingNode() ? null : quietHours(hours));
    }

    private static void known(JsonNode json, String where, String... fields) {
        if (!json.isObject()) throw new Faulty(where + " is not an object");
        for (var name : json.propertyNames()) {
            if (!List.of(fields).contains(name)) {
                throw new Faulty(
                        "%s has the unknown field '%s'; the fields are %s"
                                .formatted(where, name, String.join(", ", fields)));
            }
        }
    }

    private DeliverAlerts.Receiver channel(String name, JsonNode json) {
        var where = "the channel " + name;
        known(json, where, "webhook", "secret", "command");
        var command = json.path("command");
        if (command.isArray() && !command.isEmpty()) {
            var words = new ArrayList<String>();
            for (var word : command) words.add(word.asString());
            return new CommandChannel(words, environment);
        }
        var url = json.path("webhook").asString("");
        var secret = json.path("secret").asString("");
        if (!url.startsWith("http://") && !url.startsWith("https://")) {
            throw new Faulty(where + " needs a command of words, or a webhook with an address");
        }
        if (secret.length() < Webhook.SECRET_CHARS_MIN) {
            throw new Faulty(
                    "%s needs a secret of %d characters or more"
                            .formatted(where, Webhook.SECRET_CHARS_MIN));
        }
        try {
            return new Webhook(new Webhook.Target(URI.create(url), secret), clock);
        } catch (IllegalArgumentException e) {
            throw new Faulty(where + " has an invalid address: " + e.getMessage());
        }
    }

    private static Rule rule(JsonNode json, Set<String> channels) {
        known(json, "a rule", "on", "below", "to", "quiet");
        var kinds = EnumSet.noneOf(AlertKind.class);
        for (var word : json.path("on")) kinds.add(constant(AlertKind.class, word.asString()));
        if (kinds.isEmpty()) kinds = EnumSet.allOf(AlertKind.class);
        var to = new ArrayList<String>();
        for (var word : json.path("to")) {
            if (!channels.contains(word.asString())) {
                throw new Faulty(
                        "a rule names the channel '%s'; the channels are %s"
                                .formatted(
                                        word.asString(),
                                        String.join(", ", new TreeSet<>(channels))));
            }
            to.add(word.asString());
        }
        var quiet = constant(Quiet.class, json.path("quiet").asString("wait"));
        return new Rule(kinds, Json.textIfAny(json, "below"), to, quiet);
    }

    private static <E extends Enum<E>> E constant(Class<E> type, String word) {
        for (var constant : type.getEnumConstants()) {
            if (constant.name().toLowerCase(Locale.ROOT).equals(word)) return constant;
        }
        var all = List.of(type.getEnumConstants()).toString().toLowerCase(Locale.ROOT);
        throw new Faulty("'%s' must be one of %s".formatted(word, all));
    }

    private static QuietHours quietHours(JsonNode json) {
        known(json, "quiet_hours", "from", "to", "zone");
        try {
            var zone = Json.textIfAny(json, "zone");
            return new QuietHours(
                    LocalTime.parse(json.path("from").asString("")),
                    LocalTime.parse(json.path("to").asString("")),
                    zone == null ? ZoneId.systemDefault() : ZoneId.of(zone));
        } catch (DateTimeException e) {
            throw new Faulty(
                    "quiet_hours needs from and to as 22:00, and a zone as Europe/Berlin: "
                            + e.getMessage());
        }
    }

    @Override
    public synchronized void close() {
        closeAll(read);
        if (webhook != null) webhook.close();
    }
}
