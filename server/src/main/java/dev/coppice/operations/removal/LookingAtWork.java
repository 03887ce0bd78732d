package dev.coppice.operations.removal;

import dev.coppice.fleet.Runner;
import dev.coppice.fleet.Runners;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Topic;
import dev.coppice.kernel.Transactions;
import dev.coppice.removal.Choices;
import dev.coppice.web.Bell;
import dev.coppice.work.Errands;
import dev.coppice.work.LookAtWork;
import dev.coppice.work.WorkSeen;

import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.function.Function;

/** Has runners look at their hosts, and waits for them as long as someone would. */
public final class LookingAtWork {
    static final Duration PATIENCE = Duration.ofSeconds(10);

    private static final Duration COPYING = Duration.ofSeconds(60);

    /** A runner that has been silent for longer will not answer in time. */
    private static final Duration SILENT = Duration.ofSeconds(45);

    private final Transactions transactions;
    private final LookAtWork look;
    private final Runners runners;
    private final Bell bell;
    private final InstantSource clock;

    public LookingAtWork(
            Transactions transactions,
            LookAtWork look,
            Runners runners,
            Bell bell,
            InstantSource clock) {
        this.transactions = transactions;
        this.look = look;
        this.runners = runners;
        this.bell = bell;
        this.clock = clock;
    }

    WorkSeen at(SessionId top, Choices choices) {
        var reach =
                choices.children() == Choices.Children.DETACH
                        ? Errands.Reach.ALONE
                        : Errands.Reach.TREE;
        var keeping = choices.keeping();
        return seen(look.ask(top, reach, keeping.ignored(), keeping.directories()), PATIENCE);
    }

    /** Whatever was kept or runs on any host with a runner. */
    WorkSeen everywhere(Duration patience) {
        var hosts =
                transactions.read(runners::all).stream()
                        .filter(r -> r.protocol() == Runner.Protocol.FENCED)
                        .map(r -> r.post().hostname())
                        .distinct()
                        .toList();
        return seen(look.check(hosts), patience);
    }

    private WorkSeen seen(List<Errands.Asked> asked, Duration patience) {
        await(asked, patience);
        return look.seen(asked);
    }

    /** What is unsaved in a tree that stays, in files of its own; they are dropped afterwards. */
    <T> T copied(SessionId top, Function<LookAtWork.Copied, T> use) {
        var asked = look.copy(top);
        await(asked, COPYING);
        var copied = look.copied(asked);
        try {
            return use.apply(copied);
        } finally {
            look.forget(copied.errands());
        }
    }

    private void await(List<Errands.Asked> asked, Duration patience) {
        try {
            awaitAll(asked.stream().filter(a -> isServed(a.host())).toList(), patience);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitAll(List<Errands.Asked> asked, Duration patience)
            throws InterruptedException {
        long until = System.nanoTime() + patience.toNanos();
        try (var ear = bell.ear(new Topic.ErrandOver())) {
            while (bell.isOpen() && !look.isSeen(asked)) {
                long left = until - System.nanoTime();
                if (left <= 0) return;
                ear.heard(Duration.ofNanos(Math.min(left, Duration.ofSeconds(1).toNanos())));
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
