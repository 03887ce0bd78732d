package dev.coppice.http;

import static org.assertj.core.api.Assertions.assertThat;

import dev.coppice.access.Role;
import dev.coppice.kernel.SessionId;
import dev.coppice.web.Route;
import dev.coppice.wire.Call;
import dev.coppice.wire.Json;
import dev.coppice.wire.Method;
import dev.coppice.wire.Shape;

import org.junit.jupiter.api.Test;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;

/**
 * Every endpoint against every caller. The table is made by asking a real coordinator; a new
 * endpoint is a new line, and fails here until someone has looked at who may call it.
 */
class WhoMayTest {
    private static final Path PAGE =
            Path.of(System.getProperty("coppice.root", "..")).resolve("docs/who-may.md");
    private static final HttpClient HTTP =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    /** A caller and the session it asks about. */
    private record Asking(String token, String session) {}

    /** What was made for the sessions, by session. */
    private record Known(Map<String, String> runs, Map<String, String> callbacks) {}

    @Test
    void every_endpoint_answers_every_caller_as_the_page_says() throws IOException {
        try (var server = new Caller()) {
            for (var name : List.of("top", "self", "below", "stranger")) {
                var parent =
                        switch (name) {
                            case "self" -> ",\"parent_session_name\":\"top\"";
                            case "below" -> ",\"parent_session_name\":\"self\"";
                            default -> "";
                        };
                server.post(
                        "/runs",
                        "{\"session_id\":\"%s\",\"session_name\":\"%s\",\"prompt\":\"x\"%s}"
                                .formatted(name, name, parent));
            }
            var page = page(server);
            if (Boolean.getBoolean("coppice.rewrite")) Files.writeString(PAGE, page);
            assertThat(PAGE)
                    .as("rewrite it with: mvn -pl server -am test -Dcoppice.rewrite=true")
                    .content()
                    .isEqualToNormalizingNewlines(page);
        }
    }

    private static Map<String, Asking> callers(Caller server) {
        var tokens = server.coordinator().tokens();
        var callers = new LinkedHashMap<String, Asking>();
        callers.put("nobody", new Asking("", "self"));
        for (var role : List.of(Role.VIEWER, Role.RUNNER, Role.OPERATOR, Role.ADMIN)) {
            callers.put(
                    role.name().toLowerCase(java.util.Locale.ROOT),
                    new Asking(tokens.issue(dev.coppice.access.Caller.as(role)), "self"));
        }
        var agent =
                server.coordinator().token(dev.coppice.access.Caller.agent(new SessionId("self")));
        callers.put("agent: itself", new Asking(agent, "self"));
        callers.put("agent: below", new Asking(agent, "below"));
        callers.put("agent: above", new Asking(agent, "top"));
        callers.put("agent: stranger", new Asking(agent, "stranger"));
        return callers;
    }

    private static String page(Caller server) {
        var callers = callers(server);
        var runs = new LinkedHashMap<String, String>();
        for (var run : server.get("/runs").get("runs"))
            runs.put(Json.text(run, "session_id"), Json.text(run, "run_id"));
        var callbacks = new LinkedHashMap<String, String>();
        for (var session : runs.keySet()) {
            var said = server.post("/sessions/" + session + "/messages", "{\"text\":\"x\"}");
            callbacks.put(session, Json.text(said, "callback_id"));
        }
        var known = new Known(runs, callbacks);
        var page =
                new StringBuilder(
                        "# Who may call what\n\n"
                            + "Made by asking: `401` no token, `403` not allowed, `404` unknown to"
                            + " this caller, `may` anything else.\n\n");
        page.append("| endpoint | ")
                .append(String.join(" | ", callers.keySet()))
                .append(" |\n|---|")
                .append("---|".repeat(callers.size()))
                .append('\n');
        var routes = new ArrayList<>(server.coordinator().routes());
        routes.sort((a, b) -> (a.path() + a.method()).compareTo(b.path() + b.method()));
        for (var route : routes) {
            page.append("| ")
                    .append(route.method())
                    .append(' ')
                    .append(route.path().replace("{", "&#123;").replace("}", "&#125;"));
            for (var asking : callers.values())
                page.append(" | ").append(asked(server, route, asking, known));
            page.append(" |\n");
        }
        return page.toString();
    }

    private static String asked(Caller server, Route route, Asking asking, Known known) {
        var path =
                route.path()
                        .replace("{session_id}", asking.session())
                        .replace("{runner_id}", "none")
                        .replace(
                                "{callback_id}",
                                String.valueOf(known.callbacks().get(asking.session())))
                        .replace("{join_id}", "none")
                        .replace("{stop_id}", "none")
                        .replace("{removal_id}", "none")
                        .replace("{account}", "none")
                        .replace("{errand_id}", "none")
                        .replace("{file}", "none")
                        .replace("{run_id}", String.valueOf(known.runs().get(asking.session())));
        path =
                path.replace(
                        "{name}", route.path().startsWith("/sessions") ? asking.session() : "none");
        var request =
                HttpRequest.newBuilder(URI.create(server.coordinator().url() + path))
                        .timeout(Duration.ofSeconds(20));
        if (!asking.token().isEmpty()) request.header("Authorization", "Bearer " + asking.token());
        var body =
                route.method() == Method.GET || route.method() == Method.DELETE
                        ? HttpRequest.BodyPublishers.noBody()
                        : HttpRequest.BodyPublishers.ofString(body(route));
        request.method(route.method().name(), body);
        // A stream never ends; its beginning is enough.
        var answer =
                HTTP.sendAsync(request.build(), HttpResponse.BodyHandlers.ofInputStream())
                        .orTimeout(20, TimeUnit.SECONDS)
                        .join();
        try (var in = answer.body()) {
            if (answer.statusCode() < 400) return "may";
            return word(answer.statusCode(), Json.read(in.readAllBytes()));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /** What the call requires, so that the answer is about the caller and not about the body. */
    private static String body(Route route) {
        var body = Json.object();
        for (var part : Shape.of(route.call().input()).flat()) {
            boolean sent = route.call().where(part) == Call.Where.BODY && part.isRequired();
            if (sent && part.type() == String.class) body.put(part.name(), part.field().example());
            if (sent && part.name().equals("children")) body.putArray("children").add("below");
        }
        return body.toString();
    }

    private static String word(int status, JsonNode problem) {
        return switch (String.valueOf(Json.text(problem, "code"))) {
            case "token_missing" -> "401";
            case "not_allowed" -> "403";
            case "session_unknown",
                    "run_unknown",
                    "callback_unknown",
                    "join_unknown",
                    "stop_unknown" ->
                    "404";
            default -> {
                assertThat(status).as(problem.toString()).isIn(400, 401, 404, 409, 501);
                yield "may";
            }
        };
    }
}
