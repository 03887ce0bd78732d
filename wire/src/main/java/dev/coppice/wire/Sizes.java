package dev.coppice.wire;

/** Bounds that requests are checked against and descriptions repeat. */
public final class Sizes {
    public static final int LABEL_CHARS_MAX = 200;
    public static final int PATH_CHARS_MAX = 4096;
    public static final int METADATA_BYTES_MAX = 64 * 1024;
    public static final int PARAMETERS_BYTES_MAX = 1024 * 1024;
    public static final int IDEMPOTENCY_KEY_CHARS_MAX = 200;
    public static final int PAGE_ITEMS_MAX = 1000;

    /** The turns of a conversation on a page: each can have long texts. */
    public static final int TURNS_MAX = 200;

    public static final int OUTPUT_PART_BYTES_MAX = 256 * 1024;
    public static final long DEADLINE_SECONDS_MAX = 3600;

    public static final long PATIENCE_SECONDS_MAX = 86_400;

    public static final long TOKEN_SECONDS_MAX = 10L * 365 * 24 * 3600;

    private Sizes() {}
}
