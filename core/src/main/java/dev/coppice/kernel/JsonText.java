package dev.coppice.kernel;

/**
 * JSON that an edge has already read and found good. The rules carry it without looking inside, so
 * they need no JSON library.
 */
public record JsonText(String value) {
    public static final JsonText EMPTY_OBJECT = new JsonText("{}");

    @Override
    public String toString() {
        return value;
    }
}
