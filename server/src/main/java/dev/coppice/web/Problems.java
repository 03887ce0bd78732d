package dev.coppice.web;

import dev.coppice.kernel.BlueprintRefusal;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RemovalRefusal;
import dev.coppice.kernel.RunRefusal;
import dev.coppice.operation.Advice;
import dev.coppice.operation.RefusalKind;
import dev.coppice.operation.Reply;
import dev.coppice.wire.Json;
import dev.coppice.wire.Problem;
import dev.coppice.wire.Shape;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/** Makes problem bodies of refusals; no other code does. */
public final class Problems {
    static final Advice ADVICE = new RestAdvice();
    private static final String TYPE = "https://coppice.dev/problems/";

    private Problems() {}

    public static Reply reply(Refusal refusal) {
        return reply(problem(refusal, ADVICE));
    }

    public static Problem problem(Refusal refusal, Advice advice) {
        var code = refusal.code();
        return new Problem(
                TYPE + code,
                code.replace('_', ' '),
                RefusalKind.status(refusal),
                code,
                RefusalKind.of(refusal),
                detail(refusal, advice),
                refusal.said(),
                advice.of(refusal),
                cause(refusal));
    }

    public static Reply reply(int status, String code, String said, String advice) {
        return reply(
                new Problem(
                        TYPE + code,
                        code.replace('_', ' '),
                        status,
                        code,
                        RefusalKind.of(status),
                        Json.tree(said),
                        said,
                        advice,
                        null));
    }

    private static Reply reply(Problem problem) {
        return new Reply.Text(problem.status(), Problem.MEDIA_TYPE, Json.write(problem));
    }

    private static Problem.ObjectionDetail objection(RemovalRefusal.Objection o, Advice advice) {
        return new Problem.ObjectionDetail(
                Shape.word(o.kind()), o.said(), advice.of(o.kind()), o.named());
    }

    /** The cause of a refusal that has several, for faces that word their own advice. */
    private static @Nullable String cause(Refusal refusal) {
        return switch (refusal) {
            case RemovalRefusal.CannotBeUndone(_, var cause, _) -> Shape.word(cause);
            case RemovalRefusal.CannotBeRestored(var cause, _) -> Shape.word(cause);
            default -> null;
        };
    }

    /** The field that the original's clients read: a sentence, or an object as it sent one. */
    private static JsonNode detail(Refusal refusal, Advice advice) {
        var said = refusal.said();
        Object detail =
                switch (refusal) {
                    case BlueprintRefusal.ParametersInvalid(
                                    var agent,
                                    var violations,
                                    var schema) ->
                            new Problem.ParametersDetail(
                                    "parameter_validation_failed",
                                    said,
                                    agent,
                                    Json.tree(violations),
                                    Json.read(schema.value()));
                    case RunRefusal.RunnerTwin(var runner) ->
                            new Problem.RunnerDetail("duplicate_runner", said, runner.value());
                    case RemovalRefusal.RemovalForbidden(var session, var objections) ->
                            new Problem.RefusalsDetail(
                                    RefusalKind.of(refusal),
                                    said,
                                    session.value(),
                                    objections.stream().map(o -> objection(o, advice)).toList());
                    case RemovalRefusal.SessionRemoved(var session, var removal) ->
                            new Problem.RemovedDetail(
                                    RefusalKind.of(refusal), said, session, removal);
                    case RemovalRefusal.FileUnknown _, RemovalRefusal.BackupNotWritten _ -> said;
                    case RemovalRefusal _ -> new Problem.KindDetail(RefusalKind.of(refusal), said);
                    default -> said;
                };
        return Json.tree(detail);
    }
}
