package dev.coppice.mcp.tool;

import dev.coppice.kernel.Outcome;
import dev.coppice.request.Context;
import dev.coppice.request.Inputs;
import dev.coppice.request.Operation;
import dev.coppice.wire.Call;
import dev.coppice.wire.Json;
import dev.coppice.wire.blueprint.BlueprintCalls;
import dev.coppice.wire.budget.BudgetCalls;
import dev.coppice.wire.callback.CallbackCalls;
import dev.coppice.wire.event.EventCalls;
import dev.coppice.wire.look.TreeCalls;
import dev.coppice.wire.removal.AuditCalls;
import dev.coppice.wire.removal.BackupCalls;
import dev.coppice.wire.removal.RemovalCalls;
import dev.coppice.wire.run.RunCalls;
import dev.coppice.wire.run.StopCalls;
import dev.coppice.wire.session.AwaitCalls;
import dev.coppice.wire.session.SessionCalls;
import dev.coppice.wire.wave.WaveCalls;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Offers operations of the table as tools, under the names by which agents know them. */
public final class OperationTools {
    private static final Set<String> NOTHING = Set.of();

    /** Fields of {@code start_run} that the tool for starts sets itself or does not offer. */
    private static final Set<String> OF_STARTS =
            Set.of("type", "source_app", "session_type", "afresh");

    /** Fields of {@code start_run} that mean nothing for a session that exists already. */
    private static final Set<String> OF_RESUMES =
            Set.of(
                    "type",
                    "source_app",
                    "session_type",
                    "agent_name",
                    "project_dir",
                    "parent_session_id",
                    "parent_session_name",
                    "metadata",
                    "limits",
                    "on_parent_end",
                    "budget",
                    "wave_id",
                    "afresh");

    private static final Map<String, String> MODE = Map.of("execution_mode", "mode");

    private static final List<Named> ALL =
            List.of(
                    new Named("list_agent_blueprints", BlueprintCalls.LIST, "List kinds of agents")
                            .saying("Lists the blueprints that start_agent_session can start."),
                    new Named("list_agent_sessions", SessionCalls.LIST, "List sessions"),
                    new Named("start_agent_session", RunCalls.START, "Start an agent")
                            .with("type", "start_session", OF_STARTS)
                            .calling(MODE)
                            .saying(
                                    "Starts a session, below yours if you are an agent. With"
                                            + " mode sync, the default, the answer comes when it is"
                                            + " over, with result_text and result_data, or as it"
                                            + " is after 'wait', which is 45s. With async_callback"
                                            + " its end wakes you; with async_poll ask"
                                            + " get_agent_session_status."),
                    new Named("resume_agent_session", RunCalls.START, "Go on with a session")
                            .with("type", "resume_session", OF_RESUMES)
                            .calling(MODE)
                            .saying(
                                    "Gives a session that is idle or has ended a new prompt, in its"
                                            + " own conversation. Send session_id or"
                                            + " session_name. mode is as for start_agent_session."),
                    new Named(
                            "get_agent_session_status",
                            SessionCalls.STATUS,
                            "See a session's state"),
                    new Named(
                            "get_agent_session_result",
                            SessionCalls.RESULT,
                            "Read a session's result"),
                    new Named("wait_for_sessions", AwaitCalls.AWAIT, "Wait for sessions")
                            .saying(
                                    "Shows which of several sessions are over. With 'wait' (such as"
                                            + " 45s) the answer comes when all of them are, or"
                                            + " 'count' of them; then call it again."),
                    new Named("create_session", SessionCalls.CREATE, "Create a session")
                            .saying(
                                    "Creates a session without a program, to hold others or to be"
                                            + " bound to a program later. To start an agent, use"
                                            + " start_agent_session."),
                    new Named(
                                    "start_new_agent_conversation",
                                    RunCalls.START,
                                    "Begin a new conversation")
                            .with("type", "resume_session", OF_RESUMES)
                            .fixing("afresh", "true")
                            .calling(Map.of("session_name", "agent_name", "execution_mode", "mode"))
                            .saying(
                                    "Gives an agent that does not run a prompt in a new"
                                            + " conversation, and forgets the old one."
                                            + " resume_agent_session goes on in the old one."),
                    new Named(
                                    "clear_agent_conversation",
                                    SessionCalls.CLEAR,
                                    "Forget a conversation")
                            .calling(Tool.OF_AGENT)
                            .saying(
                                    "Forgets the conversation of an agent that does not run; its"
                                            + " next run begins a new one. Its events stay."),
                    new Named("list_orphans", SessionCalls.ORPHANS, "List orphans"),
                    new Named("list_children", TreeCalls.CHILDREN, "List a session's children"),
                    new Named("get_tree", TreeCalls.TREE, "Show the tree below a session"),
                    new Named("stop_session", StopCalls.STOP, "Stop a session")
                            .saying(
                                    "Stops the run of a session; with scope 'tree' also all"
                                            + " sessions below it, children first. Nothing is"
                                            + " deleted."),
                    new Named("send_message_to_agent", CallbackCalls.SEND, "Send a message")
                            .calling(
                                    Map.of(
                                            "session_id", "agent_id",
                                            "session_name", "agent_name",
                                            "text", "message",
                                            "when_busy", "mode"))
                            .saying(
                                    "Sends a message to an agent. mode says what happens if it is"
                                            + " at work: reject, queue, interrupt, or steer, which"
                                            + " reaches it within its turn if its program can; the"
                                            + " answer says in when_busy which it was."),
                    new Named("list_removals", RemovalCalls.LIST, "List deletions"),
                    new Named("get_removal_plan", RemovalCalls.PLAN, "Look at a removal")
                            .saying(
                                    "Shows what a removal with these choices would take and what"
                                            + " forbids it. Changes nothing. get_delete_plan does"
                                            + " so for delete_session."),
                    new Named("undo_removal", RemovalCalls.UNDO, "Undo a removal")
                            .saying(
                                    "Restores what a removal took, until its undo time. With 'wait'"
                                            + " the answer comes when it is back."),
                    new Named("restore_session", BackupCalls.RESTORE, "Restore from a backup")
                            .saying(
                                    "Restores a tree from a backup of the coordinator, also after"
                                            + " its undo time; with new_ids as a copy."),
                    new Named("list_work", RemovalCalls.WORK, "List work that was preserved"),
                    new Named("search_events", EventCalls.FIND, "Search in events"),
                    new Named("get_budget", BudgetCalls.READ, "Read a session's budget"),
                    new Named("get_audit", AuditCalls.LIST, "Read the audit"),
                    new Named("start_wave", WaveCalls.START, "Start a wave of agents"),
                    new Named("get_wave", WaveCalls.READ, "See a wave"),
                    new Named("list_waves", WaveCalls.LIST, "List waves"),
                    new Named("stop_wave", WaveCalls.STOP, "Stop a wave"));

    private OperationTools() {}

    /** The name of a tool and its operation; without a description, that of the operation. */
    private record Named(
            String tool,
            Call<?, ?> call,
            String title,
            String says,
            Map<String, String> fixed,
            Set<String> hidden,
            Map<String, String> names) {
        Named(String tool, Call<?, ?> call, String title) {
            this(tool, call, title, call.says() + ".", Map.of(), NOTHING, Map.of());
        }

        Named fixing(String field, String value) {
            var more = new LinkedHashMap<>(fixed);
            more.put(field, value);
            return new Named(tool, call, title, says, more, hidden, names);
        }

        /** Offers fields under the names that clients know. */
        Named calling(Map<String, String> others) {
            return new Named(tool, call, title, says, fixed, hidden, others);
        }

        Named saying(String other) {
            return new Named(tool, call, title, other, fixed, hidden, names);
        }

        Named with(String field, String value, Set<String> without) {
            return new Named(tool, call, title, says, Map.of(field, value), without, names);
        }
    }

    public static List<Tool<?, ?>> of(List<Operation<?, ?>> operations) {
        var tools = new ArrayList<Tool<?, ?>>();
        for (var named : ALL) tools.add(tool(named, operation(operations, named.call())));
        return List.copyOf(tools);
    }

    static Operation<?, ?> operation(List<Operation<?, ?>> operations, Call<?, ?> call) {
        return operations.stream()
                .filter(operation -> operation.call().name().equals(call.name()))
                .findFirst()
                .orElseThrow(() -> new IllegalStateException("no operation " + call.name()));
    }

    /** The inputs of a tool that performs an operation itself. */
    static Inputs.Source source(Map<String, ?> asked) {
        return part -> asked.containsKey(part.name()) ? Json.tree(asked.get(part.name())) : null;
    }

    static <I extends Record, O> Outcome<JsonNode> performed(
            Context context, Operation<I, O> operation, Map<String, ?> asked) {
        return operation.perform(context, source(asked)).outcome().map(Json::tree);
    }

    private static <I extends Record, O> Tool<I, O> tool(Named named, Operation<I, O> operation) {
        var output = operation.call().output();
        var listing =
                new Tool.Listing(
                        named.tool(),
                        named.title(),
                        named.says(),
                        output.isRecord() || output.isSealed() ? output : null,
                        named.fixed(),
                        named.hidden(),
                        named.names(),
                        false);
        return named.call().equals(RunCalls.START)
                ? new Tool<>(listing, operation, SyncStart::answer, new SyncStart<>())
                : new Tool<>(listing, operation, Tool.Answer::whole);
    }
}
