package dev.coppice.hooks;

/** The two servers whose pages follow a stream, which begin it differently. */
public enum Flavour {
    HOOK_SERVER(300, false),
    RELATIONSHIP_SERVER(500, true);

    private final int initialMax;
    private final boolean isNewestFirst;

    Flavour(int initialMax, boolean isNewestFirst) {
        this.initialMax = initialMax;
        this.isNewestFirst = isNewestFirst;
    }

    /** The number of events at the beginning of a stream. */
    int initialMax() {
        return initialMax;
    }

    boolean isNewestFirst() {
        return isNewestFirst;
    }
}
