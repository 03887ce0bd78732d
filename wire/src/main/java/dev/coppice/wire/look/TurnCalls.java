package dev.coppice.wire.look;

import dev.coppice.wire.Call;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;
import dev.coppice.wire.Sizes;
import dev.coppice.wire.session.HeadlineView;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Reads what was said and done in a session, whatever its program is. */
public final class TurnCalls {
    public static final Call<Find, Page> LIST =
            Call.get(
                    "list_turns",
                    "/sessions/{session_id}/turns",
                    Find.class,
                    Page.class,
                    "Show what was said and done in a session: prompts, words of its agent, uses of"
                            + " tools, questions, children and results; without a cursor, the"
                            + " latest turns");

    private TurnCalls() {}

    /** Selects a part of a conversation. */
    public record Find(
            @Field(value = Descriptions.SESSION, example = "s1") String sessionId,
            @Field(value = "turns after the event of this number, oldest first", min = 0)
                    @Nullable Long after,
            @Field(value = "the latest turns before the event of this number", min = 1)
                    @Nullable Long before,
            @Field(
                            value = "the maximum number of turns; long texts may make it fewer",
                            fallback = "50",
                            min = 1,
                            max = Sizes.TURNS_MAX)
                    int limit) {}

    /** A page of turns, oldest first. */
    public record Page(
            @Field("the turns") List<TurnView> turns,
            @Field("the value of 'after' for the next page; null at the newest turn")
                    @Nullable Long next,
            @Field("the value of 'before' for the page before; null at the oldest turn")
                    @Nullable Long previous) {}

    /** Something that was said or done. */
    public record TurnView(
            @Field("what identifies it: its event, or its child") String id,
            @Field("what kind of turn it is") Kind kind,
            @Field("the number of its event; null for a child") @Nullable Long event,
            @Field(value = "when it was", example = Descriptions.TIME) String at,
            @Field("the name of the tool, or the type of a note") @Nullable String name,
            @Field("what was said, or on what the tool was used") String text,
            @Field("true if the text is only the beginning; the event has all of it") boolean cut,
            @Field("the input of the tool; its end may be missing") @Nullable String input,
            @Field("what the tool returned; null while it is at work")
                    @Nullable ReturnView returned,
            @Field("the child that was started") @Nullable ChildView child,
            @Field("the tokens that were used for it") long tokens,
            @Field("their cost in millionths of a dollar, as far as prices are known")
                    long costMicros) {}

    /** The kinds of turns. */
    public enum Kind {
        /** Somebody told the agent something. */
        TOLD,
        /** The agent said it. */
        SAYS,
        /** The agent used a tool. */
        DOES,
        /** The agent asked a person. */
        ASKS,
        /** A question was answered, or settled in another way. */
        ANSWERED,
        /** A child was started. */
        CHILD,
        /** The result of a run. */
        RESULT,
        /** A run failed, or its program reported an error. */
        FAILED,
        /** A run was stopped. */
        STOPPED,
        /** Something else that its program or Coppice reported. */
        NOTE
    }

    /** The output of a tool. */
    public record ReturnView(
            @Field("its output") String text,
            @Field("true if the output is only its beginning") boolean cut,
            @Field("true if the tool failed") boolean failed,
            @Field("how long it took, in milliseconds") long tookMs) {}

    /** A child as a card. */
    public record ChildView(
            @Field(Descriptions.SESSION) String sessionId,
            @Field(Descriptions.NAME) String sessionName,
            @Field("its state") String state,
            @Field("what it does, or how it ended") @Nullable HeadlineView headline) {}
}
