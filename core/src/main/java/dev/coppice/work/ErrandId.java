package dev.coppice.work;

/** Names an errand. */
public record ErrandId(String value) {
    @Override
    public String toString() {
        return value;
    }
}
