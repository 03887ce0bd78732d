package dev.coppice.mcp.call;

/** Makes the result of a request, and may report to the client and ask it meanwhile. */
public interface Action {
    Object result(Channel channel) throws Call.Broken, Unanswered, Cancelled, InterruptedException;
}
