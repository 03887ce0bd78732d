package dev.coppice.boot;

import dev.coppice.journal.Journal;
import dev.coppice.store.Database;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/**
 * Says within half a second what is wrong with the store. One read is under way at a time, however
 * many ask, so a database that stands still is not asked by more and more of them.
 */
final class StoreCheck implements Supplier<List<String>> {
    private static final int PATIENCE_MILLIS = 500;
    private final Database database;
    private final Journal journal;
    private CompletableFuture<Long> answer = CompletableFuture.completedFuture(0L);
    private long asked;

    StoreCheck(Database database, Journal journal) {
        this.database = database;
        this.journal = journal;
    }

    @Override
    public List<String> get() {
        var found = new ArrayList<String>();
        database.condition().ifPresent(found::add);
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

    private synchronized CompletableFuture<Long> asked() {
        if (!answer.isDone()) return answer;
        asked = System.nanoTime();
        answer = new CompletableFuture<>();
        var mine = answer;
        Thread.ofVirtual().name("store-check").start(() -> ask(mine));
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
