package dev.coppice.wire;

/** Descriptions and examples that many fields share. */
public final class Descriptions {
    public static final String NEXT = "the cursor of the next page; null on the last";
    public static final String SESSION = "the id of the session";
    public static final String NAME = "the name of the session";
    public static final String REASON = "why; recorded in the audit";
    public static final String TIME = "2026-11-23T12:00:00Z";
    public static final String WAVE_ID = "wave_0123456789ab";
    public static final String RUN_ID = "run_0123456789ab";
    public static final String REMOVAL_ID = "rem_0123456789ab";

    private Descriptions() {}
}
