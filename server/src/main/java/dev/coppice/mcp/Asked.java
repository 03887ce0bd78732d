package dev.coppice.mcp;

import dev.coppice.kernel.Refusal;
import dev.coppice.operation.Reply;
import dev.coppice.operation.Wait;

/** The outcome of a tool's operation: an answer, a wait for one, or a refusal. */
sealed interface Asked<O> {
    record Now<O>(O answer) implements Asked<O> {}

    record Later<O>(Wait pending) implements Asked<O> {}

    record Refused<O>(Refusal refusal) implements Asked<O> {}

    /** Makes a reply without progress, in one message. */
    default Reply reply(Result<O> result, Call call) {
        return switch (this) {
            case Now<O>(var answer) -> Reply.ok(call.answer(result.of(result.answer(answer))));
            case Refused<O>(var refusal) -> Reply.ok(call.answer(result.refused(refusal)));
            case Later<O>(var pending) ->
                    new Reply.Patient(
                            200,
                            pending.then(value -> call.answer(result.of(result.answer(value)))));
        };
    }
}
