package dev.coppice.programs;

import com.sun.net.httpserver.HttpExchange;

import dev.coppice.client.Pause;
import dev.coppice.wire.Json;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.LongStream;

/** The script of a conversation, and how many of its calls were made. */
record Script(List<String> lines, String first, int done, boolean isNewest) {
    /** {@code said} has what was said, in order: a text of the user, or null for calls. */
    static Script of(List<@Nullable String> said) {
        var lines = List.<String>of();
        var first = "";
        boolean isNewest = true;
        int done = 0;
        for (var text : said) {
            if (text == null) {
                done++;
                continue;
            }
            if (text.startsWith("<")) continue;
            first = text.lines().findFirst().orElse("");
            var script = text.lines().map(String::strip).filter(l -> l.startsWith("!")).toList();
            isNewest = !script.isEmpty();
            if (!isNewest) continue;
            lines = script;
            done = 0;
        }
        return new Script(lines, first, done, isNewest);
    }

    /** {@code mark} is in each message of the model that calls a tool. */
    static Script of(JsonNode messages, String content, String mark) {
        var said = new ArrayList<@Nullable String>();
        for (var message : messages) {
            if ("user".equals(Json.text(message, "role"))) texts(message.path(content), said);
            else if (message.toString().contains(mark)) said.add(null);
        }
        return of(said);
    }

    /** Pauses as scripted. A request without tools is for something else, such as a title. */
    @Nullable String callAfterPause(JsonNode body) throws InterruptedException {
        pause();
        return body.path("tools").isEmpty() ? null : call();
    }

    @Nullable String call() {
        var calls = lines.stream().filter(line -> line.startsWith("!call ")).toList();
        return done < calls.size() ? calls.get(done) : null;
    }

    /** The rest of the last line with this word; null if there is none. */
    @Nullable String value(String word) {
        return lines.stream()
                .filter(line -> line.startsWith("!" + word + " "))
                .map(line -> line.substring(word.length() + 2))
                .reduce((_, last) -> last)
                .orElse(null);
    }

    /** The status and kind of a failure, which may come only after the calls. */
    @Nullable String failure() {
        var later = call() == null ? value("failafter") : null;
        return later == null ? value("fail") : later;
    }

    /** A script that was interrupted for another prompt spends no more. */
    long spend(int at, long fallback) {
        return isNewest ? number("spend", at, fallback) : fallback;
    }

    long number(String word, int at, long fallback) {
        var value = value(word);
        return value == null ? fallback : Long.parseLong(value.split(" ", -1)[at]);
    }

    String say() {
        var say = value("say");
        return say == null ? "heard: " + first : say;
    }

    /** Waits as the pauses before the next call, or before the end, say. */
    void pause() throws InterruptedException {
        int calls = 0;
        for (var line : lines) {
            if (line.startsWith("!call ")) calls++;
            if (line.startsWith("!pause ") && calls == done) {
                Pause.of(Duration.ofMillis(Long.parseLong(line.substring(7).strip())));
            }
        }
    }

    /** The parts of an answer, which come slowly if the script says so. */
    Iterable<String> parts() {
        long n = number("stream", 0, 0);
        if (n == 0) return List.of(say());
        long millis = number("stream", 1, 10);
        return () ->
                LongStream.range(0, n)
                        .mapToObj(i -> {
                            try {
                                Pause.of(Duration.ofMillis(millis));
                                return i + " ";
                            } catch (InterruptedException e) {
                                throw new IllegalStateException(e);
                            }
                        })
                        .iterator();
    }

    /** Fails as the script says; returns false if it does not. */
    boolean fails(HttpExchange x) throws IOException {
        var failure = failure();
        if (failure == null) return false;
        var words = failure.split(" ", -1);
        var error = Map.of("type", words[1], "message", "as scripted");
        ScriptedModel.send(x, Integer.parseInt(words[0]), Map.of("type", "error", "error", error));
        return true;
    }

    static void texts(JsonNode content, List<@Nullable String> into) {
        if (content.isString()) into.add(content.asString());
        for (var block : content) {
            if (block.hasNonNull("text")) into.add(block.get("text").asString());
            // An agent of Codex gets its task so, although only a remote model would encrypt it.
            var task = Json.text(block, "encrypted_content");
            if (task != null) into.add(task);
        }
    }

    static String arguments(String call) {
        int brace = call.indexOf('{');
        return brace < 0 ? "{}" : call.substring(brace);
    }

    /** The name of the tool that a call uses. */
    static String tool(String call) {
        return call.split(" ", -1)[1];
    }
}
