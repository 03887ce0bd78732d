package dev.coppice.cli;

import dev.coppice.client.Answer;
import dev.coppice.client.CoppiceClient;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;

/** The way to the coordinator: what the environment says, else what the data directory holds. */
final class Connection {
    private static final Duration SILENCE_MAX = Duration.ofHours(2);
    private final CoppiceClient client;
    private final Map<String, String> surroundings = new LinkedHashMap<>();

    private Connection(CoppiceClient client, Console console) {
        this.client = client;
        inherit(console, "AGENT_SESSION_ID", "X-Agent-Session-Id");
        inherit(console, "AGENT_SESSION_NAME", "X-Agent-Session-Name");
    }

    /** The coordinator said no. */
    static final class Refused extends RuntimeException {
        private static final long serialVersionUID = 1;
        private final int status;
        private final @Nullable String advice;

        Refused(Answer<JsonNode> answer) {
            super(answer.error());
            this.status = answer.status();
            this.advice = answer.advice();
        }

        int status() {
            return status;
        }

        @Nullable String advice() {
            return advice;
        }

        /** What was refused and what to do next, in one line. */
        String told() {
            return advice == null ? String.valueOf(getMessage()) : getMessage() + ". " + advice;
        }
    }

    static Path data(Args args, Console console) {
        var said = args.value("data");
        var set = said == null ? console.env("COPPICE_DATA") : said;
        if (set != null) return Path.of(set);
        // What the shell calls ~, which the JDK may know by another name.
        var home = console.env("HOME");
        return Path.of(home == null ? System.getProperty("user.home") : home, ".coppice");
    }

    static Connection open(Args args, Console console) {
        var data = data(args, console);
        var url = console.env("COPPICE_URL");
        if (url == null || args.has(Option.DATA)) url = content(data.resolve("url"));
        var token = console.env("COPPICE_TOKEN");
        if (token == null || args.has(Option.DATA)) token = content(data.resolve("token"));
        return new Connection(
                new CoppiceClient(
                        URI.create(url == null ? "http://127.0.0.1:8765" : url),
                        token == null ? "none" : token),
                console);
    }

    private static @Nullable String content(Path file) {
        try {
            return Files.isReadable(file) ? Files.readString(file).strip() : null;
        } catch (IOException e) {
            throw new UncheckedIOException("reading " + file, e);
        }
    }

    private void inherit(Console console, String variable, String header) {
        var value = console.env(variable);
        if (value != null) surroundings.put(header, value);
    }

    CoppiceClient client() {
        return client;
    }

    JsonNode get(String path) {
        return good(client.call("GET", path, null, surroundings));
    }

    /** Everything in a list that comes in pages; the path has a question mark already. */
    List<JsonNode> pages(String path, String what) {
        var all = new ArrayList<JsonNode>();
        var next = "";
        while (true) {
            var page = get(path + next);
            page.get(what).forEach(all::add);
            if (!page.hasNonNull("next")) return all;
            next = "&after=" + part(String.valueOf(Json.text(page, "next")));
        }
    }

    JsonNode getPatiently(String path) {
        return good(client.getPatiently(path));
    }

    JsonNode post(String path, Object body) {
        return good(client.call("POST", path, body, surroundings));
    }

    /** What takes as long as it takes, and says nothing until it is done. */
    JsonNode postPatiently(String path, Object body) {
        return good(client.patient(SILENCE_MAX).post(path, body));
    }

    JsonNode put(String path, Object body) {
        return good(client.call("PUT", path, body, surroundings));
    }

    void download(String path, Path to) {
        var part = to.resolveSibling(to.getFileName() + ".part");
        try {
            try (var out = Files.newOutputStream(part)) {
                var refused = client.download(path, out);
                if (refused != null) throw new Refused(refused);
            }
            Files.move(part, to, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException("writing " + to, e);
        } finally {
            leave(part);
        }
    }

    /** What is not whole is nobody's file. */
    private static void leave(Path part) {
        try {
            Files.deleteIfExists(part);
        } catch (IOException e) {
            throw new UncheckedIOException("deleting " + part, e);
        }
    }

    /**
     * The id of a removal, given as such or as the name of a session. Of several removals of that
     * name it is the latest wanted one. If none is wanted it is the latest, so that the coordinator
     * can say why that one does not fit.
     */
    String removal(String said, Predicate<JsonNode> wanted) {
        if (said.startsWith("rem_")) return said;
        String latest = null;
        for (var removal : pages("/removals?limit=1000", "removals")) {
            if (!said.equals(Json.text(removal, "session_name"))) continue;
            var id = String.valueOf(Json.text(removal, "removal_id"));
            if (wanted.test(removal)) return id;
            if (latest == null) latest = id;
        }
        return latest == null ? said : latest;
    }

    /** Someone who was removed: by which removal, and what it is called in it. */
    record Gone(String removal, String id, String name) {}

    /** Whoever has this name, or this id, and was removed; nothing when nobody was. */
    @Nullable Gone gone(String said) {
        for (var path : List.of("/sessions/by-name/", "/sessions/")) {
            var answer = client.get(path + part(said));
            if (answer.status() != 410) continue;
            var removal = String.valueOf(Json.text(answer.body().path("detail"), "removal_id"));
            for (var member :
                    pages("/removals/" + part(removal) + "/sessions?limit=1000", "sessions")) {
                var id = String.valueOf(Json.text(member, "session_id"));
                var name = String.valueOf(Json.text(member, "session_name"));
                if (said.equals(id) || said.equals(name)) return new Gone(removal, id, name);
            }
        }
        return null;
    }

    private static JsonNode good(Answer<JsonNode> answer) {
        if (!answer.isGood()) throw new Refused(answer);
        return answer.body();
    }

    /** A session by what people type: mostly its name, sometimes its id. */
    JsonNode session(String nameOrId) {
        var named = client.get("/sessions/by-name/" + part(nameOrId));
        if (named.isGood()) return named.body().get("session");
        if (named.status() != 404) throw new Refused(named);
        return get("/sessions/" + part(nameOrId)).get("session");
    }

    String id(String nameOrId) {
        return String.valueOf(Json.text(session(nameOrId), "session_id"));
    }

    static String part(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }
}
