package dev.coppice.request;

import dev.coppice.kernel.Cursor.BadCursor;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RequestRefusal;

/** A request that is refused while it is being read. Only the faces catch it, and answer. */
public final class Rejected extends RuntimeException {
    private static final long serialVersionUID = 1;
    private final transient Refusal refusal;

    public Rejected(Refusal refusal) {
        super(refusal.said(), null, false, false);
        this.refusal = refusal;
    }

    public Refusal refusal() {
        return refusal;
    }

    /** The refusal of a bad cursor; only the store can tell whether a value is a cursor. */
    public static Rejected of(BadCursor cursor) {
        var rule = "the cursor 'next' of an earlier page";
        return new Rejected(
                new RequestRefusal.BadValue("after", String.valueOf(cursor.getMessage()), rule));
    }
}
