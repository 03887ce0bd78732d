package dev.coppice.boot;

import dev.coppice.wire.removal.StorageCalls.Storage;

import org.jspecify.annotations.Nullable;

import java.util.function.Supplier;

/**
 * Measures the disk space on a connection of its own, because it reads the whole database. One
 * measurement runs at a time; callers that waited for it share its result.
 */
final class StorageMeasure implements Supplier<Storage> {
    private final DatabaseSchema schema;
    private @Nullable Storage last;
    private long measured;

    StorageMeasure(Settings settings) {
        this.schema = new DatabaseSchema(settings);
    }

    @Override
    public Storage get() {
        return since(System.nanoTime());
    }

    private synchronized Storage since(long asked) {
        var shared = last;
        if (shared != null && measured - asked > 0) return shared;
        var found = schema.storage();
        last = found;
        measured = System.nanoTime();
        return found;
    }
}
