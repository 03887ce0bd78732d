package dev.coppice.kernel;

/** Names one run. Always made by the coordinator. */
public record RunId(String value) {
    public static RunId made(Ids ids) {
        return new RunId("run_" + ids.twelveHex());
    }

    @Override
    public String toString() {
        return value;
    }
}
