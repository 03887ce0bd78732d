package dev.coppice.wire.look;

import dev.coppice.wire.Call;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;
import dev.coppice.wire.Inline;
import dev.coppice.wire.Paging;
import dev.coppice.wire.session.SessionView;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Trees as rows: open sessions, folds of siblings, and sums. */
public final class OutlineCalls {
    public static final int ROWS_MAX = 200;
    public static final int OPENED_MAX = 200;

    public static final Call<Find, Trees> TREES =
            Call.get(
                    "list_trees",
                    "/trees",
                    Find.class,
                    Trees.class,
                    "List trees with what is in them, newest first");
    public static final Call<Show, Rows> OUTLINE =
            Call.get(
                    "read_outline",
                    "/sessions/{session_id}/outline",
                    Show.class,
                    Rows.class,
                    "Read a page of a tree's rows: with folds of many siblings, and with sums of"
                            + " what is closed");

    private OutlineCalls() {}

    /** Selects trees. */
    public record Find(
            @Field(value = "only trees with a live session", fallback = "false") boolean live,
            @Inline Paging page) {}

    /** A page of trees. */
    public record Trees(
            @Field("the row of each root") List<RowView> trees,
            @Field(Descriptions.NEXT) @Nullable String next) {}

    /** Selects rows of a tree. */
    public record Show(
            @Field(value = "the id of the topmost session", example = "s1") String sessionId,
            @Field(value = "levels below it that are open", fallback = "1", min = 0, max = 256)
                    int levels,
            @Field("ids of sessions and folds that are open too; at most 200")
                    @Nullable List<String> opened,
            @Field("ids of sessions that are closed; at most 200") @Nullable List<String> closed,
            @Field(value = "only names with this text, and what is above them", chars = 200)
                    @Nullable String text,
            @Field(
                            value =
                                    "only sessions in these states, and what is above them; asking"
                                            + " selects those that wait for a person",
                            example = "failed")
                    @Nullable List<String> states,
            @Field(value = "how many rows come before the page", fallback = "0", min = 0)
                    int offset,
            @Field(value = "the maximum number of rows", fallback = "100", min = 1, max = ROWS_MAX)
                    int limit,
            @Field("open what is above this session, and start the page a little before its row")
                    @Nullable String reveal,
            @Field("reveal the next session after 'reveal' that failed or asks")
                    @Nullable Next next) {}

    /** The sessions that a reader jumps to. */
    public enum Next {
        FAILED,
        ASKING
    }

    /** A page of rows. */
    public record Rows(
            @Field("how many rows come before the page") int offset,
            @Field("the number of all rows") int total,
            @Field("the session that was revealed; null if there is none")
                    @Nullable String revealed,
            @Field("the place of its row among all rows") @Nullable Integer place,
            @Field("what was opened to reveal it") List<String> opened,
            @Field("the whole tree") TallyView tree,
            @Field("true if the tree has more sessions than one outline takes") boolean truncated,
            @Field("the number of the newest event when this was read") long number,
            @Field("the rows") List<RowView> rows) {}

    /** A row: a session, or a fold of many siblings. */
    public record RowView(
            @Field("the id of the session or the fold") String id,
            @Field("levels below the topmost session") int level,
            @Field("its place among its siblings, from 1") int place,
            @Field("the number of its siblings that are shown, itself included") int siblings,
            @Field("open, closed, or leaf if nothing is below it") String openness,
            @Field("the number of its children") int children,
            @Field("what is summed up: the session and all below it, or the folded siblings")
                    TallyView tally,
            @Field("tokens of it and all below it") long tokens,
            @Field("millionths of a dollar, of it and all below it") long costMicros,
            @Field("the kind of the folded siblings; null for a session") @Nullable String kind,
            @Field("the session; null for a fold") @Nullable SessionView session,
            @Field("the question that it asks a person") @Nullable QuestionView question) {}

    /** Counts of sessions. */
    public record TallyView(
            @Field("all") int all,
            @Field("live ones") int live,
            @Field("those that wait for an answer of a person") int asking,
            @Field("those that failed, timed out or were lost") int failed,
            @Field("those that finished") int finished,
            @Field("those that were stopped") int stopped,
            @Field("since when the longest waits for a person") @Nullable String askedFirst) {}

    /** A question that waits for a person. */
    public record QuestionView(
            @Field("the number of its event") long eventId,
            @Field("the session that asks") String sessionId,
            @Field("what is asked") String text,
            @Field("the answers to choose from; empty if any words will do") List<String> options,
            @Field(
                            "held: answer the question, its program waits; message: answer with a"
                                    + " message to the session; response: answer the event;"
                                    + " elsewhere: only its own program can be answered")
                    String answer,
            @Field(value = "the form of a response: question, permission or choice")
                    @Nullable String form,
            @Field(value = "the id of a held question", example = "ask_0123456789ab")
                    @Nullable String askId,
            @Field(value = "since when it waits", example = Descriptions.TIME) String askedAt) {}
}
