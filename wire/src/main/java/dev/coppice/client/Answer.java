package dev.coppice.client;

import dev.coppice.wire.Json;
import dev.coppice.wire.Problem;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.stream.Stream;

/** The answer of the coordinator: a value of the type that the call declares, or a problem. */
public record Answer<O>(int status, JsonNode body, Class<O> type) {
    public boolean isGood() {
        return status < 300;
    }

    public O value() {
        if (!isGood()) throw new Refused(problem());
        return Json.as(body, type);
    }

    /** Returns the problem. Of another program's answer, reads only the field {@code error}. */
    public Problem problem() {
        boolean isOurs =
                Stream.of("code", "error", "advice")
                        .allMatch(field -> Json.textIfAny(body, field) != null);
        if (isOurs) return Json.as(body, Problem.class);
        var said = Json.textIfAny(body, "error");
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
}
