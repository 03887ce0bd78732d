package dev.coppice.mcp.tool;

import dev.coppice.mcp.call.Channel;
import dev.coppice.request.Context;
import dev.coppice.wire.Shape;
import dev.coppice.wire.run.RunView;
import dev.coppice.word.ExecutionMode;

/** A start waits in mode sync, which is the default, and answers with the result. */
final class SyncStart<O> implements Tool.Manner<O> {
    private static final String WAIT = "wait";

    @Override
    public Arguments confirmed(Context context, Arguments arguments, Channel channel) {
        var mode = arguments.text("execution_mode");
        boolean waits = mode == null || mode.equals(Shape.word(ExecutionMode.SYNC));
        return waits && arguments.text(WAIT) == null
                ? arguments.with(WAIT, Tool.PATIENCE)
                : arguments;
    }

    /** The run, with a sentence if the wait ended before it did. */
    static Tool.Answer answer(Object answer) {
        var whole = Tool.Answer.whole(answer);
        if (!(answer instanceof RunView run) || run.completedAt() != null) return whole;
        return new Tool.Answer(
                true,
                "The run of %s is still %s. wait_for_sessions waits on;"
                                .formatted(run.sessionName(), run.state())
                        + " get_agent_session_result then has the result.",
                whole.value());
    }
}
