package dev.coppice.meter;

import dev.coppice.kernel.SessionId;
import dev.coppice.run.Ports;
import dev.coppice.usage.NoticedTranscript;
import dev.coppice.usage.RecordUse;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;

/**
 * Reads what calls of models used from the transcripts that Claude Code, Codex and Gemini write.
 * Their hooks name the file. It is read only below directories that are known to hold transcripts,
 * and each part only once. Only numbers, ids and names of models are taken from it.
 */
public final class Transcripts implements NoticedTranscript {
    private static final System.Logger LOG = System.getLogger("transcripts");
    private static final int FILES_MAX = 10_000;
    private static final int READ_MAX = 4 * 1024 * 1024;

    /** The rest of a file is read at the next look: other files wait, and a file may be endless. */
    private static final int READS_AT_ONCE = 64;

    private static final int AGENTS_MAX = 1_000;
    private static final int USES_AT_ONCE = 50;

    /** Programs write to the file after their hook has named it. */
    private static final List<Duration> WAITS =
            List.of(Duration.ofMillis(300), Duration.ofSeconds(3), Duration.ofSeconds(20));

    private static final String SUFFIX = ".jsonl";
    private static final Pattern ROLLOUT =
            Pattern.compile("rollout-\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-\\d\\d-(.+)");

    /** Gemini names a file after the first part of the id of its session. */
    private static final Pattern CHAT =
            Pattern.compile("session-\\d{4}-\\d\\d-\\d\\dT\\d\\d-\\d\\d-([0-9a-f]{8})");

    private final Ports ports;
    private final RecordUse uses;
    private final Edges edges;
    private final List<Path> roots;
    private final Map<Source, Due> due = new LinkedHashMap<>();

    /** Positions in files; those that were not read for the longest time are forgotten. */
    private final Map<Path, Progress> progress = newest();

    /** The sessions to which files belong, by their first lines, or by their directories. */
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

    /** Receives the parent of an agent; null if that is the session itself. */
    public interface Edges {
        void seen(SessionId main, String agent, @Nullable String parent, Instant at);
    }

    /** The session, and its agent if the file is of that agent alone. */
    private record Writer(SessionId main, @Nullable String agent) {}

    /** A file, and the session or agent that has written it according to a hook. */
    private record Source(Path file, Writer writer) {}

    /** How often a file was read since a hook last named it, and when it is read next. */
    private record Due(int times, Instant at) {}

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
        boolean isMain = main.value().equals(id) || isChat(path, main);
        if (!path.isAbsolute() || id == null || !(isMain || id.equals(agent))) return;
        var source = new Source(path, new Writer(main, isMain ? null : agent));
        int max = isThere(path) ? FILES_MAX : FILES_MAX / 2;
        synchronized (due) {
            if (!due.containsKey(source) && due.size() >= max) return;
            due.put(source, new Due(0, ports.clock().instant().plus(WAITS.getFirst())));
        }
    }

    /** True if the file exists among transcripts. Half of the places are only for such files. */
    private boolean isThere(Path file) {
        try {
            return within(file) != null;
        } catch (IOException _) {
            return false;
        }
    }

    /** The id of the session, or of the agent of Codex, that a file is named after. */
    private static @Nullable String idOf(Path file) {
        if (!String.valueOf(file.getFileName()).endsWith(SUFFIX)) return null;
        var stem = stem(file);
        var rollout = ROLLOUT.matcher(stem);
        return rollout.matches() ? rollout.group(1) : stem;
    }

    private static boolean isChat(Path file, SessionId main) {
        var chat = CHAT.matcher(String.valueOf(idOf(file)));
        return chat.matches() && main.value().startsWith(chat.group(1) + "-");
    }

    /** Reads the files that are due; returns how many. */
    public int sweep() {
        var now = ports.clock().instant();
        var files = new ArrayList<Source>();
        synchronized (due) {
            for (var one : Map.copyOf(due).entrySet()) {
                if (one.getValue().at().isAfter(now)) continue;
                files.add(one.getKey());
                int times = one.getValue().times() + 1;
                if (times == WAITS.size()) due.remove(one.getKey());
                else due.put(one.getKey(), new Due(times, now.plus(WAITS.get(times))));
            }
        }
        files.forEach(one -> read(one.writer(), one.file()));
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
            if (isChat(real, main)) {
                readChat(main, real);
                return;
            }
            read(main, null, real);
            var own = real.resolveSibling(main.value());
            for (var one : files(own.resolve("subagents"), "agent-")) {
                read(main, stem(one).substring("agent-".length()), one);
            }
        } catch (IOException e) {
            LOG.log(System.Logger.Level.DEBUG, "cannot read " + file, e);
        }
    }

    /** Reads the file of a session of Gemini, and those of its agents. */
    private void readChat(SessionId main, Path file) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) return;
        if (!main.equals(writers.get(file))) {
            if (!main.value().equals(Json.textIfAny(head(file), "sessionId"))) return;
            writers.put(file, main);
        }
        read(main, null, file);
        for (var one : files(file.resolveSibling(main.value()), "")) {
            if (!main.equals(writers.put(one, main))) {
                edges.seen(main, stem(one), null, ports.clock().instant());
            }
            read(main, stem(one), one);
        }
    }

    private static List<Path> files(Path directory, String prefix) throws IOException {
        var found = new ArrayList<Path>();
        if (!Files.isDirectory(directory, LinkOption.NOFOLLOW_LINKS)) return found;
        try (var list = Files.newDirectoryStream(directory, prefix + "*" + SUFFIX)) {
            for (var one : list) {
                if (found.size() == AGENTS_MAX) break;
                found.add(one);
            }
        }
        return found;
    }

    private static String stem(Path file) {
        var name = String.valueOf(file.getFileName());
        return name.substring(0, name.length() - SUFFIX.length());
    }

    /** Reads the file of an agent of Codex, which begins with the session and the agent above. */
    private void readAgent(SessionId main, String agent, Path file) throws IOException {
        if (!Files.isRegularFile(file, LinkOption.NOFOLLOW_LINKS)) return;
        if (!main.equals(writers.get(file))) {
            var meta = head(file);
            if (!"session_meta".equals(Json.textIfAny(meta, "type"))) return;
            var head = meta.path("payload");
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

    /** Returns the first line of a file, in which Codex and Gemini name its owner. */
    private static JsonNode head(Path file) throws IOException {
        var bytes = part(file, 0);
        var text = new String(bytes, 0, lastLine(bytes), StandardCharsets.UTF_8);
        var json = Json.valueOf(text.lines().findFirst().orElse(""));
        return json == null ? Json.object() : json;
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
        for (int reads = 0; reads < READS_AT_ONCE; reads++) {
            var from = progress.getOrDefault(file, Progress.NONE);
            // A file that became shorter was replaced.
            if (Files.size(file) < from.offset()) from = Progress.NONE;
            var bytes = part(file, from.offset());
            int end = lastLine(bytes);
            if (end == 0) {
                // A line that is longer than a part contains no use.
                if (bytes.length < READ_MAX) return;
                progress.put(file, new Progress(from.offset() + bytes.length, from.model()));
                continue;
            }
            var text = new String(bytes, 0, end, StandardCharsets.UTF_8);
            var lines = new TranscriptLines(main, agent, from.model());
            text.lines().forEach(lines::line);
            record(main, lines.found());
            progress.put(file, new Progress(from.offset() + end, lines.model()));
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

    /** Writes in small parts, so that other callers can write between them. */
    private void record(SessionId main, List<TranscriptLines.Found> found) {
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
        var id = agent == null ? null : main.agent(agent).orElse(null);
        return id != null && ports.sessions().find(id).isPresent() ? id : main;
    }
}
