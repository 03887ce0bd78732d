package dev.coppice.hooks;

import dev.coppice.ask.Ask;

import org.jspecify.annotations.Nullable;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * Limits the waiting questions of each caller, so that a caller that invents sessions cannot use up
 * the places of all.
 */
final class HeldPlaces {
    private static final int OF_CALLER_MAX = 250;

    private final Predicate<String> isOpen;
    private final Map<String, Set<Place>> taken = new HashMap<>();

    HeldPlaces(Predicate<String> isOpen) {
        this.isOpen = isOpen;
    }

    /** A place, taken just before its question is asked. */
    static final class Place {
        private final String caller;
        private volatile @Nullable String ask;

        private Place(String caller) {
            this.caller = caller;
        }
    }

    /** Asks a question that takes this place. The place is freed if no question is asked. */
    Optional<Ask> ask(Place place, Supplier<Optional<Ask>> question) {
        Optional<Ask> asked = Optional.empty();
        try {
            asked = question.get();
        } finally {
            if (asked.isEmpty()) leave(place);
        }
        asked.ifPresent(open -> place.ask = open.id());
        return asked;
    }

    synchronized Optional<Place> take(String caller) {
        var own = taken.computeIfAbsent(caller, _ -> new HashSet<>());
        // A connection that broke before its wait began left its place taken.
        if (own.size() >= OF_CALLER_MAX) own.removeIf(this::isOver);
        if (own.size() >= OF_CALLER_MAX) return Optional.empty();
        var place = new Place(caller);
        own.add(place);
        return Optional.of(place);
    }

    private boolean isOver(Place place) {
        var ask = place.ask;
        return ask != null && !isOpen.test(ask);
    }

    synchronized void leave(Place place) {
        var own = taken.get(place.caller);
        if (own != null && own.remove(place) && own.isEmpty()) taken.remove(place.caller);
    }
}
