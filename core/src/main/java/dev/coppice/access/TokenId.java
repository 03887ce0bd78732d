package dev.coppice.access;

import dev.coppice.kernel.Ids;

/** The id of an issued token, which is no secret. */
public record TokenId(String value) {
    public static TokenId made(Ids ids) {
        return new TokenId("tok_" + ids.twelveHex());
    }

    @Override
    public String toString() {
        return value;
    }
}
