package dev.coppice.removal;

import dev.coppice.kernel.Ids;

public record RemovalId(String value) {
    static RemovalId made(Ids ids) {
        return new RemovalId("rem_" + ids.twelveHex());
    }

    @Override
    public String toString() {
        return value;
    }
}
