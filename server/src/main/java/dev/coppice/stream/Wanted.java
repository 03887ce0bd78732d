package dev.coppice.stream;

import dev.coppice.follow.Item;
import dev.coppice.journal.EventIndex;
import dev.coppice.journal.Fact;
import dev.coppice.kernel.SessionId;
import dev.coppice.kernel.Transactions;
import dev.coppice.wave.Waves;
import dev.coppice.wire.event.EventCalls;
import dev.coppice.word.Ending;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.Map;
import java.util.Set;

/** Selects the entries that a reader of the stream wants, by types, tool, outcome and wave. */
public final class Wanted {
    private static final int REMEMBERED_MAX = 10_000;

    /** The stores that tell the tool, the outcome and the wave of an event. */
    public record Knowing(
            Transactions transactions, Item.Form<EventIndex.Traits> traits, Waves waves) {
        public static Knowing of(Transactions transactions, EventIndex index, Waves waves) {
            var traits = new Item.Form<>(EventIndex.Traits.class, index::traits);
            return new Knowing(transactions, traits, waves);
        }
    }

    private final Knowing knowing;
    private final Set<String> types;
    private final @Nullable String tool;
    private final @Nullable Ending ending;
    private final @Nullable String wave;
    private final Map<SessionId, Boolean> members = new HashMap<>();

    Wanted(Knowing knowing, EventCalls.Kinds kinds) {
        this.knowing = knowing;
        this.types = kinds.types() == null ? Set.of() : Set.copyOf(kinds.types());
        this.tool = kinds.tool();
        this.ending = kinds.status();
        this.wave = kinds.waveId();
    }

    boolean has(Item item) {
        return isOfType(item) && isAbout(item) && isOfWave(item);
    }

    private boolean isOfType(Item item) {
        var fact = item.entry().fact();
        // A frame may have another name than the type of its event.
        return types.isEmpty()
                || types.contains(fact.frame())
                || types.contains(fact.shown().type());
    }

    private boolean isAbout(Item item) {
        if (tool == null && ending == null) return true;
        var traits = item.as(knowing.traits());
        return (tool == null || tool.equalsIgnoreCase(traits.tool()))
                && (ending == null || ending == traits.ending());
    }

    /**
     * A session joins a wave in the transaction that journals its start, so its wave is read again
     * after any change of the session.
     */
    private boolean isOfWave(Item item) {
        if (wave == null) return true;
        var entry = item.entry();
        boolean isChange = !(entry.fact() instanceof Fact.Reported);
        if (isChange) members.remove(entry.session());
        if (members.size() > REMEMBERED_MAX) members.clear();
        return members.computeIfAbsent(
                entry.session(),
                id -> knowing.transactions().read(() -> knowing.waves().isMember(id, wave)));
    }
}
