package dev.coppice.mcp;

import dev.coppice.access.Caller;
import dev.coppice.access.Validity;
import dev.coppice.boot.Offer;
import dev.coppice.follow.Followers;
import dev.coppice.mcp.call.BrokenCall;
import dev.coppice.mcp.call.Call;
import dev.coppice.mcp.call.Client;
import dev.coppice.mcp.call.ClientSession;
import dev.coppice.mcp.call.Outbox;
import dev.coppice.mcp.call.Tasks;
import dev.coppice.mcp.message.Changes.Acknowledged;
import dev.coppice.mcp.message.Changes.Changed;
import dev.coppice.mcp.message.Changes.Closed;
import dev.coppice.mcp.message.Changes.Notification;
import dev.coppice.mcp.message.Changes.SubscriptionMeta;
import dev.coppice.mcp.message.Changes.Updated;
import dev.coppice.mcp.message.Changes.Wanted;
import dev.coppice.mcp.tool.Resources;
import dev.coppice.request.Context;
import dev.coppice.request.Reply;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.Consumer;

/**
 * Notifies clients of changes to lists, and to the resources and tasks that they named. Clients of
 * the later era listen on the stream of a request, those with a session on its own stream.
 */
final class Listening {
    static final String TOOLS = "tools";
    static final String PROMPTS = "prompts";
    private static final int NAMES_MAX = 100;

    private final Resources resources;
    private final Updates updates;
    private final Tasks tasks;
    private final Followers followers;
    private final Validity validity;
    private final @Nullable Examples examples;
    private final Set<Consumer<String>> ofLists = ConcurrentHashMap.newKeySet();
    private final Set<Runnable> endings = ConcurrentHashMap.newKeySet();

    /** {@code examples} change lists and have further resources; null if there are none. */
    Listening(
            Resources resources,
            Updates updates,
            Tasks tasks,
            Offer offer,
            @Nullable Examples examples) {
        this.resources = resources;
        this.updates = updates;
        this.tasks = tasks;
        this.followers = offer.followers();
        this.validity = offer.validity();
        this.examples = examples;
    }

    /** Notifies all listeners that a list has changed. */
    void changed(String list) {
        ofLists.forEach(reader -> reader.accept(list));
    }

    /** Watches a resource for a session. */
    void watch(Context context, ClientSession session, String uri) throws BrokenCall {
        var message = new Notification("notifications/resources/updated", new Updated(uri, null));
        var target = target(context, session.client(), uri);
        session.watch(uri, watch(target, session.caller(), () -> session.own().sendOnce(message)));
    }

    /** Empty for an example, which never changes. */
    private Optional<Resources.Target> target(Context context, Client client, String uri)
            throws BrokenCall {
        return examples != null && examples.resource(uri).isPresent()
                ? Optional.empty()
                : Optional.of(resources.target(context, client, uri));
    }

    private Runnable watch(Optional<Resources.Target> target, Caller caller, Runnable changed) {
        return target.isPresent() ? updates.watch(target.get(), caller, changed) : () -> {};
    }

    /** Opens the stream of a request for changes. */
    Reply listen(Context context, Call call) throws BrokenCall {
        var asked = call.params().path("notifications");
        if (!asked.isObject()) throw new BrokenCall(400, -32602, "notifications must be an object");
        var client = call.client();
        var uris = names(asked, "resourceSubscriptions");
        var taskIds = names(asked, "taskIds");
        if (!taskIds.isEmpty() && !client.hasTasks()) {
            throw BrokenCall.missingExtension(client, Client.TASKS);
        }
        var caller = client.caller();
        var place = followers.enter(caller);
        var out = new Outbox();
        var meta = new SubscriptionMeta(call.id());
        var ends = new ArrayList<Runnable>();
        ends.add(place::close);
        try {
            begin(context, call, new Names(uris, taskIds), out, ends);
        } catch (BrokenCall | RuntimeException e) {
            ends.forEach(Runnable::run);
            throw e;
        }
        Runnable ending = () -> out.end(call.answer(new Closed("complete", meta)));
        endings.add(ending);
        ends.add(() -> endings.remove(ending));
        return new Reply.Stream(sink -> {
            try {
                out.into(sink, 0, validity.whileOpen(caller));
            } finally {
                ends.forEach(Runnable::run);
            }
        });
    }

    /** The resources and tasks that a client named. */
    private record Names(List<String> uris, List<String> tasks) {}

    private void begin(Context context, Call call, Names names, Outbox out, List<Runnable> ends)
            throws BrokenCall {
        var meta = new SubscriptionMeta(call.id());
        var asked = call.params().path("notifications");
        var seenUris = new ArrayList<String>();
        var starts = new ArrayList<Runnable>();
        for (var uri : names.uris()) {
            var message =
                    new Notification("notifications/resources/updated", new Updated(uri, meta));
            try {
                var target = target(context, call.client(), uri);
                var caller = call.client().caller();
                starts.add(() -> ends.add(watch(target, caller, () -> out.sendOnce(message))));
                seenUris.add(uri);
            } catch (BrokenCall _) {
                // The acknowledgement leaves out what the client cannot watch.
            }
        }
        var seenTasks = new ArrayList<String>();
        for (var id : names.tasks()) {
            var task = tasks.find(id, call.client().caller());
            if (task.isEmpty()) continue;
            seenTasks.add(id);
            starts.add(() ->
                    ends.add(
                            task.get()
                                    .follow(view ->
                                            out.sendOnce(
                                                    new Notification(
                                                            "notifications/tasks",
                                                            view.with(meta))))));
        }
        boolean tools = examples != null && asked.path("toolsListChanged").asBoolean(false);
        boolean prompts = examples != null && asked.path("promptsListChanged").asBoolean(false);
        out.send(
                new Notification(
                        "notifications/subscriptions/acknowledged",
                        new Acknowledged(
                                new Wanted(
                                        tools ? true : null,
                                        prompts ? true : null,
                                        seenUris.isEmpty() ? null : seenUris,
                                        seenTasks.isEmpty() ? null : seenTasks),
                                meta)));
        starts.forEach(Runnable::run);
        ends.add(
                onLists(list -> {
                    if (list.equals(TOOLS) ? tools : prompts) out.sendOnce(listChanged(list, meta));
                }));
    }

    private static Notification listChanged(String list, @Nullable SubscriptionMeta meta) {
        return new Notification("notifications/%s/list_changed".formatted(list), new Changed(meta));
    }

    private Runnable onLists(Consumer<String> reader) {
        ofLists.add(reader);
        return () -> ofLists.remove(reader);
    }

    /** The stream of a session for messages that belong to no call, or the rest of a call's. */
    Reply stream(ClientSession session, Outbox out, long after) {
        var caller = session.caller();
        boolean isOwn = out == session.own();
        var place = followers.enter(caller);
        return new Reply.Stream(sink -> {
            var end =
                    isOwn
                            ? onLists(list -> out.sendOnce(listChanged(list, null)))
                            : (Runnable) () -> {};
            try (place) {
                out.into(sink, after, validity.whileOpen(caller));
            } finally {
                end.run();
                session.touch();
            }
        });
    }

    private static List<String> names(JsonNode asked, String field) throws BrokenCall {
        var sent = asked.get(field);
        if (sent == null || sent.isNull()) return List.of();
        boolean areTexts = sent.isArray() && sent.valueStream().allMatch(JsonNode::isString);
        if (!areTexts || sent.size() > NAMES_MAX) {
            throw new BrokenCall(
                    400,
                    -32602,
                    "%s must be a list of at most %d texts".formatted(field, NAMES_MAX));
        }
        return sent.valueStream().map(JsonNode::asString).distinct().toList();
    }

    /** Ends all subscriptions in the way that their clients expect. */
    void close() {
        endings.forEach(Runnable::run);
    }
}
