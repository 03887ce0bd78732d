package dev.coppice.wire.session;

import dev.coppice.wire.Call;
import dev.coppice.wire.Descriptions;
import dev.coppice.wire.Field;
import dev.coppice.wire.Inline;
import dev.coppice.wire.Method;
import dev.coppice.wire.Paging;
import dev.coppice.wire.Sizes;
import dev.coppice.word.SessionType;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.List;

/** Sessions: finding, creating and changing them, and reading their results. */
public final class SessionCalls {
    public static final Call<Find, Page> LIST =
            Call.get(
                            "list_sessions",
                            "/sessions",
                            Find.class,
                            Page.class,
                            "List sessions, newest first")
                    .older();
    public static final Call<StartSessionRequest, SessionBody.Done> CREATE =
            Call.post(
                            "create_session",
                            "/sessions",
                            StartSessionRequest.class,
                            SessionBody.Done.class,
                            "Create a session without a run")
                    .creates()
                    .repeatable()
                    .older();
    public static final Call<Named, SessionBody> NAMED =
            Call.get(
                            "find_session",
                            "/sessions/by-name/{name}",
                            Named.class,
                            SessionBody.class,
                            "Find a session by its name")
                    .older();
    public static final Call<At, SessionBody> READ =
            Call.get(
                            "read_session",
                            "/sessions/{session_id}",
                            At.class,
                            SessionBody.class,
                            "Read a session")
                    .older();
    public static final Call<At, Status> STATUS =
            Call.get(
                            "read_status",
                            "/sessions/{session_id}/status",
                            At.class,
                            Status.class,
                            "Read only the status of a session; never 404")
                    .older();
    public static final Call<At, ResultView> RESULT =
            Call.get(
                            "read_result",
                            "/sessions/{session_id}/result",
                            At.class,
                            ResultView.class,
                            "Read the result of the last run")
                    .older();
    public static final Call<At, AffinityBody> AFFINITY =
            Call.get(
                            "read_affinity",
                            "/sessions/{session_id}/affinity",
                            At.class,
                            AffinityBody.class,
                            "Read where a session last ran")
                    .older();
    public static final Call<Bind, SessionBody.Done> BIND =
            Call.post(
                            "bind_session",
                            "/sessions/{session_id}/bind",
                            Bind.class,
                            SessionBody.Done.class,
                            "Set the program that speaks for a session")
                    .older();
    public static final Call<Change, SessionBody.Done> CHANGE =
            Call.post(
                            "change_session",
                            "/sessions/{session_id}/metadata",
                            Change.class,
                            SessionBody.Done.class,
                            "Change the metadata of a session")
                    .by(Method.PATCH)
                    .older();

    public static final Call<Attach, SessionBody.Done> ATTACH =
            Call.post(
                            "attach_session",
                            "/sessions/{session_id}/attach",
                            Attach.class,
                            SessionBody.Done.class,
                            "Place a root and all below it under another session: a detached tree"
                                    + " or an orphan")
                    .audited();

    private SessionCalls() {}

    /** A root and its parent to be. */
    public record Attach(
            @Field(value = Descriptions.SESSION, example = "s1") String sessionId,
            @Field(value = "the id of its parent to be", example = "plan")
                    String parentSessionId) {}

    /** The session in the path. */
    public record At(@Field(value = Descriptions.SESSION, example = "s1") String sessionId) {}

    public static final Call<Orphans, Page> ORPHANS =
            Call.get(
                    "list_orphans",
                    "/orphans",
                    Orphans.class,
                    Page.class,
                    "List sessions that go on although their parents have ended");
    public static final Call<At, SessionBody.Done> CLEAR =
            Call.post(
                            "clear_conversation",
                            "/sessions/{session_id}/clear",
                            At.class,
                            SessionBody.Done.class,
                            "Forget the program's own conversation of a session that does not run;"
                                    + " its next run begins a new one")
                    .repeatable()
                    .destructive();

    public static final Call<End, SessionBody.Done> END =
            Call.post(
                            "end_session",
                            "/sessions/{session_id}/end",
                            End.class,
                            SessionBody.Done.class,
                            "Report that a session without a run has ended, such as an agent inside"
                                    + " of another agent's program")
                    .repeatable();

    /** The ways in which a session without a run ends. */
    public enum EndState {
        FINISHED,
        FAILED,
        STOPPED
    }

    /** The end of a session without a run. */
    public record End(
            @Field(value = Descriptions.SESSION, example = "s1") String sessionId,
            @Field(value = "how it ended", fallback = "finished") EndState status,
            @Field(
                            value = "why, or with what result",
                            fallback = "its program has ended",
                            chars = Sizes.LABEL_CHARS_MAX)
                    String reason) {}

    /** Selects a page of orphans. */
    public record Orphans(@Inline Paging page) {}

    /** A name in the path. */
    public record Named(@Field(value = Descriptions.NAME, example = "plan") String name) {}

    /** Selects the sessions to list. */
    public record Find(
            @Field(
                            value =
                                    "only these states, comma-separated; asking alone selects those"
                                            + " that wait for a person",
                            example = "running,failed")
                    @Nullable List<String> status,
            @Field("only the tree of this session id") @Nullable String root,
            @Field("only children of this session id") @Nullable String parent,
            @Field("only sessions of this type") @Nullable SessionType type,
            @Field("only names with this prefix") @Nullable String name,
            @Field(value = "only names with this text, in any case", chars = Sizes.LABEL_CHARS_MAX)
                    @Nullable String text,
            @Field(value = "only those whose names or ids begin so", chars = Sizes.LABEL_CHARS_MAX)
                    @Nullable String beginning,
            @Field(value = "only those of this blueprint", chars = Sizes.LABEL_CHARS_MAX)
                    @Nullable String agentName,
            @Field(value = "only those that last ran on this host", chars = Sizes.LABEL_CHARS_MAX)
                    @Nullable String hostname,
            @Field(value = "only those created since", example = Descriptions.TIME)
                    @Nullable String since,
            @Field(value = "with what each does, in a line", fallback = "false") boolean headlines,
            @Inline Paging page) {
        /** The session state that stands for those that wait for a person. */
        public static final String ASKING = "asking";

        /** The first page of all sessions. */
        public static final Find ALL = of(null, Paging.FIRST);

        /** A page of all sessions in these states. */
        public static Find of(@Nullable List<String> states, Paging page) {
            return new Find(
                    states, null, null, null, null, null, null, null, null, null, false, page);
        }

        /** A page of a session and of all below it, in these states. */
        public static Find below(String root, List<String> states, Paging page) {
            return new Find(
                    states, root, null, null, null, null, null, null, null, null, false, page);
        }

        /**
         * The sessions that wait for a person, of this session and all below it if one is given.
         */
        public static Find asking(@Nullable String root, Paging page) {
            return new Find(
                    List.of(ASKING),
                    root,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    null,
                    true,
                    page);
        }

        /** The newest sessions whose names or ids begin so. */
        public static Find beginning(String text, Paging page) {
            return new Find(
                    null, null, null, null, null, null, text, null, null, null, false, page);
        }
    }

    /** A page of sessions. */
    public record Page(
            @Field("the sessions") List<SessionView> sessions,
            @Field(Descriptions.NEXT) @Nullable String next) {}

    /** The status alone. */
    public record Status(
            @Field(value = "the status, or not_existent", example = "running") String status) {}

    /** The result of the last run. */
    public record ResultView(
            @Field("the run") String runId,
            @Field("its result as text") @Nullable String resultText,
            @Field("its result as data") @Nullable JsonNode resultData,
            @Field("the text, or the data as text; for the originals' commands")
                    @Nullable String result) {}

    /** The place of the last run, wrapped as older clients expect it. */
    public record AffinityBody(@Field("the place") AffinityView affinity) {}

    /** The place of the last run. */
    public record AffinityView(
            @Field(Descriptions.SESSION) String sessionId,
            @Field("the host") @Nullable String hostname,
            @Field("the directory") @Nullable String projectDir,
            @Field("the profile of the runner") @Nullable String executorProfile) {}

    /** The program that speaks for a session; absent fields are not changed. */
    public record Bind(
            @Field(value = Descriptions.SESSION, example = "s1") String sessionId,
            @Field(value = "the program's own id", chars = Sizes.LABEL_CHARS_MAX)
                    @Nullable String executorSessionId,
            @Field(value = "the profile of its runner", chars = Sizes.LABEL_CHARS_MAX)
                    @Nullable String executorProfile,
            @Field(value = "its host", chars = Sizes.LABEL_CHARS_MAX) @Nullable String hostname,
            @Field(value = "its directory", chars = Sizes.PATH_CHARS_MAX)
                    @Nullable String projectDir) {}

    /** Changes of a session; absent fields are not changed. */
    public record Change(
            @Inline Bind bind,
            @Field(value = "its blueprint", chars = Sizes.LABEL_CHARS_MAX)
                    @Nullable String agentName,
            @Field(value = "its complete new metadata", bytes = Sizes.METADATA_BYTES_MAX)
                    @Nullable JsonNode metadata,
            @Field("ignored: the coordinator knows when it was resumed")
                    @Nullable String lastResumedAt) {}
}
