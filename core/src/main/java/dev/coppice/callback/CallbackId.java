package dev.coppice.callback;

import dev.coppice.kernel.Ids;

public record CallbackId(String value) {
    static CallbackId made(Ids ids) {
        return new CallbackId("cb_" + ids.twelveHex());
    }

    @Override
    public String toString() {
        return value;
    }
}
