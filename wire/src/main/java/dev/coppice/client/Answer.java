package dev.coppice.client;

import dev.coppice.wire.Json;
import dev.coppice.wire.Problem;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/** The answer of the coordinator: a value of the type that the call declares, or a problem. */
public record Answer<O>(int status, JsonNode body, Class<O> type) {
    public boolean isGood() {
        return status < 300;
    }

    public O value() {
        if (!isGood()) throw new Refused(problem());
        return Json.as(body, type);
    }

    public Problem problem() {
        var problem = Json.as(body, Problem.class);
        if (problem.error() != null) return problem;
        var error = "the coordinator answered " + status;
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
