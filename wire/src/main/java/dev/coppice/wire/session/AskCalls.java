package dev.coppice.wire.session;

import dev.coppice.wire.Call;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;
import dev.coppice.wire.Inline;
import dev.coppice.wire.Length;
import dev.coppice.wire.Method;
import dev.coppice.wire.Paging;
import dev.coppice.wire.Sizes;
import dev.coppice.word.Verdict;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Questions with which programs wait for a person, and answers given in advance. */
public final class AskCalls {
    static final String ASK_ID = "ask_0123456789ab";
    static final String STANDING_ID = "sta_0123456789ab";
    static final String PATTERN = "Bash(npm test)";
    static final int PATTERN_CHARS_MAX = 2_000;
    static final long LENGTH_MAX = 30L * 86_400;

    public static final Call<Find, Page> LIST =
            Call.get(
                    "list_asks",
                    "/asks",
                    Find.class,
                    Page.class,
                    "List the questions with which programs wait for a person, newest first");
    public static final Call<Answer, AskView> ANSWER =
            Call.post(
                            "answer_ask",
                            "/asks/{ask_id}/answer",
                            Answer.class,
                            AskView.class,
                            "Allow or deny what a waiting program asks for, once or for a time")
                    .audited();
    public static final Call<FindStanding, StandingPage> STANDING =
            Call.get(
                    "list_standing_answers",
                    "/standing-answers",
                    FindStanding.class,
                    StandingPage.class,
                    "List answers given in advance, newest first");
    public static final Call<Stand, StandingView> STAND =
            Call.post(
                            "add_standing_answer",
                            "/sessions/{session_id}/standing-answers",
                            Stand.class,
                            StandingView.class,
                            "Answer in advance for a session and all below it, for a time")
                    .creates()
                    .audited();
    public static final Call<At, StandingView> REVOKE =
            Call.get(
                            "revoke_standing_answer",
                            "/standing-answers/{standing_answer_id}",
                            At.class,
                            StandingView.class,
                            "Take back an answer given in advance")
                    .by(Method.DELETE)
                    .audited();

    private AskCalls() {}

    /** Selects questions. */
    public record Find(
            @Field("only those of this session and of all below it") @Nullable String sessionId,
            @Field(value = "also those that are settled", fallback = "false") boolean all,
            @Inline Paging page) {}

    /** A page of questions. */
    public record Page(
            @Field("the questions") List<AskView> asks,
            @Field(Descriptions.NEXT) @Nullable String next) {}

    public record AskView(
            @Field(value = "its id", example = ASK_ID) String askId,
            @Field(Descriptions.SESSION) String sessionId,
            @Field(Descriptions.NAME) String sessionName,
            @Field("the number of the event that asks") long eventId,
            @Field(value = "the tool", example = "Bash") String toolName,
            @Field(value = "what it is used for", example = "npm test") String subject,
            @Field(value = "the pattern that selects just this use", example = PATTERN)
                    @Nullable String pattern,
            @Field(value = "open, allowed, denied, unanswered or withdrawn", example = "open")
                    String state,
            @Field(value = "since when it waits", example = Descriptions.TIME) String askedAt,
            @Field(value = "until when it waits", example = Descriptions.TIME) String until,
            @Field("what the program is told if nobody answers: nothing or deny") String otherwise,
            @Field("who settled it") @Nullable String settledBy,
            @Field("why") @Nullable String reason,
            @Field(value = "the standing answer that settled it", example = STANDING_ID)
                    @Nullable String standingAnswerId,
            @Field(value = "when it was settled", example = Descriptions.TIME)
                    @Nullable String settledAt) {}

    /** The answers to a question. */
    public enum AnswerWord {
        ALLOW,
        DENY
    }

    public record Answer(
            @Field(value = "the question", example = ASK_ID) String askId,
            @Field(value = "allow or deny", example = "allow") AnswerWord answer,
            @Field(
                            value = "the reason, which a denied program is told",
                            chars = Sizes.LABEL_CHARS_MAX)
                    @Nullable String reason,
            @Field(
                            value = "answer the same in advance for so long",
                            min = 1,
                            max = LENGTH_MAX,
                            name = "for")
                    @Nullable Length length,
            @Field(
                            "the session for which, and for all below which, it is answered in"
                                    + " advance; the one that asks, or one above it; the one that"
                                    + " asks by default")
                    @Nullable String below,
            @Field(
                            value = "the uses that are answered in advance; just this by default",
                            example = PATTERN,
                            chars = PATTERN_CHARS_MAX)
                    @Nullable String match) {}

    /** Selects standing answers. */
    public record FindStanding(
            @Field("only those of this session and of all below it") @Nullable String sessionId,
            @Inline Paging page) {}

    /** A page of standing answers. */
    public record StandingPage(
            @Field("the answers, with those that are over") List<StandingView> standingAnswers,
            @Field(Descriptions.NEXT) @Nullable String next) {}

    /** An answer in advance. */
    public record Stand(
            @Field(value = Descriptions.SESSION, example = "s1") String sessionId,
            @Field(
                            value =
                                    "the uses of tools that it answers: a tool, and in parentheses"
                                            + " what it is used for, where a star stands for any"
                                            + " text without shell operators",
                            example = PATTERN,
                            chars = PATTERN_CHARS_MAX)
                    String match,
            @Field(
                            value = "allow; deny; or ask a person, even if the program would not",
                            example = "allow")
                    Verdict answer,
            @Field(
                            value = "how long it holds",
                            min = 1,
                            max = LENGTH_MAX,
                            fallback = "1h",
                            name = "for",
                            example = "1h")
                    Length length,
            @Field(value = Descriptions.REASON, chars = Sizes.LABEL_CHARS_MAX)
                    @Nullable String reason) {}

    /** Names a standing answer. */
    public record At(@Field(value = "its id", example = STANDING_ID) String standingAnswerId) {}

    /** An answer in advance, and what became of it. */
    public record StandingView(
            @Field(value = "its id", example = STANDING_ID) String standingAnswerId,
            @Field(Descriptions.SESSION) String sessionId,
            @Field(Descriptions.NAME) String sessionName,
            @Field(value = "the uses that it answers", example = PATTERN) String match,
            @Field(value = "allow, deny or ask", example = "allow") String answer,
            @Field("why") @Nullable String reason,
            @Field(value = "holds, over or revoked", example = "holds") String state,
            @Field("who gave it") String madeBy,
            @Field(value = "when", example = Descriptions.TIME) String madeAt,
            @Field(value = "until when it holds", example = Descriptions.TIME) String until,
            @Field("who took it back") @Nullable String revokedBy,
            @Field(value = "when", example = Descriptions.TIME) @Nullable String revokedAt,
            @Field("how often it answered") long uses,
            @Field(value = "when it last did", example = Descriptions.TIME)
                    @Nullable String usedAt) {}
}
