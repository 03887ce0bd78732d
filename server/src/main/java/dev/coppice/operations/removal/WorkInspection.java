package dev.coppice.operations.removal;

import dev.coppice.fleet.Runner;
import dev.coppice.fleet.Runners;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Topic;
import dev.coppice.kernel.Transactions;
import dev.coppice.removal.Choices;
import dev.coppice.request.TopicNotifier;
import dev.coppice.word.Choice;
import dev.coppice.work.DirectoryTasks;
import dev.coppice.work.InspectWork;
import dev.coppice.work.InspectedWork;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;

/** Has runners inspect directories, and waits for their answers for a limited time. */
public final class WorkInspection {
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Duration COPYING = Duration.ofSeconds(60);

    /** A runner that has been silent for longer will not answer in time. */
    private static final Duration SILENT = Duration.ofSeconds(45);

    private final Transactions transactions;
    private final InspectWork look;
    private final Runners runners;
    private final TopicNotifier notifier;
    private final InstantSource clock;

    public WorkInspection(
            Transactions transactions,
            InspectWork look,
            Runners runners,
            TopicNotifier notifier,
            InstantSource clock) {
        this.transactions = transactions;
        this.look = look;
        this.runners = runners;
        this.notifier = notifier;
        this.clock = clock;
    }

    InspectedWork at(SessionId top, Choices choices) {
        var reach =
                choices.children() == Choice.Children.DETACH
                        ? DirectoryTasks.Reach.ALONE
                        : DirectoryTasks.Reach.TREE;
        var preservation = choices.preservation();
        return seen(
                look.ask(top, reach, preservation.ignored(), preservation.directories()), PATIENCE);
    }

    /** Inspects preserved work and processes on every host with a runner. */
    InspectedWork everywhere(Duration patience) {
        var hosts =
                transactions.read(runners::all).stream()
                        .filter(r -> r.protocol() == Runner.Protocol.FENCED)
                        .map(r -> r.post().hostname())
                        .distinct()
                        .toList();
        return seen(look.check(hosts), patience);
    }

    private InspectedWork seen(List<DirectoryTasks.Created> asked, Duration patience) {
        await(asked, patience);
        return look.collect(asked);
    }

    /** Copies the unsaved work of a tree that stays, and drops the copies after {@code use}. */
    <T> T withCopies(SessionId top, Function<InspectWork.Copied, T> use) {
        var asked = look.copy(top);
        await(asked, COPYING);
        var copied = look.finishCopies(asked);
        try {
            return use.apply(copied);
        } finally {
            look.forget(copied.tasks());
        }
    }

    private void await(List<DirectoryTasks.Created> asked, Duration patience) {
        try {
            awaitAll(asked.stream().filter(a -> isServed(a.host())).toList(), patience);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitAll(List<DirectoryTasks.Created> asked, Duration patience)
            throws InterruptedException {
        long until = System.nanoTime() + patience.toNanos();
        try (var subscription = notifier.subscribe(new Topic.TaskOver())) {
            while (notifier.isOpen() && !look.isSeen(asked)) {
                long left = until - System.nanoTime();
                if (left <= 0) return;
                subscription.await(
                        Duration.ofNanos(Math.min(left, Duration.ofSeconds(1).toNanos())));
            }
        }
    }

    private boolean isServed(String host) {
        var since = clock.instant().minus(SILENT);
        return transactions.read(runners::all).stream()
                .filter(r -> r.protocol() == Runner.Protocol.FENCED)
                .anyMatch(r -> r.post().hostname().equals(host) && r.seen().isAfter(since));
    }
}
