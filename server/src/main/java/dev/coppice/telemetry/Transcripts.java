package dev.coppice.telemetry;

import dev.coppice.kernel.SessionId;
import dev.coppice.observe.Observation;
import dev.coppice.run.Ports;
import dev.coppice.usage.ModelUse;
import dev.coppice.usage.ModelUse.Source;
import dev.coppice.usage.NoticedTranscript;
import dev.coppice.usage.RecordUse;
import dev.coppice.usage.Tokens;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Reads what calls of models used from the transcripts that Claude Code and Codex write. Their
 * hooks name the file. It is read only below directories that are known to hold transcripts, and
 * only from where it was read to. Nothing but numbers, ids and names of models is taken from it.
 */
public final class Transcripts implements NoticedTranscript {
    private static final System.Logger LOG = System.getLogger("transcripts");
    private static final int FILES_MAX = 10_000;
    private static final int READ_MAX = 4 * 1024 * 1024;
    private static final int AGENTS_MAX = 1_000;
    private static final int USES_AT_ONCE = 50;

    /** Programs write after they told of it. */
    private static final List<Duration> WAITS =
            List.of(Duration.ofMillis(300), Duration.ofSeconds(3), Duration.ofSeconds(20));

    private static final String SUFFIX = ".jsonl";
    private static final Pattern ROLLOUT =
            Pattern.compile("rollout-\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\d-(.+)");
    private final Ports ports;
    private final RecordUse uses;
    private final Edges edges;
    private final List<Path> roots;
    private final Map<Path, Due> due = new LinkedHashMap<>();

    /** Positions in files; those that were not read for the longest time are forgotten. */
    private final Map<Path, Progress> progress = newest();

    /** The sessions of files of agents, as their first lines say. */
    private final Map<Path, SessionId> writers = newest();

    private static <T> Map<Path, T> newest() {
        return new LinkedHashMap<>(16, 0.75f, true) {
            private static final long serialVersionUID = 1;

            @Override
            protected boolean removeEldestEntry(Map.Entry<Path, T> eldest) {
                return size() > FILES_MAX;
            }
        };
    }

    /** {@code roots} are the directories that hold transcripts. */
    public Transcripts(Ports ports, RecordUse uses, Edges edges, List<Path> roots) {
        this.ports = ports;
        this.uses = uses;
        this.edges = edges;
        this.roots = List.copyOf(roots);
    }

    /** Hears which agent of a program is above another; null for its session itself. */
    public interface Edges {
        void seen(SessionId main, String agent, @Nullable String parent, Instant at);
    }

    /** The session, and its agent if the file is of that agent alone. */
    private record Writer(SessionId main, @Nullable String agent) {}

    /** A file to read, and how often it was read since its program last told of something. */
    private record Due(Writer writer, int times, Instant at) {}

    /** The position in a file, and the model that Codex named last. */
    private record Progress(long offset, String model) {
        static final Progress NONE = new Progress(0, "unknown");
    }

    @Override
    public void noticed(SessionId main, @Nullable String agent, String file) {
        Path path;
        try {
            path = Path.of(file);
        } catch (java.nio.file.InvalidPathException _) {
            return;
        }
        var id = idOf(path);
        boolean isMain = main.value().equals(id);
        if (!path.isAbsolute() || id == null || !(isMain || id.equals(agent))) return;
        var writer = new Writer(main, isMain ? null : agent);
        synchronized (due) {
            var before = due.get(path);
            if (before == null && due.size() >= FILES_MAX) return;
            if (before != null && !before.writer().equals(writer)) return;
            due.put(path, new Due(writer, 0, ports.clock().instant().plus(WAITS.getFirst())));
        }
    }

    /** The id of the session, or of the agent of Codex, that a file is named after. */
    private static @Nullable String idOf(Path file) {
        var name = String.valueOf(file.getFileName());
        if (!name.endsWith(SUFFIX)) return null;
        var stem = name.substring(0, name.length() - SUFFIX.length());
        var rollout = ROLLOUT.matcher(stem);
        return rollout.matches() ? rollout.group(1) : stem;
    }

    /** Reads the files that are due; returns how many. */
    public int sweep() {
        var now = ports.clock().instant();
        var files = new HashMap<Path, Due>();
        synchronized (due) {
            for (var one : Map.copyOf(due).entrySet()) {
                if (one.getValue().at().isAfter(now)) continue;
                files.put(one.getKey(), one.getValue());
                int times = one.getValue().times() + 1;
                if (times == WAITS.size()) due.remove(one.getKey());
                else {
                    var at = now.plus(WAITS.get(times));
                    due.put(one.getKey(), new Due(one.getValue().writer(), times, at));
                }
            }
        }
        files.forEach((file, one) -> read(one.writer(), file));
        return files.size();
    }

    private void read(Writer writer, Path file) {
        var main = writer.main();
        try {
            var real = within(file);
            if (real == null) return;
            if (writer.agent() != null) {
                readAgent(main, writer.agent(), real);
                return;
            }
            read(main, null, real);
            var agents = real.resolveSibling(main.value()).resolve("subagents");
            if (!Files.isDirectory(agents, LinkOption.NOFOLLOW_LINKS)) return;
            try (var list = Files.newDirectoryStream(agents, "agent-*" + SUFFIX)) {
                int count = 0;
                for (var one : list) {
                    if (count++ == AGENTS_MAX) break;
                    var name = String.valueOf(one.getFileName());
                    var agent = name.substring("agent-".length(), name.length() - SUFFIX.length());
                    read(main, agent, one);
                }
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "cannot read " + file, e);
        }
    }

    /** Reads the file of an agent of Codex, which begins with the session and the agent above. */
    private void readAgent(SessionId main, String agent, Path file) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) return;
        if (!main.equals(writers.get(file))) {
            var head = head(file);
            boolean isIts =
                    main.value().equals(Json.textIfAny(head, "session_id"))
                            && agent.equals(Json.textIfAny(head, "id"));
            if (!isIts) return;
            var above = Json.textIfAny(head, "parent_thread_id");
            var parent = main.value().equals(above) ? null : above;
            if (above != null) edges.seen(main, agent, parent, ports.clock().instant());
            writers.put(file, main);
        }
        read(main, agent, file);
    }

    /** What the first line of a file of Codex says of its thread. */
    private static JsonNode head(Path file) throws IOException {
        var bytes = part(file, 0);
        var text = new String(bytes, 0, lastLine(bytes), StandardCharsets.UTF_8);
        var json = Json.valueOf(text.lines().findFirst().orElse(""));
        if (json == null || !"session_meta".equals(Json.textIfAny(json, "type"))) {
            return Json.object();
        }
        return json.path("payload");
    }

    /** The file without links; null if it is in no directory of transcripts. */
    private @Nullable Path within(Path file) throws IOException {
        if (!Files.exists(file)) return null;
        var real = file.toRealPath();
        for (var root : roots) {
            if (Files.isDirectory(root) && real.startsWith(root.toRealPath())) return real;
        }
        return null;
    }

    private void read(SessionId main, @Nullable String agent, Path file) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) return;
        while (true) {
            var from = progress.getOrDefault(file, Progress.NONE);
            // A file that became shorter is another one.
            if (Files.size(file) < from.offset()) from = Progress.NONE;
            var bytes = part(file, from.offset());
            int end = lastLine(bytes);
            if (end == 0) {
                // A line that is longer than a part has no use to tell.
                if (bytes.length < READ_MAX) return;
                progress.put(file, new Progress(from.offset() + bytes.length, from.model()));
                continue;
            }
            var text = new String(bytes, 0, end, StandardCharsets.UTF_8);
            var reading = new Reading(main, agent, from.model());
            text.lines().forEach(reading::line);
            record(main, reading.found);
            progress.put(file, new Progress(from.offset() + end, reading.model));
        }
    }

    private static byte[] part(Path file, long offset) throws IOException {
        try (var in = new RandomAccessFile(file.toFile(), "r")) {
            in.seek(offset);
            var bytes = new byte[(int) Math.min(READ_MAX, Math.max(0, in.length() - offset))];
            in.readFully(bytes);
            return bytes;
        }
    }

    private static int lastLine(byte[] bytes) {
        for (int i = bytes.length; i > 0; i--) if (bytes[i - 1] == '\n') return i;
        return 0;
    }

    /** A use, and the agent that made the call; null for the session itself. */
    private record Found(@Nullable String agent, ModelUse use) {}

    /** In small parts: others write between them. */
    private void record(SessionId main, List<Found> found) {
        for (int from = 0; from < found.size(); from += USES_AT_ONCE) {
            var part = found.subList(from, Math.min(found.size(), from + USES_AT_ONCE));
            ports.transactions()
                    .writeInBackground(() -> {
                        for (var one : part) {
                            if (ports.sessions().find(main).isEmpty()) break;
                            uses.record(node(main, one.agent()), main, one.use());
                        }
                        return part;
                    });
        }
    }

    private SessionId node(SessionId main, @Nullable String agent) {
        var id = agent == null ? null : Observation.node(main, agent);
        return id != null && ports.sessions().find(id).isPresent() ? id : main;
    }

    /** The lines of a file, as far as they tell of uses. */
    private static final class Reading {
        private final SessionId main;
        private final @Nullable String agent;
        private final List<Found> found = new ArrayList<>();
        private String model;

        Reading(SessionId main, @Nullable String agent, String model) {
            this.main = main;
            this.agent = agent;
            this.model = model;
        }

        void line(String line) {
            boolean isUse = line.contains("\"usage\"") || line.contains("\"token_count\"");
            if (!isUse && !line.contains("\"turn_context\"")) return;
            var json = Json.valueOf(line);
            if (json == null) return;
            switch (Json.textIfAny(json, "type")) {
                case "assistant" -> claude(json);
                case "turn_context" -> {
                    var named = Json.textIfAny(json.path("payload"), "model");
                    if (named != null) model = named;
                }
                case "event_msg" -> codex(json);
                case null, default -> {}
            }
        }

        private void claude(JsonNode json) {
            var message = json.path("message");
            var usage = message.path("usage");
            var id = Json.textIfAny(message, "id");
            var named = Json.textIfAny(message, "model");
            if (id == null || named == null || named.equals("<synthetic>")) return;
            var written = usage.path("cache_creation");
            long hour = count(written, "ephemeral_1h_input_tokens");
            var tokens =
                    new Tokens(
                            count(usage, "input_tokens"),
                            count(usage, "output_tokens"),
                            count(usage, "cache_read_input_tokens"),
                            Math.max(0, count(usage, "cache_creation_input_tokens") - hour),
                            hour);
            var key = new ModelUse.Key(id, Json.textIfAny(json, "requestId"));
            var use = new ModelUse(key, named, tokens, null, Source.TRANSCRIPT, at(json));
            found.add(new Found(agent, use));
        }

        /** The sums of Codex grow with each call, so the last one counts. */
        private void codex(JsonNode json) {
            var payload = json.path("payload");
            var sum = payload.path("info").path("total_token_usage");
            if (!"token_count".equals(Json.textIfAny(payload, "type")) || !sum.isObject()) return;
            long cached = count(sum, "cached_input_tokens");
            var tokens =
                    new Tokens(
                            Math.max(0, count(sum, "input_tokens") - cached),
                            count(sum, "output_tokens"),
                            cached,
                            0,
                            0);
            var thread = agent == null ? main.value() : agent;
            var key = new ModelUse.Key("codex:" + thread, null);
            found.add(
                    new Found(
                            agent, new ModelUse(key, model, tokens, null, Source.TOTAL, at(json))));
        }

        private static long count(JsonNode usage, String field) {
            return Math.clamp(usage.path(field).asLong(0), 0, 1_000_000_000_000L);
        }

        private static Instant at(JsonNode json) {
            try {
                return Instant.parse(String.valueOf(Json.textIfAny(json, "timestamp")));
            } catch (DateTimeException _) {
                return Instant.EPOCH;
            }
        }
    }
}
