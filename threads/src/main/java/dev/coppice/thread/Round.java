package dev.coppice.thread;

/** Waits for work, and does it. A round that never waits keeps a processor busy. */
@FunctionalInterface
public interface Round {
    void run() throws InterruptedException;
}
