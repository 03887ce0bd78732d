package dev.coppice.mcp.call;

import dev.coppice.mcp.message.Changes.LogParams;
import dev.coppice.mcp.message.Changes.Notification;
import dev.coppice.mcp.message.Changes.ProgressParams;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/** The way to a client while one of its requests is answered. */
public final class Channel {
    private static final System.Logger LOG = System.getLogger("mcp");

    private volatile Call call;
    private final Outbox out;
    private volatile Asking asking;
    private final Tasks tasks;
    private final Finishing finishing;
    private volatile @Nullable Task task;
    private final CountDownLatch cancelled = new CountDownLatch(1);

    /** Adds the fields that a result has in the era of its request. */
    public interface Finishing {
        Object whole(Object result);
    }

    /** Makes the result of a request, and may report to the client and ask it meanwhile. */
    public interface Action {
        Object result(Channel channel)
                throws BrokenCall, Unanswered, Cancelled, InterruptedException;
    }

    public Channel(Call call, Outbox out, Asking asking, Tasks tasks, Finishing finishing) {
        this.call = call;
        this.out = out;
        this.asking = asking;
        this.tasks = tasks;
        this.finishing = finishing;
    }

    public Client client() {
        return call.client();
    }

    /** Stops what can be stopped. The answer is no longer expected. */
    public void cancel() {
        cancelled.countDown();
        asking.cancel();
    }

    public boolean isCancelled() {
        return cancelled.getCount() == 0;
    }

    /** Waits for a cancellation; false if none comes in time. */
    public boolean isCancelledWithin(Duration time) throws InterruptedException {
        return cancelled.await(time.toNanos(), TimeUnit.NANOSECONDS);
    }

    public boolean isTask() {
        return task != null;
    }

    /** Ends the client's connection. The client reconnects for the rest. */
    public void hangUp() {
        out.release();
    }

    /** Reports progress: with the client's token, in its task, or in a log if it wants one. */
    public void progress(int percent, int total, String said) {
        var own = task;
        var token = call.progressToken();
        if (own != null) {
            own.said(said);
        } else if (token != null) {
            var params = new ProgressParams(percent, total, said, token);
            out.send(new Notification("notifications/progress", params));
        } else {
            log("info", said);
        }
    }

    public void log(String level, Object data) {
        if (task != null || !client().wantsLog(level)) return;
        var params = new LogParams(level, "coppice", data);
        out.send(new Notification("notifications/message", params));
    }

    /** Asks the client, and waits for all answers. Throws if it lacks a capability. */
    public Map<String, JsonNode> ask(Map<String, Question> questions)
            throws BrokenCall, Unanswered, Cancelled {
        for (var question : questions.values()) {
            if (!client().can(question)) {
                throw BrokenCall.missing(call.client(), question.capability());
            }
        }
        return asking.answers(questions);
    }

    /**
     * Continues the request as a task, if the client supports tasks. A task with a name can be
     * found by it later, even after a restart.
     */
    public void later(@Nullable String name) {
        if (task != null || !client().hasTasks()) return;
        var begun =
                tasks.begin(
                        client().caller(), name, new Task.Work(this::cancel, this::isCancelled));
        if (begun.isEmpty()) return;
        task = begun.get();
        // A task lives for hours after its work is done.
        call = call.lightened();
        asking = begun.get();
        out.end(call.answer(finishing.whole(begun.get().created())));
    }

    /** Requires that the client knows tasks. */
    public void requireTasks() throws BrokenCall {
        if (!client().hasTasks()) throw BrokenCall.missingExtension(client(), Client.TASKS);
    }

    /** Makes the result and sends it. Any failure but a cancellation is answered, too. */
    public void run(Action action) {
        try {
            done(action.result(this));
        } catch (Unanswered e) {
            out.end(call.answer(finishing.whole(e.asked())));
        } catch (BrokenCall e) {
            failed(e);
        } catch (Cancelled _) {
            var own = task;
            if (own != null) own.cancelled();
            out.close();
        } catch (RuntimeException | InterruptedException | Error e) {
            LOG.log(System.Logger.Level.WARNING, "cannot answer " + call.method(), e);
            var why = "the answer was cut off; the operation itself may continue";
            failed(new BrokenCall(500, -32603, why));
        }
    }

    private void done(Object result) {
        var own = task;
        if (own == null) out.end(call.answer(finishing.whole(result)));
        else own.completed(result);
    }

    private void failed(BrokenCall e) {
        var own = task;
        if (own == null) out.end(e.status(), e.answer(call.id()));
        else own.failed(e.fault());
    }
}
