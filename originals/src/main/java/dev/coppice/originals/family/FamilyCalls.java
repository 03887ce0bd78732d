package dev.coppice.originals.family;

import dev.coppice.wire.Call;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;
import dev.coppice.wire.Method;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/** The calls of the relationship server's pages and hooks about related sessions. */
final class FamilyCalls {
    public static final Call<Below, Call.Bytes> TREE =
            read("related_tree", "/api/sessions/{session_id}/tree", "Show a session as a tree");
    public static final Call<Below, Call.Bytes> SAME_TREE =
            read(
                    "related_tree_again",
                    "/api/sessions/{session_id}/hierarchy",
                    "Show a session as a tree");
    public static final Call<Below, Call.Bytes> RELATIVES =
            read(
                    "relatives",
                    "/api/sessions/{session_id}/relationships",
                    "Show the parent, children, siblings and continuations of a session");
    public static final Call<Below, Call.Bytes> CHILDREN =
            read(
                    "related_children",
                    "/api/sessions/{session_id}/children",
                    "List the children of a session");
    public static final Call<Below, Call.Bytes> DEPTH =
            read("depth", "/api/sessions/{session_id}/depth", "Show the depth of a session");
    public static final Call<Period, Call.Bytes> STATISTICS =
            counted("relationship_statistics", "/api/relationships/stats");
    public static final Call<Period, Call.Bytes> ANALYTICS =
            counted("relationship_analytics", "/api/analytics/relationships");
    public static final Call<Message, Call.Bytes> SPAWN =
            sent(
                    "declare_spawn",
                    "/api/sessions/spawn",
                    "Declare a new child of a session, and get its id");
    public static final Call<Message, Call.Bytes> RELATE =
            sent(
                    "declare_relationship",
                    "/api/sessions/relationships",
                    "Declare how two sessions are related");
    public static final Call<ChildMessage, Call.Bytes> COMPLETE =
            Call.post(
                            "complete_relationship",
                            "/api/sessions/relationships/{child}/complete",
                            ChildMessage.class,
                            Call.Bytes.class,
                            "Declare the end of a child")
                    .by(Method.PATCH)
                    .older();
    public static final Call<OwnMessage, Call.Bytes> CHILD_COMPLETED =
            Call.post(
                            "child_completed",
                            "/api/sessions/{session_id}/child_completed",
                            OwnMessage.class,
                            Call.Bytes.class,
                            "Declare the end of a child of this session")
                    .older();

    private FamilyCalls() {}

    private static Call<Below, Call.Bytes> read(String name, String path, String says) {
        return Call.get(name, path, Below.class, Call.Bytes.class, says).older();
    }

    private static Call<Period, Call.Bytes> counted(String name, String path) {
        return Call.get(
                        name,
                        path,
                        Period.class,
                        Call.Bytes.class,
                        "Count the related pairs of sessions by kind")
                .older();
    }

    private static Call<Message, Call.Bytes> sent(String name, String path, String says) {
        return Call.post(name, path, Message.class, Call.Bytes.class, says).older();
    }

    /** Selects a session and a number of levels below it. */
    public record Below(
            @Field(value = Descriptions.SESSION, example = "s1") String sessionId,
            @Field(
                            value = "the number of levels below the session",
                            name = "maxDepth",
                            fallback = "5",
                            min = 0,
                            max = 256)
                    int maxDepth) {}

    /** Selects pairs by the time of their creation. */
    public record Period(
            @Field("from this time, in milliseconds; all by default") @Nullable Long start,
            @Field("before this time, in milliseconds") @Nullable Long end) {}

    /** A message of the relationship server's hooks. */
    public record Message(
            @Field(value = "what is declared", in = Field.In.WHOLE_BODY) JsonNode message) {}

    /** A declaration about a child. */
    public record ChildMessage(
            @Field("the id of the child") String child,
            @Field(value = "what is declared", in = Field.In.WHOLE_BODY) JsonNode message) {}

    /** A declaration about a session. */
    public record OwnMessage(
            @Field(value = Descriptions.SESSION, example = "s1") String sessionId,
            @Field(value = "what is declared", in = Field.In.WHOLE_BODY) JsonNode message) {}
}
