package dev.coppice.journal;

import dev.coppice.word.Ending;

import org.jspecify.annotations.Nullable;

import java.util.List;

/** Finds events by their words, types, tools and outcomes. It follows the journal. */
public interface EventIndex {
    /** The events after the newest one in the index, at most {@code max}. */
    Unread unread(int max);

    /** Adds what was read, unless another coordinator has added it. */
    void add(Unread unread);

    /** The number up to which events can be found. */
    long reached();

    /**
     * Looks at a bounded number of events that meet all conditions except that on sessions. So
     * there may be few hits, or none, and more after {@code next}.
     */
    Found find(Page page, Search search);

    /** Reads the tool and the outcome of an event from its body; needs no index. */
    Traits traits(Entry entry);

    record Traits(@Nullable String tool, @Nullable Ending ending) {}

    /** The hits, and the number from which to go on; null if nothing is left. */
    record Found(List<Hit> hits, @Nullable Long next) {
        public Found {
            hits = List.copyOf(hits);
        }
    }

    /** The events before a number, newest first, or those after it, oldest first. */
    record Page(long number, boolean isBefore, int max) {}

    /** All conditions must be met; an absent one always is. */
    record Search(
            Journal.Scope scope,
            @Nullable String wave,
            SearchText text,
            List<String> types,
            @Nullable String tool,
            @Nullable Ending ending) {
        public Search {
            types = List.copyOf(types);
        }

        /** False if the journal itself answers the question. */
        public boolean needsIndex() {
            return wave != null
                    || !text.terms().isEmpty()
                    || !types.isEmpty()
                    || tool != null
                    || ending != null;
        }
    }

    /** An event that was found, with the part of its text that fits best. */
    record Hit(Entry entry, @Nullable String tool, @Nullable Ending ending, Excerpt excerpt) {}

    /** A part of a text. Each match is the place of its first character and that after its last. */
    record Excerpt(String text, List<Match> matches) {
        public Excerpt {
            matches = List.copyOf(matches);
        }
    }

    record Match(int from, int to) {}

    /** The lines of events to add; {@code to} is the number of the last event that was read. */
    record Unread(long from, long to, List<Line> lines) {
        public Unread {
            lines = List.copyOf(lines);
        }
    }

    /**
     * The words of an event, and the marks by which it is selected; one without marks is not found.
     */
    record Line(long number, String words, List<String> marks) {
        public Line {
            marks = List.copyOf(marks);
        }
    }
}
