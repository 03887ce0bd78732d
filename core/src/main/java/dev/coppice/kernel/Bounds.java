package dev.coppice.kernel;

import java.nio.charset.StandardCharsets;
import java.time.Duration;

/** Limits that cannot be configured; the configurable ones are in Limits. */
public final class Bounds {
    /**
     * SQLite stops cascading deletes past 1000 levels; this leaves room, and no tree needs more.
     */
    public static final int TREE_DEPTH_MAX = 256;

    public static final int NAME_CHARS_MAX = 60;
    public static final int PATH_CHARS_MAX = 4096;
    public static final int LABEL_CHARS_MAX = 200;
    public static final int METADATA_BYTES_MAX = 64 * 1024;
    public static final int PARAMETERS_BYTES_MAX = 1024 * 1024;
    public static final int EVENT_BYTES_MAX = 1024 * 1024;
    public static final int RESULT_BYTES_MAX = 8 * 1024 * 1024;
    public static final int REASON_CHARS_MAX = 4000;
    public static final int PAGE_ITEMS_MAX = 1000;
    public static final int PAGE_BYTES_MAX = 4 * 1024 * 1024;
    public static final int PAGE_ITEMS_DEFAULT = 100;
    public static final int BLUEPRINT_BYTES_MAX = 256 * 1024;
    public static final int RUNNER_CAPACITY_DEFAULT = 64;
    public static final int RUNNER_CAPACITY_MAX = 10_000;
    public static final int IDEMPOTENCY_KEY_CHARS_MAX = 200;
    public static final Duration IDEMPOTENCY_RETENTION = Duration.ofHours(24);

    /**
     * Queued runs are found by their demands, and PostgreSQL indexes at most 2,700 bytes. The rest
     * is for the account, and for the host and profile that a resumed session demands.
     */
    public static final int DEMANDS_BYTES_MAX = 1_500;

    public static final int TOKENS_MAX = 1_000;

    /** The refusals of one caller that the audit keeps in an hour; an admin has no limit. */
    public static final int AUDITED_REFUSALS_MAX = 60;

    /** The audited requests that one agent may make in an hour. */
    public static final int AUDITED_ACTS_MAX = 2_000;

    private Bounds() {}

    /** Returns the size of a text as stored, in bytes. */
    public static int bytesOf(String text) {
        return text.getBytes(StandardCharsets.UTF_8).length;
    }

    /** Returns the beginning of a long text. */
    public static String firstOf(String text, int charsMax) {
        if (text.length() <= charsMax) return text;
        int end = Character.isHighSurrogate(text.charAt(charsMax - 1)) ? charsMax - 1 : charsMax;
        return text.substring(0, end);
    }

    /** Returns the end of a long text, where programs report what went wrong. */
    public static String lastOf(String text, int charsMax) {
        if (text.length() <= charsMax) return text;
        int from = text.length() - charsMax;
        if (Character.isLowSurrogate(text.charAt(from))) from++;
        return text.substring(from);
    }
}
