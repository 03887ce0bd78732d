package dev.coppice.kernel;

/**
 * JSON that an edge has already parsed and validated. The rules pass it on unread, so they need no
 * JSON library.
 */
public record JsonText(String value) {
    public static final JsonText EMPTY_OBJECT = new JsonText("{}");

    @Override
    public String toString() {
        return value;
    }
}
