package dev.coppice.runner.process;

/**
 * A run and the name of its group. A process that waited for a run entered its group before it knew
 * the run, so the two names differ.
 */
record RunGroup(String run, String name) {
    private static final String FOREIGN = "[^A-Za-z0-9_-]";

    /** True if the text is a valid group name, which cannot lead to another directory. */
    static boolean isName(String text) {
        return !text.isEmpty() && text.equals(text.replaceAll(FOREIGN, "_"));
    }

    /** Returns the group of a run whose supervisor was started for it alone. */
    static RunGroup of(String run) {
        return new RunGroup(run, run.replaceAll(FOREIGN, "_"));
    }
}
