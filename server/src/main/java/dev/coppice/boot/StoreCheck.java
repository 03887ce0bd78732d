package dev.coppice.boot;

import dev.coppice.journal.Journal;
import dev.coppice.store.engine.Database;
import dev.coppice.thread.Threads;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Reports within half a second what is wrong with the store. All callers share one read at a time,
 * so that reads do not pile up on a blocked database.
 */
final class StoreCheck implements Supplier<List<String>> {
    private static final System.Logger LOG = System.getLogger("boot");
    private static final int PATIENCE_MILLIS = 500;
    private static final Duration LOOK_MAX = Duration.ofSeconds(20);
    private static final Duration LOOK_AFTER_CRASH_MAX = Duration.ofMinutes(5);
    private final Database database;
    private final Journal journal;
    private final Path data;
    private CompletableFuture<Long> answer = CompletableFuture.completedFuture(0L);
    private long asked;
    private volatile List<String> broken = List.of();

    StoreCheck(Database database, Journal journal, Path data) {
        this.database = database;
        this.journal = journal;
        this.data = data;
    }

    @Override
    public List<String> get() {
        var found = new ArrayList<String>(broken);
        database.condition().ifPresent(found::add);
        if (isReadOnly()) found.add("the disk of %s has become read-only".formatted(data));
        try {
            asked().get(PATIENCE_MILLIS, TimeUnit.MILLISECONDS);
        } catch (TimeoutException _) {
            long millis = TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since());
            found.add("the database has not answered a read for %d ms".formatted(millis));
        } catch (ExecutionException e) {
            found.add("the database does not answer: " + reason(e));
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            found.add("interrupted while asking the database");
        }
        return List.copyOf(found);
    }

    /** The system makes a failing disk read-only, which only a write would show otherwise. */
    private boolean isReadOnly() {
        try {
            return Files.getFileStore(data).isReadOnly();
        } catch (IOException _) {
            return false;
        }
    }

    /** Returns the damage of the database that a bounded check finds. */
    List<String> damage() {
        return worded(database.damage(LOOK_MAX));
    }

    /** Checks for damage after a crash, in the background: a power failure may corrupt the file. */
    void checkAfterCrash() {
        Threads.virtual("damage-check")
                .start(() -> {
                    broken = worded(database.damage(LOOK_AFTER_CRASH_MAX));
                    broken.forEach(flaw -> LOG.log(System.Logger.Level.ERROR, flaw));
                });
    }

    private static List<String> worded(List<String> flaws) {
        return flaws.stream().map("the database is damaged: "::concat).toList();
    }

    private synchronized CompletableFuture<Long> asked() {
        if (!answer.isDone()) return answer;
        asked = System.nanoTime();
        answer = new CompletableFuture<>();
        var mine = answer;
        Threads.virtual("store-check").start(() -> ask(mine));
        return mine;
    }

    private void ask(CompletableFuture<Long> answering) {
        try {
            answering.complete(database.read(journal::head));
        } catch (RuntimeException | Error e) {
            answering.completeExceptionally(e);
        }
    }

    private synchronized long since() {
        return asked;
    }

    private static String reason(Throwable e) {
        var cause = e.getCause();
        return cause == null ? String.valueOf(e.getMessage()) : reason(cause);
    }
}
