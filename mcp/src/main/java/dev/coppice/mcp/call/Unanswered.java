package dev.coppice.mcp.call;

import dev.coppice.mcp.message.Changes.InputRequired;

/** Ends a request that needs answers first: the client repeats it with them. */
public final class Unanswered extends Exception {
    private static final long serialVersionUID = 1;
    private final transient InputRequired asked;

    Unanswered(InputRequired asked) {
        super("the client must answer first");
        this.asked = asked;
    }

    InputRequired asked() {
        return asked;
    }
}
