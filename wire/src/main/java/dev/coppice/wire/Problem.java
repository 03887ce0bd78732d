package dev.coppice.wire;

import static java.util.stream.Collectors.joining;

import com.fasterxml.jackson.annotation.JsonInclude;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;

/**
 * The reason why a request failed, as problem+json with the detail that older clients read. The
 * kind is one of three: {@code validation_error}, {@code security_error} (work would be lost) or
 * {@code operation_error}.
 */
public record Problem(
        @Field("the kind of problem as a URI") String type,
        @Field("the kind of problem") String title,
        @Field("the HTTP status") int status,
        @Field(value = "the kind of problem, for programs", example = "session_unknown")
                String code,
        @Field("validation_error, security_error or operation_error") String kind,
        @Field("the problem in the form of the original: a sentence, or an object")
                @Nullable JsonNode detail,
        @Field("the refusal and its reason") String error,
        @Field("what to do about it") String advice,
        @JsonInclude(JsonInclude.Include.NON_NULL)
                @Field("the cause, if the code has several; for programs")
                @Nullable String cause,
        @JsonInclude(JsonInclude.Include.NON_NULL)
                @Field("on the paths of the originals, the removal that took what is missing")
                @Nullable String gone) {
    public static final String MEDIA_TYPE = "application/problem+json";

    public JsonNode detailOrEmpty() {
        return detail == null || !detail.isObject() ? Json.object() : detail;
    }

    /** The advice, in the words of the command line. */
    public String commandAdvice() {
        boolean hasObjections = detailOrEmpty().path("refusals").isArray();
        if (!code.equals(Code.REMOVAL_FORBIDDEN.word()) || !hasObjections) {
            return Code.forCommands(cause == null ? code : cause, advice);
        }
        return Json.as(detailOrEmpty(), RefusalsDetail.class).refusals().stream()
                .map(o -> Code.forCommands(o.code(), o.advice()))
                .distinct()
                .collect(joining(" "));
    }

    /** The refusal and its advice for the command line, in one line. */
    public String inOneLine() {
        var commands = commandAdvice();
        return commands.isEmpty() ? error : error + ". " + commands;
    }

    /** The detail of a refused removal. */
    public record KindDetail(String error, String message) {}

    /** The detail of a removal that its plan forbids. */
    public record RefusalsDetail(
            String error, String message, String sessionId, List<ObjectionDetail> refusals) {}

    /** An objection to a removal. */
    public record ObjectionDetail(String code, String said, String advice, List<String> named) {}

    /** The detail of a session that was removed. */
    public record RemovedDetail(String error, String message, String sessionId, String removalId) {}

    /** The detail of a runner that is registered already. */
    public record RunnerDetail(String error, String message, String runnerId) {}

    /** The detail of parameters that violate their schema. */
    public record ParametersDetail(
            String error,
            String message,
            String agentName,
            JsonNode validationErrors,
            JsonNode parametersSchema) {}
}
