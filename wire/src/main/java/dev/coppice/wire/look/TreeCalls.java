package dev.coppice.wire.look;

import com.fasterxml.jackson.annotation.JsonUnwrapped;

import dev.coppice.wire.Call;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;
import dev.coppice.wire.Inline;
import dev.coppice.wire.Paging;
import dev.coppice.wire.session.SessionCalls;
import dev.coppice.wire.session.SessionView;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The place of a session in its tree: the sessions above and below it. */
public final class TreeCalls {
    public static final Call<Below, Children> CHILDREN =
            Call.get(
                    "list_children",
                    "/sessions/{session_id}/children",
                    Below.class,
                    Children.class,
                    "List the children of a session, oldest first");
    public static final Call<SessionCalls.At, Count> COUNT_CHILDREN =
            Call.get(
                    "count_children",
                    "/sessions/{session_id}/children/count",
                    SessionCalls.At.class,
                    Count.class,
                    "Count the children of a session");
    public static final Call<Deep, Descendants> DESCENDANTS =
            Call.get(
                    "list_descendants",
                    "/sessions/{session_id}/descendants",
                    Deep.class,
                    Descendants.class,
                    "List all sessions below a session, depth first");
    public static final Call<SessionCalls.At, Count> COUNT_DESCENDANTS =
            Call.get(
                    "count_descendants",
                    "/sessions/{session_id}/descendants/count",
                    SessionCalls.At.class,
                    Count.class,
                    "Count the sessions below a session");
    public static final Call<Whole, TreeAnswer> TREE =
            Call.get(
                    "read_tree",
                    "/sessions/{session_id}/tree",
                    Whole.class,
                    TreeAnswer.class,
                    "Read a session and all below it");
    public static final Call<SessionCalls.At, Path> PATH =
            Call.get(
                    "read_path",
                    "/sessions/{session_id}/path",
                    SessionCalls.At.class,
                    Path.class,
                    "List the sessions from the root down to a session");

    static final String DEPTH = "the maximum number of levels below the session";
    public static final int LEVELS_MAX = 256;

    private TreeCalls() {}

    /** Selects a page of the sessions below a session. */
    public record Below(
            @Field(value = Descriptions.SESSION, example = "s1") String sessionId,
            @Inline Paging page) {}

    /** Selects a page of the sessions below a session, down to some level. */
    public record Deep(
            @Field(value = Descriptions.SESSION, example = "s1") String sessionId,
            @Field(value = DEPTH, fallback = "256", min = 0, max = LEVELS_MAX) int maxDepth,
            @Inline Paging page) {}

    /** The tree below a session, nested or as a list. */
    public record Whole(
            @Inline Deep below,
            @Field(value = "answer with a paged list, depth first", fallback = "false")
                    boolean flat) {}

    /** A page of children. */
    public record Children(
            @Field("the children") List<SessionView> children,
            @Field(Descriptions.NEXT) @Nullable String next,
            @Field("the number of all children") long count) {}

    /** A page of descendants. */
    public record Descendants(
            @Field("the sessions") List<SessionView> descendants,
            @Field(Descriptions.NEXT) @Nullable String next) {}

    /** A number of sessions. */
    public record Count(
            @Field(Descriptions.SESSION) String sessionId, @Field("the number") long count) {}

    /** A tree, nested or flat. */
    public sealed interface TreeAnswer {}

    /** A tree in one piece. */
    public record Nested(
            @Field("the session") Node tree,
            @Field("true if the tree was too large; the flat form returns it in pages")
                    boolean truncated)
            implements TreeAnswer {}

    /** A page of a tree, depth first; the first page starts with the session itself. */
    public record Flat(
            @Field("the sessions") List<SessionView> sessions,
            @Field(Descriptions.NEXT) @Nullable String next)
            implements TreeAnswer {}

    /** A session with its children. */
    public record Node(
            @JsonUnwrapped SessionView session, @Field("its children") List<Node> children) {}

    /** The path from the root to a session. */
    public record Path(
            @Field(value = "the names from the root down", example = "plan.draft") String path,
            @Field("the sessions from the root down, as far as the caller may see them")
                    List<SessionView> sessions) {}
}
