package dev.coppice.bench;

import java.util.Arrays;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.IntConsumer;

/** Some clients that do the same thing again and again, and how long it took each time. */
record Load(double perSecond, double p50Millis, double p99Millis) {

    static Load of(int clients, int total, IntConsumer work) throws InterruptedException {
        var next = new AtomicInteger();
        var took = new ConcurrentLinkedQueue<Long>();
        var done = new CountDownLatch(clients);
        long from = System.nanoTime();
        for (int c = 0; c < clients; c++) {
            Thread.ofVirtual()
                    .start(() -> {
                        try {
                            repeat(next, total, work, took);
                        } finally {
                            done.countDown();
                        }
                    });
        }
        done.await();
        double seconds = (System.nanoTime() - from) / 1e9;
        if (took.size() < total)
            throw new IllegalStateException("only " + took.size() + " were done");
        return of(List.copyOf(took), seconds);
    }

    private static void repeat(
            AtomicInteger next, int total, IntConsumer work, ConcurrentLinkedQueue<Long> took) {
        int i = next.getAndIncrement();
        while (i < total) {
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
                sorted.length / seconds,
                sorted[sorted.length / 2] / 1e6,
                sorted[(int) (sorted.length * 0.99)] / 1e6);
    }
}
