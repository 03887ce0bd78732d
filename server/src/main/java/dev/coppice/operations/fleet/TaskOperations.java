package dev.coppice.operations.fleet;

import dev.coppice.access.Need;
import dev.coppice.backup.UploadStore;
import dev.coppice.fleet.Runner;
import dev.coppice.fleet.Runners;
import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Outcome;
import dev.coppice.kernel.RemovalRefusal;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.RunRefusal;
import dev.coppice.kernel.RunnerId;
import dev.coppice.kernel.Transactions;
import dev.coppice.removal.Backups;
import dev.coppice.request.Context;
import dev.coppice.request.Operation;
import dev.coppice.view.WorkViews;
import dev.coppice.wire.event.EventCalls;
import dev.coppice.wire.fleet.DirectoryTaskResult;
import dev.coppice.wire.fleet.RunnerCalls;
import dev.coppice.work.DirectoryTask;
import dev.coppice.work.DirectoryTaskId;
import dev.coppice.work.HandleTasks;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;

/** Takes the files and the reports of directory tasks from runners. */
public final class TaskOperations {
    private final Transactions transactions;
    private final Runners runners;
    private final HandleTasks tasks;
    private final UploadStore storeroom;

    public TaskOperations(
            Transactions transactions, Runners runners, HandleTasks tasks, UploadStore storeroom) {
        this.transactions = transactions;
        this.runners = runners;
        this.tasks = tasks;
        this.storeroom = storeroom;
    }

    public List<Operation<?, ?>> all() {
        return List.of(
                Operation.of(RunnerCalls.TASK_PART, Need.RUN, this::part),
                Operation.of(RunnerCalls.TASK_DONE, Need.RUN, (_, in) -> done(in)));
    }

    private Outcome<EventCalls.Done> part(Context x, RunnerCalls.TaskPart in) {
        var id = new DirectoryTaskId(in.taskId());
        var task = tasks.findOpen(id);
        if (task.isEmpty()) return Outcome.refused(unknown(id));
        var joined = x.caller().joined();
        if (joined != null && !isOn(task.get().host(), joined.runner())) {
            return Outcome.refused(new RequestRefusal.NotAllowed("act as another runner"));
        }
        var part = in.part();
        var name = String.valueOf(part.file());
        try {
            var bytes = Base64.getDecoder().decode(String.valueOf(part.data()));
            storeroom.take(id.value(), name, part.offset(), bytes);
            return Outcome.done(EventCalls.Done.OK);
        } catch (UploadStore.NotTaken e) {
            return Outcome.refused(notTaken(name, e));
        } catch (Backups.NotWritten e) {
            return Outcome.refused(notWritten(e));
        } catch (IllegalArgumentException _) {
            return Outcome.refused(
                    new RequestRefusal.BadValue("data", "a text", "bytes in base 64"));
        }
    }

    private Outcome<EventCalls.Done> done(RunnerCalls.TaskDone in) {
        var answer = in.answer();
        var id = new DirectoryTaskId(in.taskId());
        var task = tasks.findOpen(id);
        if (task.isEmpty()) return Outcome.refused(unknown(id));
        var runner = runner(answer.runnerId());
        // A runner on another host cannot have done the task.
        if (runner.isEmpty() || !runner.get().post().hostname().equals(task.get().host())) {
            return Outcome.refused(new RunRefusal.RunnerUnknown(String.valueOf(answer.runnerId())));
        }
        var error = answer.error();
        if (error != null) {
            var why = Bounds.lastOf(error, Bounds.REASON_CHARS_MAX);
            return tasks.fail(id, why).map(_ -> EventCalls.Done.OK);
        }
        return taken(task.get(), answer);
    }

    /** Verifies the uploaded files before the task is done. */
    private Outcome<EventCalls.Done> taken(DirectoryTask task, DirectoryTaskResult answer) {
        var items = new ArrayList<dev.coppice.work.WorkItem>();
        for (var item :
                answer.items() == null ? List.<DirectoryTaskResult.Item>of() : answer.items()) {
            try {
                var preserved = item.preserved();
                if (preserved != null && preserved.file() != null) {
                    if (!preserved.file().startsWith(task.id() + "/")) {
                        throw new IllegalArgumentException("a file of another task");
                    }
                    storeroom.complete(
                            preserved.file(), String.valueOf(preserved.sha256()), preserved.size());
                }
                items.add(WorkViews.item(item, task.host()));
            } catch (UploadStore.NotTaken e) {
                tasks.fail(task.id(), item.directory() + ": " + e.getMessage());
                return Outcome.refused(notTaken(item.directory(), e));
            } catch (Backups.NotWritten e) {
                tasks.fail(task.id(), item.directory() + ": " + e.getMessage());
                return Outcome.refused(notWritten(e));
            } catch (IllegalArgumentException _) {
                return Outcome.refused(
                        new RequestRefusal.BadValue(
                                "kind",
                                item.kind(),
                                "git, plain or output, with files of this task"));
            }
        }
        return tasks.complete(task.id(), items).map(_ -> EventCalls.Done.OK);
    }

    private boolean isOn(String host, @Nullable RunnerId id) {
        return id != null
                && runner(id.value()).filter(r -> r.post().hostname().equals(host)).isPresent();
    }

    private Optional<Runner> runner(@Nullable String id) {
        return transactions.read(() -> runners.find(new RunnerId(String.valueOf(id))));
    }

    private static RequestRefusal notTaken(String file, UploadStore.NotTaken e) {
        return new RequestRefusal.BadValue("file", file, "uploaded as declared: " + e.getMessage());
    }

    private static RemovalRefusal notWritten(Backups.NotWritten e) {
        return new RemovalRefusal.BackupNotWritten(String.valueOf(e.getMessage()));
    }

    private static RequestRefusal unknown(DirectoryTaskId id) {
        return new RequestRefusal.BadValue("task", id.value(), "one that is still open");
    }
}
