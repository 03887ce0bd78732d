package dev.coppice.mcp.message.change;

/** A message that expects no answer. */
public record Notification(String jsonrpc, String method, Object params) {
    public Notification(String method, Object params) {
        this("2.0", method, params);
    }
}
