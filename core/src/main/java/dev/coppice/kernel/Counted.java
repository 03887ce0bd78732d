package dev.coppice.kernel;

/** Words a count with its noun in the singular or plural. */
public final class Counted {
    private Counted() {}

    public static String of(long n, String one, String many) {
        return n + " " + (n == 1 ? one : many);
    }

    public static String sessions(long n) {
        return of(n, "session", "sessions");
    }
}
