package dev.coppice.follow;

import dev.coppice.journal.Entry;
import dev.coppice.journal.Fact;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The newest entries, for all readers. A reader that is behind the ring reads the journal instead,
 * so a slow reader delays no other and costs no memory.
 */
final class Ring {
    private static final int ENTRIES_MAX = 4096;

    private static final long BYTES_MAX = 24L * 1024 * 1024;
    private static final Set<String> HIDES = Set.of("hiding", "purging");
    private final @Nullable Item[] items = new @Nullable Item[ENTRIES_MAX];
    private long count;
    private long oldest;
    private long bytes;
    private long firstAfter;
    private long lastHiding;
    private long last;

    /** The ring has every entry after {@code head}. */
    Ring(long head) {
        this.firstAfter = head;
        this.last = head;
    }

    synchronized long last() {
        return last;
    }

    /** True if sessions were hidden after this entry. */
    synchronized boolean hasHiddenSince(long number) {
        return lastHiding > number;
    }

    synchronized void add(List<Entry> entries) {
        for (var entry : entries) {
            if (entry.number() <= last) continue;
            if (count - oldest == ENTRIES_MAX) forgetOldest();
            // Readers behind this entry go to the journal, which omits hidden sessions.
            if (entry.fact() instanceof Fact.RemovalMoved(_, var state, _)
                    && HIDES.contains(state)) {
                firstAfter = Math.max(firstAfter, entry.number() - 1);
                lastHiding = entry.number();
            }
            var item = new Item(entry);
            items[(int) (count % ENTRIES_MAX)] = item;
            bytes += item.size();
            count++;
            last = entry.number();
            while (bytes > BYTES_MAX) forgetOldest();
        }
    }

    private void forgetOldest() {
        int at = (int) (oldest++ % ENTRIES_MAX);
        var forgotten = items[at];
        if (forgotten == null) return;
        items[at] = null;
        bytes -= forgotten.size();
        firstAfter = Math.max(firstAfter, forgotten.entry().number());
    }

    /**
     * The entries after {@code number}, oldest first, of at most {@code bytesMax} bytes together,
     * but at least one. Empty if the ring lacks some of them.
     */
    synchronized Optional<List<Item>> after(long number, long bytesMax) {
        if (number < firstAfter) return Optional.empty();
        var found = new ArrayList<Item>();
        long size = 0;
        for (long i = firstNewer(oldest, number); i < count && size < bytesMax; i++) {
            var item = items[(int) (i % ENTRIES_MAX)];
            if (item == null) continue;
            size += item.size();
            if (found.isEmpty() || size <= bytesMax) found.add(item);
        }
        return Optional.of(found);
    }

    private long firstNewer(long from, long number) {
        long low = from;
        long high = count;
        while (low < high) {
            long middle = (low + high) >>> 1;
            var item = items[(int) (middle % ENTRIES_MAX)];
            if (item != null && item.entry().number() > number) high = middle;
            else low = middle + 1;
        }
        return low;
    }
}
