package dev.coppice.callback;

import dev.coppice.kernel.Ids;

public record JoinId(String value) {
    static JoinId made(Ids ids) {
        return new JoinId("join_" + ids.twelveHex());
    }

    @Override
    public String toString() {
        return value;
    }
}
