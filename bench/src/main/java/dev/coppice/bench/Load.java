package dev.coppice.bench;

import dev.coppice.thread.Threads;

import java.time.Duration;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;
import java.util.function.IntPredicate;

/** The figures of some clients that repeat the same operation. */
record Load(int count, double perSecond, double p50Millis, double p99Millis) {
    private static final Duration REST = Duration.ofMillis(60);

    /** Does nothing, as agents do between starts. */
    static void rest() throws InterruptedException {
        rest(REST);
    }

    static void rest(Duration length) throws InterruptedException {
        boolean never = new CountDownLatch(1).await(length.toNanos(), TimeUnit.NANOSECONDS);
        if (never) throw new IllegalStateException("this latch is never opened");
    }

    static Load of(int clients, int total, IntConsumer work) throws InterruptedException {
        var load = repeated(clients, i -> i < total, work);
        if (load.count() < total)
            throw new IllegalStateException(load.count() + " of " + total + " were done");
        return load;
    }

    /** The same, with a pause of this length on average before each operation of a client. */
    static Load paced(int clients, int total, Duration pause, IntConsumer work)
            throws InterruptedException {
        long most = pause.toNanos() * 2;
        return repeated(
                clients,
                i -> {
                    pause(Duration.ofNanos(ThreadLocalRandom.current().nextLong(most)));
                    return i < total;
                },
                work);
    }

    private static void pause(Duration length) {
        try {
            rest(length);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new IllegalStateException(e);
        }
    }

    /** Work done meanwhile. */
    interface Other {
        void run() throws Exception;
    }

    /** Repeats the operation until the other work ends. */
    static Load during(int clients, IntConsumer work, Other other) throws Exception {
        var over = new AtomicBoolean();
        try (var threads = Executors.newThreadPerTaskExecutor(Threads.virtual("load").factory())) {
            var load = threads.submit(() -> repeated(clients, _ -> !over.get(), work));
            try {
                other.run();
            } finally {
                over.set(true);
            }
            return load.get();
        }
    }

    private static Load repeated(int clients, IntPredicate goesOn, IntConsumer work)
            throws InterruptedException {
        var next = new AtomicInteger();
        var took = new ConcurrentLinkedQueue<Long>();
        var done = new CountDownLatch(clients);
        long from = System.nanoTime();
        for (int c = 0; c < clients; c++) {
            Threads.virtual("client")
                    .start(() -> {
                        try {
                            repeat(next, goesOn, work, took);
                        } finally {
                            done.countDown();
                        }
                    });
        }
        done.await();
        return of(List.copyOf(took), (System.nanoTime() - from) / 1e9);
    }

    private static void repeat(
            AtomicInteger next,
            IntPredicate goesOn,
            IntConsumer work,
            ConcurrentLinkedQueue<Long> took) {
        int i = next.getAndIncrement();
        while (goesOn.test(i)) {
            long from = System.nanoTime();
            work.accept(i);
            took.add(System.nanoTime() - from);
            i = next.getAndIncrement();
        }
    }

    static Load of(List<Long> nanos, double seconds) {
        var sorted = nanos.stream().mapToLong(Long::longValue).toArray();
        Arrays.sort(sorted);
        return new Load(
                sorted.length,
                sorted.length / seconds,
                sorted[sorted.length / 2] / 1e6,
                sorted[(int) (sorted.length * 0.99)] / 1e6);
    }
}
