package dev.coppice.thread;

/** Makes the threads of Coppice. A thread that dies of an exception is logged with the cause. */
public final class Threads {
    private static final System.Logger LOG = System.getLogger("threads");

    private Threads() {}

    public static Thread.Builder.OfVirtual virtual(String name) {
        return Thread.ofVirtual().name(name).uncaughtExceptionHandler(Threads::died);
    }

    /** A platform thread that does not keep the process alive. */
    public static Thread.Builder.OfPlatform daemon(String name) {
        return Thread.ofPlatform().daemon().name(name).uncaughtExceptionHandler(Threads::died);
    }

    /**
     * A shutdown hook, not registered yet. The log may be closed when hooks run, so the JVM prints
     * uncaught exceptions.
     */
    public static Thread hook(Runnable work) {
        return Thread.ofPlatform().unstarted(work);
    }

    private static void died(Thread thread, Throwable cause) {
        LOG.log(
                System.Logger.Level.ERROR,
                "thread \"%s\" has died".formatted(thread.getName()),
                cause);
    }
}
