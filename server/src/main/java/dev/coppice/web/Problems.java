package dev.coppice.web;

import dev.coppice.kernel.BlueprintRefusal;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RemovalRefusal;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.RunRefusal;
import dev.coppice.request.Reply;
import dev.coppice.request.Wording;
import dev.coppice.wire.Call;
import dev.coppice.wire.Code;
import dev.coppice.wire.Json;
import dev.coppice.wire.Problem;
import dev.coppice.wire.Shape;
import dev.coppice.wire.run.RunCalls;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.LinkedHashMap;
import java.util.Map;

/** Makes problem bodies of refusals; no other code does. */
public final class Problems {
    private static final String TYPE = "https://coppice.dev/problems/";

    private Problems() {}

    /** The answer for an unknown path. */
    public static Reply nothingAt(String path) {
        var shown = Credentials.masked(path);
        return reply(Code.PATH_UNKNOWN, "There is nothing at '%s'".formatted(shown));
    }

    static Reply reply(Refusal refusal) {
        return reply(problem(refusal, Wording.REST), Problem.MEDIA_TYPE);
    }

    static Reply reply(Refusal refusal, Manner manner, Call<?, ?> call) {
        return manner == Manner.OURS
                ? reply(refusal)
                : reply(ofOlder(refusal, call), "application/json");
    }

    /** The form of a problem. */
    enum Manner {
        OURS,
        /** The status and the {@code detail} that older clients expect. */
        OLDER;

        static Manner of(Call<?, ?> call, @Nullable String accept) {
            boolean asksForOurs = accept != null && accept.contains(Problem.MEDIA_TYPE);
            return call.is(Call.Trait.OLDER) && !asksForOurs ? OLDER : OURS;
        }
    }

    private static Problem ofOlder(Refusal refusal, Call<?, ?> call) {
        var ours = problem(refusal, Wording.REST);
        var removed = refusal instanceof RemovalRefusal.SessionRemoved r ? r.removal() : null;
        boolean wasObject = ours.detailOrEmpty().has("error") && !isOurs(refusal);
        return new Problem(
                ours.type(),
                ours.title(),
                olderStatus(refusal, ours.status(), call),
                ours.code(),
                ours.kind(),
                wasObject ? ours.detail() : Json.tree(refusal.said()),
                ours.error(),
                ours.advice(),
                ours.cause(),
                removed);
    }

    /** True for refusals that older clients read as a sentence, or do not know. */
    private static boolean isOurs(Refusal refusal) {
        return refusal instanceof RemovalRefusal || isFieldMissing(refusal);
    }

    /** True for a missing field, which older clients distinguish from a bad value. */
    private static boolean isFieldMissing(Refusal refusal) {
        return refusal instanceof BlueprintRefusal.ParametersInvalid invalid
                && invalid.presence() == BlueprintRefusal.Presence.ABSENT;
    }

    private static int olderStatus(Refusal refusal, int ours, Call<?, ?> call) {
        return switch (refusal) {
            case RemovalRefusal.SessionRemoved _ -> 404;
            // Older clients expect 422 for a field of the wrong type, but 400 for a whole document
            // or file.
            case RequestRefusal.BadValue _, RequestRefusal.FieldUnknown _ ->
                    hasDocument(call) ? 400 : 422;
            case BlueprintRefusal.ParametersInvalid _ -> isFieldMissing(refusal) ? 422 : ours;
            // Older clients expect 400 as the answer to a request for a run with unknown
            // references.
            case BlueprintRefusal.ReferenceUnknown _ -> call.equals(RunCalls.START) ? 400 : ours;
            default -> ours;
        };
    }

    private static boolean hasDocument(Call<?, ?> call) {
        return Shape.of(call.input()).flat().stream()
                .anyMatch(part ->
                        call.where(part) == Call.Where.WHOLE_BODY
                                || part.name().equals(Upload.FILE));
    }

    public static Problem problem(Refusal refusal, Wording wording) {
        var row = Code.named(refusal.code());
        var code = row.word();
        var cause = refusal.cause();
        return new Problem(
                TYPE + code,
                code.replace('_', ' '),
                row.status(),
                code,
                row.kind(),
                detail(refusal, row.kind(), wording),
                refusal.said(),
                wording.advice(refusal),
                cause == null ? null : Shape.word(cause),
                null);
    }

    /** The answer to a request that reaches no command, or is not carried out. */
    static Reply reply(Code row, String said) {
        return reply(row, row.status(), said);
    }

    static Reply reply(Code row, int status, String said) {
        var code = row.word();
        return reply(
                new Problem(
                        TYPE + code,
                        code.replace('_', ' '),
                        status,
                        code,
                        row.kind(),
                        Json.tree(said),
                        said,
                        row.rest(),
                        null,
                        null),
                Problem.MEDIA_TYPE);
    }

    private static Reply reply(Problem problem, String mediaType) {
        return new Reply.Text(problem.status(), mediaType, Json.write(problem));
    }

    /** The object that tells older clients an error; {@code fields} alternates names and values. */
    private static Map<String, Object> told(String error, String message, Object... fields) {
        var told = new LinkedHashMap<String, Object>();
        told.put("error", error);
        told.put("message", message);
        for (int i = 0; i < fields.length; i += 2) told.put(fields[i].toString(), fields[i + 1]);
        return told;
    }

    private static Problem.ObjectionDetail objection(RemovalRefusal.Objection o, Wording wording) {
        return new Problem.ObjectionDetail(
                Shape.word(o.kind()), o.said(), wording.advice(o.kind()), o.named());
    }

    /** The field that older clients read: a sentence, or an object. */
    private static JsonNode detail(Refusal refusal, String kind, Wording wording) {
        var said = refusal.said();
        Object detail =
                switch (refusal) {
                    case BlueprintRefusal.ParametersInvalid(
                                    _,
                                    var agent,
                                    var violations,
                                    var schema,
                                    _) ->
                            new Problem.ParametersDetail(
                                    "parameter_validation_failed",
                                    said,
                                    agent,
                                    Json.tree(violations),
                                    Json.read(schema.value()));
                    case BlueprintRefusal.ReferenceUnknown(var by, var what, var name)
                            when what == BlueprintRefusal.Registered.SCRIPT ->
                            told("script_not_found", said, "agent_name", by, "script_name", name);
                    case BlueprintRefusal.ReferenceUnknown(_, var what, var name)
                            when what == BlueprintRefusal.Registered.MCP_SERVER ->
                            told("mcp_ref_resolution_failed", said, "ref", name);
                    case BlueprintRefusal.McpConfigMissing(var server, var fields) ->
                            told(
                                    "missing_required_mcp_config",
                                    said,
                                    "server_name",
                                    server,
                                    "missing_fields",
                                    fields);
                    case BlueprintRefusal.ProceduralNotResumed(var agent) ->
                            told("procedural_agent_no_resume", said, "agent_name", agent);
                    case BlueprintRefusal.RunnerBlueprintTaken(var agent, var by) ->
                            told(
                                    "agent_name_collision",
                                    said,
                                    "agent_name",
                                    agent,
                                    "existing_runner_id",
                                    by);
                    case RunRefusal.RunnerTwin(var runner) ->
                            new Problem.RunnerDetail("duplicate_runner", said, runner.value());
                    case RemovalRefusal.RemovalForbidden(var session, var objections) ->
                            new Problem.RefusalsDetail(
                                    kind,
                                    said,
                                    session.value(),
                                    objections.stream().map(o -> objection(o, wording)).toList());
                    case RemovalRefusal.SessionRemoved(var session, var removal) ->
                            new Problem.RemovedDetail(kind, said, session, removal);
                    case RemovalRefusal.FileUnknown _, RemovalRefusal.BackupNotWritten _ -> said;
                    case RemovalRefusal _ -> new Problem.KindDetail(kind, said);
                    default -> said;
                };
        return Json.tree(detail);
    }
}
