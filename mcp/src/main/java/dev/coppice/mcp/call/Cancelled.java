package dev.coppice.mcp.call;

/** Ends a request that its client has cancelled. */
public final class Cancelled extends Exception {
    private static final long serialVersionUID = 1;

    public Cancelled() {
        super("the client has cancelled the request");
    }
}
