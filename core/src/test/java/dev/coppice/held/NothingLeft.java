package dev.coppice.held;

import dev.coppice.removal.Inventory;

import java.util.List;

/**
 * An inventory without leftovers that knows these backups. For stores in memory, where the
 * simulation looks for leftovers itself.
 */
public record NothingLeft(List<String> backups) implements Inventory {
    public NothingLeft {
        backups = List.copyOf(backups);
    }

    @Override
    public List<Leftover> leftovers() {
        return List.of();
    }

    @Override
    public List<String> preservedFiles() {
        return List.of();
    }

    @Override
    public boolean isKnown(String removal) {
        return true;
    }

    @Override
    public boolean mayHaveRefs(String removal) {
        return true;
    }

    @Override
    public boolean isLive(String run) {
        return true;
    }

    @Override
    public boolean wasDeleted(String run) {
        return false;
    }

    @Override
    public boolean isOfASession(String id) {
        return true;
    }

    @Override
    public boolean wasDeleted(String host, String directory) {
        return false;
    }
}
