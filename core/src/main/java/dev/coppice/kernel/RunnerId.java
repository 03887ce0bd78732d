package dev.coppice.kernel;

/** Names one runner; the same machine, directory and profile always give the same id. */
public record RunnerId(String value) {
    @Override
    public String toString() {
        return value;
    }
}
