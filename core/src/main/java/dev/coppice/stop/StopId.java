package dev.coppice.stop;

import dev.coppice.kernel.Ids;

public record StopId(String value) {
    static StopId made(Ids ids) {
        return new StopId("stop_" + ids.twelveHex());
    }

    @Override
    public String toString() {
        return value;
    }
}
