package dev.coppice.wire.look;

import dev.coppice.wire.Call;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;
import dev.coppice.wire.session.SessionCalls;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** The relations of a session to others, with the evidence for them. */
public final class RelationCalls {
    public static final int RELATIONS_MAX = 1_000;

    public static final Call<SessionCalls.At, Relations> LIST =
            Call.get(
                    "list_relations",
                    "/sessions/{session_id}/relations",
                    SessionCalls.At.class,
                    Relations.class,
                    "List how a session is related to others, and the evidence for it");

    private RelationCalls() {}

    /** The relations of a session. */
    public record Relations(
            @Field("the relations, oldest first; at most 1,000") List<RelationView> relations) {}

    /** A relation to another session. */
    public record RelationView(
            @Field("the id of the other session") String sessionId,
            @Field("its name") String sessionName,
            @Field(value = "its state", example = "running") String state,
            @Field("parent if it stands above, else child") String side,
            @Field("parent/child, sibling, continuation or wave_member") String type,
            @Field("why the child was started") @Nullable String reason,
            @Field("parallel, sequential or isolated") @Nullable String delegation,
            @Field(
                            "started if Coppice started the child; tool_response, declared, or"
                                    + " inferred from events")
                    String evidence,
            @Field("how sure that is, from 0 to 100") int confidence,
            @Field(value = "since when", example = Descriptions.TIME) String since) {}
}
