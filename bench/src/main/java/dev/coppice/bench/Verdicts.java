package dev.coppice.bench;

/** Prints each figure with its target, and remembers if all targets were met. */
final class Verdicts {
    private boolean met = true;

    /** Prints a ratio of which more is better. */
    void atLeast(String what, double ratio, double target) {
        say(what, ratio, "at least", target, ratio >= target);
    }

    /** Prints a ratio of which less is better. */
    void atMost(String what, double ratio, double target) {
        say(what, ratio, "at most", target, ratio <= target);
    }

    private void say(String what, double ratio, String side, double target, boolean good) {
        met &= good;
        System.out.printf(
                "  %-52s ratio %6.2f, %s %.2f: %s%n",
                what, ratio, side, target, good ? "met" : "MISSED");
    }

    static void note(String text, Object... values) {
        System.out.printf("    " + text + "%n", values);
    }

    boolean areAllMet() {
        return met;
    }
}
