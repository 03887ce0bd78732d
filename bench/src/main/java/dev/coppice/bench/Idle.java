package dev.coppice.bench;

import java.util.concurrent.CountDownLatch;

/** A JVM that prints one line and then does nothing. */
public final class Idle {
    private Idle() {}

    public static void main(String[] args) throws InterruptedException {
        System.out.println("idle");
        new CountDownLatch(1).await();
    }
}
