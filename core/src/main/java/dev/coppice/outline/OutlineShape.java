package dev.coppice.outline;

import org.jspecify.annotations.Nullable;

import java.util.Locale;
import java.util.Set;

/**
 * Selects the rows that are shown: the first levels, with the exceptions of the reader.
 *
 * @param levels the levels below the top that are shown unless an exception says otherwise
 * @param opened ids of sessions and folds that are open
 * @param closed ids of sessions that are closed
 * @param text only sessions with this text in their names, and those above them
 * @param states only sessions in these states, and those above them; {@code asking} is one of them
 */
public record OutlineShape(
        int levels,
        Set<String> opened,
        Set<String> closed,
        @Nullable String text,
        Set<String> states) {
    public static final String ASKING = "asking";

    public OutlineShape {
        opened = Set.copyOf(opened);
        closed = Set.copyOf(closed);
        states = Set.copyOf(states);
        text = text == null || text.isBlank() ? null : text.strip().toLowerCase(Locale.ROOT);
    }

    boolean isFiltering() {
        return text != null || !states.isEmpty();
    }

    boolean isMet(Node node) {
        boolean isNamed = text == null || node.name().toLowerCase(Locale.ROOT).contains(text);
        boolean isInState =
                states.isEmpty()
                        || states.contains(node.state())
                        || (states.contains(ASKING) && node.isAsking());
        return isNamed && isInState;
    }
}
