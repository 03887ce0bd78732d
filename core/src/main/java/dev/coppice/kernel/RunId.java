package dev.coppice.kernel;

/** The id of a run. The coordinator always generates it. */
public record RunId(String value) {
    public static RunId made(Ids ids) {
        return new RunId("run_" + ids.twelveHex());
    }

    @Override
    public String toString() {
        return value;
    }
}
