package dev.coppice.mcp;

import dev.coppice.boot.Offer;
import dev.coppice.kernel.OnBehalf;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.Rejected;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.mcp.call.Abilities;
import dev.coppice.mcp.call.Asking;
import dev.coppice.mcp.call.BrokenCall;
import dev.coppice.mcp.call.Call;
import dev.coppice.mcp.call.Channel;
import dev.coppice.mcp.call.Channel.Action;
import dev.coppice.mcp.call.Client;
import dev.coppice.mcp.call.ClientSession;
import dev.coppice.mcp.call.ClientSessions;
import dev.coppice.mcp.call.Outbox;
import dev.coppice.mcp.call.Places;
import dev.coppice.mcp.call.Rounds;
import dev.coppice.mcp.call.Seal;
import dev.coppice.mcp.call.SessionAsking;
import dev.coppice.mcp.call.Tasks;
import dev.coppice.mcp.call.Versions;
import dev.coppice.mcp.message.Envelopes.Capabilities;
import dev.coppice.mcp.message.Envelopes.Discovered;
import dev.coppice.mcp.message.Envelopes.Initialized;
import dev.coppice.mcp.message.Envelopes.Server;
import dev.coppice.mcp.message.Lists.PromptList;
import dev.coppice.mcp.message.Lists.ResourceForms;
import dev.coppice.mcp.message.Lists.ResourceList;
import dev.coppice.mcp.message.Lists.ToolList;
import dev.coppice.mcp.message.Lists.ToolResult;
import dev.coppice.mcp.tool.AgentTools;
import dev.coppice.mcp.tool.Deletion;
import dev.coppice.mcp.tool.DeletionTools;
import dev.coppice.mcp.tool.OperationTools;
import dev.coppice.mcp.tool.Prompts;
import dev.coppice.mcp.tool.Resources;
import dev.coppice.mcp.tool.SessionStatus;
import dev.coppice.mcp.tool.Tool;
import dev.coppice.mcp.tool.Tools;
import dev.coppice.request.Context;
import dev.coppice.request.Reply;
import dev.coppice.request.Wording;
import dev.coppice.thread.Threads;
import dev.coppice.web.Exchange;
import dev.coppice.wire.Json;
import dev.coppice.wire.McpHeaders;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Answers the methods of the protocol. */
final class Methods {
    private static final System.Logger LOG = System.getLogger("mcp");
    private static final long LISTS_FRESH_MILLIS = 300_000;
    private static final long SESSIONS_FRESH_MILLIS = 1_000;
    private static final String INSTRUCTIONS =
            "Sessions of agents form trees. start_agent_session starts one, below yours if you are"
                    + " an agent; get_agent_session_result reads what it found, get_tree shows all"
                    + " of them. delete_session deletes a session and everything below it;"
                    + " get_delete_plan shows what that takes. undo_deletion restores the session.";

    /** The bytes for each character of a message that is sent: its text, and its event. */
    private static final long BYTES_OF_A_CHAR_SENT = 3;

    /** The bytes for each character of a result: its value, its text, and the message of both. */
    private static final long BYTES_OF_A_CHAR_MADE = 8;

    /** A result up to this size takes no room. */
    private static final int SMALL_CHARS = 64 * 1024;

    private static final Set<String> OF_SESSIONS =
            Set.of(
                    "initialize",
                    "ping",
                    "logging/setLevel",
                    "resources/subscribe",
                    "resources/unsubscribe");
    private static final Set<String> ONE_PAGE =
            Set.of("tools/list", "prompts/list", "resources/templates/list");
    private static final Set<String> OF_STATELESS =
            Set.of(
                    "server/discover",
                    "subscriptions/listen",
                    "tasks/get",
                    "tasks/update",
                    "tasks/cancel");

    private final Tools tools;
    private final Resources resources;
    private final @Nullable Examples examples;
    private final Server server;
    private final Replies replies;
    private final Seal seal;
    private final Tasks tasks;
    private final RemovalTasks removalTasks;
    private final Updates updates;
    private final Listening listening;
    private final ClientSessions sessions;
    private final Places places = new Places();

    Methods(Offer offer, ClientSessions sessions, Examples.@Nullable Maker maker) {
        this.sessions = sessions;
        var removals = offer.removals();
        var all = new ArrayList<Tool<?, ?>>();
        var deletion = removals.byFlags(Deletion.CALL, new Deletion.Form());
        all.addAll(
                DeletionTools.of(
                        deletion, removals.undoing(), removals.cancelling(), removals::complete));
        all.addAll(OperationTools.of(offer.operations()));
        all.add(new SessionStatus(offer.operations()).tool());
        all.addAll(new AgentTools(offer.operations(), deletion, offer.sessions().finding()).all());
        this.tools = new Tools(all, offer.sessions().finding(), offer.roles());
        this.resources = new Resources(offer.operations(), offer.roles());
        this.server = new Server("coppice", "Coppice", offer.version());
        this.replies = new Replies(server, offer.validity());
        this.seal = new Seal(offer.tokens().key("mcp", "AES"), offer.clock());
        this.tasks = new Tasks(offer.clock());
        this.removalTasks = new RemovalTasks(resources, removals);
        this.updates = new Updates(offer.tail(), offer.followers(), offer.loops());
        this.examples = maker == null ? null : maker.on(this::changed);
        this.listening = new Listening(resources, updates, tasks, offer, examples);
    }

    private void changed(String list) {
        listening.changed(list);
    }

    Listening listening() {
        return listening;
    }

    Reply answer(Exchange x, Call call) throws BrokenCall {
        boolean stateless = call.client().isStateless();
        if ((stateless ? OF_SESSIONS : OF_STATELESS).contains(call.method())) throw unknown(call);
        if (ONE_PAGE.contains(call.method()) && call.params().hasNonNull("cursor")) {
            throw new BrokenCall(200, -32602, "there is no further page; send no cursor");
        }
        return switch (call.method()) {
            case "initialize" -> begun(call);
            case "ping" -> replies.of(call, Map.of());
            case "logging/setLevel" -> replies.of(call, logging(call));
            case "resources/subscribe" -> replies.of(call, subscribed(x, call));
            case "resources/unsubscribe" -> replies.of(call, unsubscribed(call));
            case "server/discover" -> replies.cached(call, discovered(), LISTS_FRESH_MILLIS);
            case "subscriptions/listen" -> listening.listen(context(x), call);
            case "tasks/get", "tasks/update", "tasks/cancel" -> replies.of(call, task(x, call));
            case "tools/list" ->
                    replies.cached(
                            call,
                            new ToolList(with("tools", tools.list(x.caller()))),
                            LISTS_FRESH_MILLIS);
            case "prompts/list" ->
                    replies.cached(
                            call,
                            new PromptList(with("prompts", Prompts.list())),
                            LISTS_FRESH_MILLIS);
            case "resources/templates/list" ->
                    replies.cached(
                            call,
                            new ResourceForms(with("resourceTemplates", resources.forms())),
                            LISTS_FRESH_MILLIS);
            case "resources/list" -> replies.cached(call, listed(x, call), SESSIONS_FRESH_MILLIS);
            case "resources/read" -> replies.cached(call, read(x, call), SESSIONS_FRESH_MILLIS);
            case "completion/complete" ->
                    replies.of(call, resources.complete(context(x), call.params()));
            case "tools/call" -> talk(x, call, tool(x, call));
            case "prompts/get" -> talk(x, call, prompt(call));
            default -> throw unknown(call);
        };
    }

    private static Context context(Exchange x) {
        return x.context(Wording.MCP);
    }

    private static BrokenCall unknown(Call call) {
        int status = call.client().isStateless() ? 404 : 200;
        return new BrokenCall(status, -32601, "there is no method " + call.method());
    }

    /** Returns the list, after the examples if there are any. */
    private List<Object> with(String kind, List<?> ours) {
        var all = new ArrayList<Object>(examples == null ? List.of() : examples.list(kind));
        all.addAll(ours);
        return all;
    }

    private ResourceList listed(Exchange x, Call call) throws BrokenCall {
        x.hold().answer();
        var page = resources.list(context(x), call.params());
        return call.params().has("cursor")
                ? page
                : new ResourceList(with("resources", page.resources()), page.nextCursor());
    }

    private Object read(Exchange x, Call call) throws BrokenCall {
        x.hold().answer();
        var uri = String.valueOf(Json.text(call.params(), "uri"));
        Optional<Object> example = examples == null ? Optional.empty() : examples.resource(uri);
        return example.isPresent() ? example.get() : resources.read(context(x), call.client(), uri);
    }

    private Action tool(Exchange x, Call call) throws BrokenCall {
        Optional<Action> example = examples == null ? Optional.empty() : examples.tool(x, call);
        return example.isPresent() ? example.get() : tools.action(x, call);
    }

    private Action prompt(Call call) throws BrokenCall {
        Optional<Action> example = examples == null ? Optional.empty() : examples.prompt(call);
        if (example.isPresent()) return example.get();
        var text = Prompts.get(call.params());
        return _ -> text;
    }

    /** Answers a call on a thread of its own: it may outlive the connection. */
    private Reply talk(Exchange x, Call call, Action action) throws BrokenCall {
        var session = call.session();
        var client = call.client();
        var out = session == null ? new Outbox() : session.stream();
        Asking asking = session == null ? new Rounds(seal, call) : new SessionAsking(session, out);
        var channel =
                new Channel(call, out, asking, tasks, all -> replies.whole(client, all, null));
        if (!places.take(client.caller())) {
            throw new Rejected(
                    new RequestRefusal.TooMany(
                            "open MCP calls of this token", places.max(client.caller())));
        }
        try {
            if (session != null) session.begin(call.id(), out, channel::cancel);
        } catch (BrokenCall e) {
            places.free(client.caller());
            throw e;
        }
        var share = x.hold().share();
        Runnable over =
                () -> {
                    x.hold().answered(out.chars() * BYTES_OF_A_CHAR_SENT);
                    share.run();
                    places.free(client.caller());
                    if (session != null) session.end(call.id());
                };
        var held = held(x, call, action);
        start(OnBehalf.carried(OnBehalf.caller(), () -> channel.run(held)), over);
        try {
            return replies.of(x, call, out, channel);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new BrokenCall(503, -32603, "the coordinator is closing");
        }
    }

    private static void start(Runnable work, Runnable over) {
        var thread =
                Threads.virtual("mcp-call")
                        .unstarted(() -> {
                            try {
                                work.run();
                            } finally {
                                over.run();
                            }
                        });
        try {
            thread.start();
        } catch (Error e) {
            over.run();
            throw e;
        }
    }

    /**
     * A read takes room for the largest result first. Any other call takes room for its result
     * afterwards. It is done then and cannot be refused: if there is no room for long, the result
     * is sent without.
     */
    private Action held(Exchange x, Call call, Action action) {
        boolean isRead = tools.isRead(call);
        return channel -> {
            if (isRead) takeRoom(x);
            var result = action.result(channel);
            if (!isRead && result instanceof ToolResult shown) awaitRoom(x, shown.chars());
            return result;
        };
    }

    private static void awaitRoom(Exchange x, int chars) {
        if (chars <= SMALL_CHARS) return;
        try {
            x.hold().answer(chars * BYTES_OF_A_CHAR_MADE);
        } catch (Rejected e) {
            LOG.log(
                    System.Logger.Level.WARNING,
                    "sending a result without room for it: {0}",
                    e.refusal().said());
        }
    }

    static BrokenCall refused(Refusal refusal) {
        var said = "%s. %s".formatted(refusal.said(), Wording.MCP.advice(refusal));
        return new BrokenCall(429, -32600, said);
    }

    private static void takeRoom(Exchange x) throws BrokenCall {
        try {
            x.hold().answer();
        } catch (Rejected e) {
            throw refused(e.refusal());
        }
    }

    private Reply begun(Call call) {
        var agreed = Versions.agreed(Json.text(call.params(), "protocolVersion"));
        var begun =
                sessions.begin(
                        call.client().caller(),
                        agreed,
                        Abilities.of(call.params().path("capabilities")));
        var answer = new Initialized(agreed, capabilities(true), server, INSTRUCTIONS);
        return new Reply.With(replies.of(call, answer), Map.of(McpHeaders.SESSION, begun.id()));
    }

    private static ClientSession own(Call call) throws BrokenCall {
        var session = call.session();
        if (session != null) return session;
        throw new BrokenCall(
                400,
                -32600,
                "%s needs the header %s that initialize answered with"
                        .formatted(call.method(), McpHeaders.SESSION));
    }

    private static Map<String, String> logging(Call call) throws BrokenCall {
        var level = Json.text(call.params(), "level");
        if (level == null || !Client.LOG_LEVELS.contains(level)) {
            throw new BrokenCall(200, -32602, "the level must be one of " + Client.LOG_LEVELS);
        }
        // Without a session, no client gets the log.
        var session = call.session();
        if (session != null) session.logFrom(level);
        return Map.of();
    }

    private Map<String, String> subscribed(Exchange x, Call call) throws BrokenCall {
        listening.watch(context(x), own(call), uri(call));
        return Map.of();
    }

    private static Map<String, String> unsubscribed(Call call) throws BrokenCall {
        own(call).unwatch(uri(call));
        return Map.of();
    }

    private static String uri(Call call) throws BrokenCall {
        var uri = Json.text(call.params(), "uri");
        if (uri == null) throw new BrokenCall(200, -32602, "the parameter uri is missing");
        return uri;
    }

    /** Reads, answers or cancels a task. */
    private Object task(Exchange x, Call call) throws BrokenCall {
        var context = context(x);
        var client = call.client();
        if (!client.hasTasks()) throw BrokenCall.missingExtension(client, Client.TASKS);
        x.hold().answer();
        var id = String.valueOf(Json.text(call.params(), "taskId"));
        var task = tasks.find(id, client.caller());
        boolean isRead = call.method().equals("tasks/get");
        if (task.isEmpty()) {
            if (call.method().equals("tasks/cancel")) removalTasks.cancel(context, id);
            var view = removalTasks.view(context, id);
            return isRead ? view : Map.of();
        }
        if (isRead) return task.get().view();
        if (call.method().equals("tasks/cancel")) {
            task.get().stop();
        } else {
            task.get().answered(Rounds.responses(call.params().get("inputResponses")));
        }
        return Map.of();
    }

    private Discovered discovered() {
        return new Discovered(Versions.ALL, capabilities(false), INSTRUCTIONS);
    }

    private Capabilities capabilities(boolean withSessions) {
        Map<String, Boolean> lists = examples == null ? Map.of() : Map.of("listChanged", true);
        return new Capabilities(
                lists,
                Map.of("subscribe", true),
                lists,
                Map.of(),
                withSessions ? Map.of() : null,
                withSessions ? null : Map.of(Client.TASKS, Map.of()));
    }

    int sweep() {
        tasks.forgetOld();
        return sessions.sweep();
    }

    void close() {
        listening.close();
        updates.close();
    }
}
