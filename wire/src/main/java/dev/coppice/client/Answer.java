package dev.coppice.client;

import dev.coppice.wire.Json;
import dev.coppice.wire.Problem;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.nio.charset.StandardCharsets;
import java.util.stream.Stream;

/** The answer of the coordinator: a value of the type that the call declares, or a problem. */
public final class Answer<O> {
    private final int status;
    private final Class<O> type;
    private final byte[] text;

    /** The parsed value, if the text is plain JSON; a tree is made only if a command asks. */
    private final @Nullable Object plain;

    private @Nullable JsonNode tree;

    private Answer(int status, Class<O> type, byte[] text) {
        this.status = status;
        this.type = type;
        this.text = text;
        var decoded = new String(text, StandardCharsets.UTF_8);
        // Bytes that are no text are replaced; Jackson refuses them.
        this.plain = decoded.indexOf('\ufffd') < 0 ? PlainJson.read(decoded) : null;
        if (plain == null) this.tree = text.length == 0 ? Json.object() : Json.read(text);
    }

    /** Throws {@link Json.Unreadable} if the text is no JSON; an empty one is an empty object. */
    static <O> Answer<O> of(int status, byte[] text, Class<O> type) {
        return new Answer<>(status, type, text);
    }

    public int status() {
        return status;
    }

    public JsonNode body() {
        var known = tree;
        if (known == null) {
            known = Json.read(text);
            tree = known;
        }
        return known;
    }

    /** The answer as JSON on one line; that of a coordinator as it was answered. */
    public String text() {
        var answered = new String(text, StandardCharsets.UTF_8);
        return plain == null || answered.indexOf('\n') >= 0 ? body().toString() : answered;
    }

    public boolean isGood() {
        return status < 300;
    }

    public O value() {
        if (!isGood()) throw new Refused(problem());
        var made = plain == null ? null : Reading.as(plain, type);
        return made == null ? Json.as(body(), type) : made;
    }

    /** Returns the problem. Of another program's answer, reads only the field {@code error}. */
    public Problem problem() {
        boolean isOurs =
                Stream.of("code", "error", "advice")
                        .allMatch(field -> Json.textIfAny(body(), field) != null);
        if (isOurs) return Json.as(body(), Problem.class);
        var said = Json.textIfAny(body(), "error");
        var error = said == null || said.isBlank() ? "the coordinator answered " + status : said;
        return new Problem("", "", status, "", "", null, error, "", null, null);
    }

    /** The sentence that describes the problem. */
    public String error() {
        return problem().error();
    }

    public @Nullable String advice() {
        return problem().advice();
    }

    /** True if the problem has this code. */
    public boolean says(String code) {
        return code.equals(problem().code());
    }

    @Override
    public String toString() {
        return status + " " + text();
    }
}
