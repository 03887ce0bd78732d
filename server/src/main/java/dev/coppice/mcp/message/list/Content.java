package dev.coppice.mcp.message.list;

/** Text content. */
public record Content(String type, String text) {
    public Content(String text) {
        this("text", text);
    }
}
