package dev.coppice.callback;

import dev.coppice.kernel.RunId;
import dev.coppice.kernel.SessionId;
import dev.coppice.word.JoinKind;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;

/**
 * A session's request to be woken when enough of its children's runs have ended. The members are
 * the runs that were the children's latest at the time of the request.
 */
public record Join(
        JoinId id,
        SessionId by,
        Until until,
        List<Member> members,
        Count count,
        Instant deadline,
        State state) {
    public Join {
        members = List.copyOf(members);
    }

    /** A child, and the run of it that counts. */
    public record Member(SessionId child, RunId run) {}

    /** The number of members that ended, and of those that finished. */
    public record Count(int ended, int finished) {
        static final Count NONE = new Count(0, 0);
    }

    /** The condition for the end. {@code wanted} applies to SOME alone. */
    public record Until(JoinKind kind, int wanted) {}

    /** Open, or how the join ended. */
    public enum Outcome {
        OPEN,
        MET,
        /** The condition can no longer be met: no member finished. */
        UNMET,
        TIMED_OUT
    }

    public record State(Outcome outcome, @Nullable Instant ended) {
        static final State OPEN = new State(Outcome.OPEN, null);
    }

    public boolean isOpen() {
        return state.outcome() == Outcome.OPEN;
    }

    /** Counts the end of one more member. */
    Join counting(boolean finished, Instant at) {
        var more = new Count(count.ended() + 1, count.finished() + (finished ? 1 : 0));
        return with(more).settled(at);
    }

    Join timedOut(Instant at) {
        return in(new State(Outcome.TIMED_OUT, at));
    }

    /** Moves the deadline. */
    Join later(Duration by) {
        return new Join(id, this.by, until, members, count, deadline.plus(by), state);
    }

    private Join settled(Instant at) {
        boolean allEnded = count.ended() >= members.size();
        return switch (until.kind()) {
            case ALL -> allEnded ? in(new State(Outcome.MET, at)) : this;
            case ANY -> count.ended() >= 1 ? in(new State(Outcome.MET, at)) : this;
            case SOME -> count.ended() >= until.wanted() ? in(new State(Outcome.MET, at)) : this;
            case FIRST_SUCCESS ->
                    count.finished() >= 1
                            ? in(new State(Outcome.MET, at))
                            : allEnded ? in(new State(Outcome.UNMET, at)) : this;
        };
    }

    private Join with(Count more) {
        return new Join(id, by, until, members, more, deadline, state);
    }

    private Join in(State next) {
        return new Join(id, by, until, members, count, deadline, next);
    }
}
