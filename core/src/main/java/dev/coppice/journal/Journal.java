package dev.coppice.journal;

import dev.coppice.kernel.RunId;
import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/**
 * Numbered facts. Numbers grow in the order in which transactions commit, so a follower that has
 * seen number n has missed no lower one.
 */
public interface Journal {
    /** Appends within the current transaction; the number is final when that commits. */
    void append(SessionId session, @Nullable RunId run, Fact fact, Instant at);

    /**
     * Appends a fact about a session that may be hidden or purged. The entry of such a session
     * belongs to no session: followers see it, and it stays.
     */
    void appendAbout(SessionId session, Fact fact, Instant at);

    /** Appends many facts, each as {@link #appendAbout} does, in their order and at one time. */
    void appendAll(List<About> facts, Instant at);

    record About(SessionId session, Fact fact) {}

    /**
     * Entries after a number, oldest first, at most {@code max}. Fewer when they are large, but at
     * least one as long as there are any.
     */
    List<Entry> after(long number, Scope scope, int max);

    /** Entries before a number, oldest first: the nearest ones, bounded in the same way. */
    List<Entry> before(long number, Scope scope, int max);

    /** The numbers of the first and the last entry. */
    default Range range(Scope scope) {
        var first = after(0, scope, 1);
        if (first.isEmpty()) return Range.NONE;
        var last = before(Long.MAX_VALUE, scope, 1);
        return new Range(first.getFirst().number(), last.getFirst().number());
    }

    /** The highest number so far; zero in an empty journal. */
    long head();

    /** Retention may have deleted entries up to this number. */
    long floor();

    /**
     * Looks at the oldest entries after a number, and deletes those that are due. It keeps what a
     * removal can bring back, and the entries of trees in which Coppice still runs a session.
     */
    Forgotten forget(Due due);

    /** Entries up to a time, of the first {@code max} after {@code after}. */
    record Due(Types types, long after, Instant until, int max) {}

    /** One type, or all but some. */
    record Types(@Nullable String only, List<String> not) {
        public static final Types ALL = new Types(null, List.of());

        public Types {
            not = List.copyOf(not);
        }
    }

    /** The last entry that was looked at, 0 if there was none left, and how many were deleted. */
    record Forgotten(long upTo, int deleted) {}

    /** The first and the last number; null where there is no entry. */
    record Range(@Nullable Long first, @Nullable Long last) {
        public static final Range NONE = new Range(null, null);
    }

    /** The sessions whose entries are read; {@link #ALL} if neither is given. */
    record Scope(@Nullable SessionId session, @Nullable SessionId subtree) {
        public static final Scope ALL = new Scope(null, null);

        public static Scope of(SessionId session) {
            return new Scope(session, null);
        }
    }
}
