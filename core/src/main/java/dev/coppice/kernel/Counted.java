package dev.coppice.kernel;

/** How many there are, as one says it. */
public final class Counted {
    private Counted() {}

    public static String of(long n, String one, String many) {
        return n + " " + (n == 1 ? one : many);
    }

    public static String sessions(long n) {
        return of(n, "session", "sessions");
    }
}
