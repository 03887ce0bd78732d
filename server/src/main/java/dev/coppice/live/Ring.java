package dev.coppice.live;

import dev.coppice.journal.Entry;
import dev.coppice.journal.EventIndex;
import dev.coppice.journal.Fact;
import dev.coppice.view.Events;

import org.jspecify.annotations.Nullable;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * The newest entries with their frames, each encoded once for all readers. A reader that is behind
 * the ring reads the journal instead, so a slow reader delays no other and costs no memory.
 */
final class Ring {
    private static final int ENTRIES_MAX = 4096;

    /** The limit for frames. The entries are in memory too, and are no larger. */
    private static final long BYTES_MAX = 16L * 1024 * 1024;

    private static final int FRAME_BYTES = 2048;
    private static final Set<String> HIDES = Set.of("hiding", "purging");
    private final @Nullable Item[] items = new @Nullable Item[ENTRIES_MAX];
    private long count;
    private long oldest;
    private long bytes;
    private long firstAfter;
    private long last;

    /** An entry and its frame, which the first reader that needs it encodes. */
    static final class Item {
        private final Entry entry;
        private volatile byte @Nullable [] bytes;
        private volatile EventIndex.@Nullable Traits traits;

        Item(Entry entry) {
            this.entry = entry;
        }

        /** The approximate size of the frame. The other facts are short. */
        long size() {
            return (long) FRAME_BYTES
                    + switch (entry.fact()) {
                        case Fact.Reported(_, var said) -> said.value().length();
                        case Fact.RunFailed(var error) -> error.length();
                        case Fact.ResultGiven(var text, var data) ->
                                (text == null ? 0 : text.length())
                                        + (data == null ? 0 : data.value().length());
                        default -> 0;
                    };
        }

        Entry entry() {
            return entry;
        }

        String event() {
            return entry.fact().frame();
        }

        /** The type of the event, which its frame does not always have for a name. */
        String type() {
            return entry.fact().shown().type();
        }

        /** Read by the first reader that selects by them. */
        EventIndex.Traits traits(EventIndex index) {
            var known = traits;
            if (known == null) {
                known = index.traits(entry);
                traits = known;
            }
            return known;
        }

        void into(java.io.OutputStream out) throws java.io.IOException {
            var ready = bytes;
            if (ready == null) {
                ready = Events.frame(entry).written().getBytes(StandardCharsets.UTF_8);
                bytes = ready;
            }
            out.write(ready);
        }
    }

    /** The ring has every entry after {@code head}. */
    Ring(long head) {
        this.firstAfter = head;
        this.last = head;
    }

    synchronized long last() {
        return last;
    }

    synchronized void add(List<Entry> entries) {
        for (var entry : entries) {
            if (entry.number() <= last) continue;
            if (count - oldest == ENTRIES_MAX) forgetOldest();
            // Readers behind this entry go to the journal, which omits hidden sessions.
            if (entry.fact() instanceof Fact.RemovalMoved(_, var state, _)
                    && HIDES.contains(state)) {
                firstAfter = Math.max(firstAfter, entry.number() - 1);
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

    /** The entries after a number, oldest first; empty if the ring lacks some of them. */
    synchronized Optional<List<Item>> after(long number, int max) {
        if (number < firstAfter) return Optional.empty();
        var found = new ArrayList<Item>();
        for (long i = firstNewer(oldest, number); i < count && found.size() < max; i++) {
            var item = items[(int) (i % ENTRIES_MAX)];
            if (item != null) found.add(item);
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
