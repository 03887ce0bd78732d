package dev.coppice.mcp.tool;

import dev.coppice.access.Need;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.mcp.call.BrokenCall;
import dev.coppice.mcp.call.Cancelled;
import dev.coppice.mcp.call.Channel;
import dev.coppice.mcp.call.Question;
import dev.coppice.mcp.call.Unanswered;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.wire.Field;
import dev.coppice.wire.Json;
import dev.coppice.wire.Sizes;
import dev.coppice.wire.event.EventCalls;
import dev.coppice.wire.look.TreeCalls;
import dev.coppice.wire.removal.RemovalCalls;
import dev.coppice.wire.removal.RemoveByFlags;
import dev.coppice.wire.removal.WorkView;
import dev.coppice.wire.session.SessionBody;
import dev.coppice.wire.session.SessionCalls;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Tools that are more than one operation: they exist for agents only. */
public final class AgentTools {
    private static final String SESSION_ID = Arguments.SESSION_ID;
    private static final String PARENT = "parent_session_id";
    private static final int CHILDREN_MAX = 200;
    private static final String FORM =
            """
            {"type": "object",
             "properties": {"answer": {"type": "string", "title": "Answer"}},
             "required": ["answer"]}\
            """;

    private final Operation<?, ?> children;
    private final Operation<?, ?> report;
    private final Operation<?, ?> work;
    private final Operation<?, ?> create;
    private final Operation<RemoveByFlags, Deletion> delete;
    private final Operation<SessionCalls.Named, SessionBody> find;

    public AgentTools(
            List<Operation<?, ?>> operations,
            Operation<RemoveByFlags, Deletion> delete,
            Operation<SessionCalls.Named, SessionBody> find) {
        this.find = find;
        this.children = OperationTools.operation(operations, TreeCalls.CHILDREN);
        this.report = OperationTools.operation(operations, EventCalls.REPORT);
        this.work = OperationTools.operation(operations, RemovalCalls.WORK);
        this.create = OperationTools.operation(operations, SessionCalls.CREATE);
        this.delete = delete;
    }

    public List<Tool<?, ?>> all() {
        return List.of(deleteAll(), creating(create), ask(), reporting(report), restoreWork());
    }

    /** The deletion of everything below a session. */
    record DeleteAll(
            @Field("the session below which everything is deleted") String sessionId,
            @Field(
                            value =
                                    "true stops what runs and overrides critical operations; never"
                                            + " discards work",
                            fallback = "false")
                    boolean force,
            @Field(value = "why; recorded in the audit", chars = Sizes.LABEL_CHARS_MAX)
                    @Nullable String reason) {}

    /** The children that are deleted, and those whose deletion was refused. */
    record DeletedAll(
            @Field("the number of children whose deletion has begun") int deletedCount,
            @Field("their removals, each of which can be undone") List<Begun> removals,
            @Field("the children that stay") List<Stays> refused,
            @Field("true if there are more children; call again") boolean more) {}

    /** A deletion that has begun. */
    record Begun(@Field("the child") String sessionId, @Field("its removal") String removalId) {}

    /** A child that is not deleted. */
    record Stays(@Field("the child") String sessionId, @Field("why") String error) {}

    private Tool<DeleteAll, DeletedAll> deleteAll() {
        dev.coppice.wire.Call<DeleteAll, DeletedAll> call =
                dev.coppice.wire.Call.post(
                                "delete_all_agent_sessions",
                                "/mcp",
                                DeleteAll.class,
                                DeletedAll.class,
                                "Delete all sessions below the caller's")
                        .destructive();
        return new Tool<>(
                new Tool.Listing(
                        call.name(),
                        "Delete all your sessions",
                        "Deletes every session that was started below yours, and nothing else; your"
                                + " own stays. Each deletion can be undone by its removal_id. A"
                                + " session that runs is refused, unless force is true.",
                        DeletedAll.class,
                        Map.of(),
                        Set.of(SESSION_ID)),
                Operation.of(call, Need.ACT, this::deleted),
                Tool.Answer::whole,
                new OwnSession<>(SESSION_ID));
    }

    /** Fills a field that is absent with the caller's session: of its token, or of the headers. */
    private final class OwnSession<O> implements Tool.Manner<O> {
        private final String field;

        OwnSession(String field) {
            this.field = field;
        }

        @Override
        public Arguments confirmed(Context context, Arguments arguments, Channel channel) {
            return arguments.text(field) == null ? arguments.with(field, own(context)) : arguments;
        }
    }

    private String own(Context context) {
        var session = context.caller().session();
        if (session != null) return session.value();
        var id = context.inherited().id();
        if (id != null) return id;
        var name = context.inherited().name();
        if (name == null) {
            throw new Rejected(
                    new RequestRefusal.BadValue(
                            "session_id",
                            "",
                            "given, here or in the header X-Agent-Session-Id, because this token is"
                                    + " not that of an agent"));
        }
        return switch (find.action().on(context, new SessionCalls.Named(name))) {
            case Outcome.Refused<SessionBody>(var refusal) -> throw new Rejected(refusal);
            case Outcome.Done<SessionBody>(var body) -> body.session().sessionId();
        };
    }

    private Outcome<DeletedAll> deleted(Context context, DeleteAll in) {
        var asked = Map.<String, Object>of(SESSION_ID, in.sessionId(), "limit", CHILDREN_MAX);
        return OperationTools.performed(context, children, asked)
                .map(page -> deleted(context, in, page));
    }

    private DeletedAll deleted(Context context, DeleteAll in, JsonNode page) {
        var begun = new ArrayList<Begun>();
        var refused = new ArrayList<Stays>();
        for (var child : page.get("children")) {
            var id = child.get(SESSION_ID).asString();
            var asked = new LinkedHashMap<String, Object>(Map.of(SESSION_ID, id));
            asked.put("force", in.force());
            if (in.reason() != null) asked.put("reason", in.reason());
            var outcome = delete.perform(context, OperationTools.source(asked)).outcome();
            switch (outcome) {
                case Outcome.Done<Deletion>(var answer) -> {
                    if (answer instanceof Deletion.Begun d) {
                        begun.add(new Begun(id, d.removal().removalId()));
                    }
                }
                case Outcome.Refused<Deletion>(var refusal) ->
                        refused.add(new Stays(id, refusal.said()));
            }
        }
        return new DeletedAll(begun.size(), begun, refused, page.hasNonNull("next"));
    }

    private <I extends Record, O> Tool<I, O> reporting(Operation<I, O> operation) {
        return new Tool<>(
                new Tool.Listing(
                        "report_progress",
                        "Report an event",
                        "Appends an event to the history of a session, yours if you name none,"
                                + " where people and its parent see it: {\"event_type\":"
                                + " \"progress\", …}.",
                        EventCalls.Done.class,
                        Map.of(),
                        Set.of()),
                operation,
                Tool.Answer::whole,
                new OwnSession<>(SESSION_ID));
    }

    /** An agent of a session is a child of it. */
    private <I extends Record, O> Tool<I, O> creating(Operation<I, O> operation) {
        return new Tool<>(
                new Tool.Listing(
                                "create_agent",
                                "Create an agent of a session",
                                "Creates an agent below the session session_id, yours if you name"
                                        + " none, without starting it; specialization is its"
                                        + " blueprint. start_new_agent_conversation gives it work.",
                                operation.call().output(),
                                Map.of(),
                                Set.of(
                                        SESSION_ID,
                                        "session_type",
                                        "source_app",
                                        "parent_session_name"))
                        .calling(
                                Map.of(
                                        PARENT,
                                        SESSION_ID,
                                        "session_name",
                                        "agent_name",
                                        "agent_name",
                                        "specialization")),
                operation,
                Tool.Answer::whole,
                new OwnSession<>(PARENT));
    }

    /** A question to a person. */
    record Ask(
            @Field(value = "the question, complete in itself", bytes = Sizes.METADATA_BYTES_MAX)
                    String question,
            @Field("the session that asks") String sessionId,
            @Field("the answer, once there is one") @Nullable String answer) {}

    /** The answer, if there is one yet. */
    record Asked(
            @Field("the answer of the person; null if nobody has answered yet")
                    @Nullable String answer,
            @Field("what happens next") String next) {}

    private Tool<Ask, Asked> ask() {
        dev.coppice.wire.Call<Ask, Asked> call =
                dev.coppice.wire.Call.post(
                        "ask_human", "/mcp", Ask.class, Asked.class, "Ask a person");
        return new Tool<>(
                new Tool.Listing(
                        call.name(),
                        "Ask a person",
                        "Asks the person at your client, if your client can; else the people who"
                                + " watch your tree: the question stands in its events, your"
                                + " session is shown as asking, and the answer comes as a message"
                                + " to you. Ask only what you cannot find out.",
                        Asked.class,
                        Map.of(),
                        Set.of(SESSION_ID, "answer")),
                Operation.of(call, Need.REPORT, this::asked),
                Tool.Answer::whole,
                new Tool.Manner<>() {
                    @Override
                    public Arguments confirmed(
                            Context context, Arguments arguments, Channel channel)
                            throws BrokenCall, Unanswered, Cancelled {
                        return answered(arguments.with(SESSION_ID, own(context)), channel);
                    }
                });
    }

    private static Arguments answered(Arguments arguments, Channel channel)
            throws BrokenCall, Unanswered, Cancelled {
        var question = arguments.text("question");
        if (question == null || !channel.client().hasForms()) return arguments;
        var answer = channel.ask(Map.of("answer", Question.form(question, FORM))).get("answer");
        if (answer == null || !"accept".equals(Json.text(answer, "action"))) return arguments;
        var said = answer.path("content").path("answer");
        return said.isString() ? arguments.with("answer", said.asString()) : arguments;
    }

    private Outcome<Asked> asked(Context context, Ask in) {
        var event = new LinkedHashMap<String, Object>();
        event.put("event_type", in.answer() == null ? "question" : "question_answered");
        event.put("question", in.question());
        if (in.answer() != null) event.put("answer", in.answer());
        var asked = Map.<String, Object>of(SESSION_ID, in.sessionId(), "event", event);
        return OperationTools.performed(context, report, asked)
                .map(_ ->
                        in.answer() != null
                                ? new Asked(in.answer(), "Go on.")
                                : new Asked(
                                        null,
                                        "The question is shown to people. End your turn or do"
                                                + " something else; the answer comes as a"
                                                + " message."));
    }

    /** The work of a removal. */
    record WorkOf(
            @Field("the removal") String removalId,
            @Field(value = "its number in the list, from 1; absent for all", min = 1)
                    @Nullable Integer number) {}

    /** The ways to restore preserved work. */
    record Restorable(
            @Field("the preserved work, each with the command that restores it") List<Item> work) {}

    /** Preserved work, and the command that restores it where it is run. */
    record Item(
            @Field("the work") WorkView preserved,
            @Field("run this in a shell; DIR is a directory that does not exist yet")
                    String command) {}

    private Tool<WorkOf, Restorable> restoreWork() {
        dev.coppice.wire.Call<WorkOf, Restorable> call =
                dev.coppice.wire.Call.get(
                        "restore_work",
                        "/mcp",
                        WorkOf.class,
                        Restorable.class,
                        "Show how preserved work is restored");
        return new Tool<>(
                new Tool.Listing(
                        call.name(),
                        "Restore preserved work",
                        "Shows the preserved work of a removal, and for each the command that"
                                + " restores it on your machine into a new directory, on a branch"
                                + " of its own. undo_deletion brings the sessions back instead.",
                        Restorable.class,
                        Map.of(),
                        Set.of()),
                Operation.of(call, Need.READ, this::restorable),
                Tool.Answer::whole);
    }

    private Outcome<Restorable> restorable(Context context, WorkOf in) {
        var asked = Map.<String, Object>of("removal_id", in.removalId(), "limit", CHILDREN_MAX);
        return OperationTools.performed(context, work, asked).map(page -> restorable(in, page));
    }

    private static Restorable restorable(WorkOf in, JsonNode page) {
        var items = new ArrayList<Item>();
        int number = 0;
        for (var each : page.get("work")) {
            number++;
            if (in.number() != null && in.number() != number) continue;
            var command =
                    "coppice work restore %s --number %d --into DIR"
                            .formatted(in.removalId(), number);
            items.add(new Item(Json.as(each, WorkView.class), command));
        }
        return new Restorable(items);
    }
}
