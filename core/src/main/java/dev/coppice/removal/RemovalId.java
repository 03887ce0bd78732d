package dev.coppice.removal;

import dev.coppice.kernel.Ids;

/** Names one removal. */
public record RemovalId(String value) {
    static RemovalId made(Ids ids) {
        return new RemovalId("rem_" + ids.twelveHex());
    }

    @Override
    public String toString() {
        return value;
    }
}
