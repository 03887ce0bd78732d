package dev.coppice.kernel;

/** The id of a runner. The same host, directory and profile always give the same id. */
public record RunnerId(String value) {
    @Override
    public String toString() {
        return value;
    }
}
