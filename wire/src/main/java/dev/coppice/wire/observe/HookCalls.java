package dev.coppice.wire.observe;

import dev.coppice.wire.Call;
import dev.coppice.wire.Field;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.List;

/** The calls of programs that send events of agents, and of a person who answers them. */
public final class HookCalls {
    public static final Call<Post, Call.Bytes> POST =
            Call.post(
                            "post_event",
                            "/events",
                            Post.class,
                            Call.Bytes.class,
                            "Send an event of any agent; its session is created if it is unknown")
                    .older();
    public static final Call<Batch, Posted> BATCH =
            Call.post(
                            "post_events",
                            "/events/batch",
                            Batch.class,
                            Posted.class,
                            "Send events of any agents; each is stored or refused by itself")
                    .repeatable();
    public static final Call<Hook, Call.Empty> HOOK =
            Call.post(
                    "take_hook",
                    "/hooks/{program}",
                    Hook.class,
                    Call.Empty.class,
                    "Take what an agent program sends to its hooks, as it is; the answer may"
                            + " decide whether it may use a tool");
    public static final Call<Respond, Call.Bytes> RESPOND =
            Call.post(
                            "respond_to_event",
                            "/events/{event}/respond",
                            Respond.class,
                            Call.Bytes.class,
                            "Answer an agent's question, and pass the answer to its socket")
                    .older();

    private HookCalls() {}

    /** An event as its sender writes it. */
    public record Post(
            @Field(
                            value =
                                    "the event: source_app, session_id, hook_event_type and payload"
                                            + " are required, any other field is kept",
                            in = Field.In.WHOLE_BODY)
                    JsonNode event) {}

    /** The agent programs whose hooks are understood. */
    public enum Program {
        CLAUDE_CODE,
        CODEX,
        GEMINI,
        CURSOR,
        OPENCODE
    }

    /** The event that a program sends to its hook. */
    public record Hook(
            @Field(value = "the program", example = "claude_code") Program program,
            @Field(
                            value =
                                    "what the program sends: hook_event_name, its session, and"
                                            + " more",
                            in = Field.In.WHOLE_BODY)
                    JsonNode event,
            @Field(
                            value = "for so many seconds a person can answer before the hook does",
                            in = Field.In.QUERY,
                            min = 1,
                            max = 3600)
                    @Nullable Integer hold,
            @Field(value = "deny: what nobody answers in that time is denied", in = Field.In.QUERY)
                    @Nullable String otherwise) {}

    /** Events of any sessions. */
    public record Batch(
            @Field(
                            value = "an array of at most 10,000 events, or one event on each line",
                            in = Field.In.WHOLE_BODY)
                    JsonNode events) {}

    /** The outcome for each event of a batch, in its order. */
    public record Posted(
            @Field("the number of stored events") int stored,
            @Field("the number of refused events") int refused,
            @Field("the outcome for each event") List<PostedEvent> results) {}

    /** The outcome for one event of a batch: a number, or a code and a reason. */
    public record PostedEvent(
            @Field("its number") @Nullable Long id,
            @Field("the kind of problem, for programs") @Nullable String code,
            @Field("the refusal and its reason") @Nullable String error) {}

    /** A person's answer: one of response, permission and choice. */
    public record Respond(
            @Field("the number of the event") long event,
            @Field(
                            value = "the answer: response, permission or choice, and respondedBy",
                            in = Field.In.WHOLE_BODY)
                    JsonNode answer) {}

    public static final int BATCH_MAX = 10_000;

    /** The longest time that a hook can wait for a person. */
    public static final Duration HOLD_MAX = Duration.ofHours(1);
}
