package dev.coppice.journal;

import dev.coppice.kernel.RunId;
import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.List;

/**
 * What happened, numbered. Numbers grow in the order in which transactions commit, so a follower
 * that has seen number n will never be shown a smaller one it missed.
 */
public interface Journal {
    /** Written with the transaction under way; numbered when it commits or before. */
    void append(SessionId session, @Nullable RunId run, Fact fact, Instant at);

    /**
     * Also about someone who is out of sight or gone: such an entry hangs on nobody, so that
     * followers see it, and it stays.
     */
    void appendAbout(SessionId session, Fact fact, Instant at);

    /**
     * Entries after a number, oldest first, at most {@code max}. Fewer when they are large, but at
     * least one as long as there are any.
     */
    List<Entry> after(long number, Scope scope, int max);

    /** The entries before a number, the nearest last, bounded in the same way. */
    List<Entry> before(long number, Scope scope, int max);

    /** The numbers of the first entry there is and of the last. */
    default Range range(Scope scope) {
        var first = after(0, scope, 1);
        if (first.isEmpty()) return Range.NONE;
        var last = before(Long.MAX_VALUE, scope, 1);
        return new Range(first.getFirst().number(), last.getFirst().number());
    }

    /** The newest number given; zero in an empty journal. */
    long head();

    /** Entries up to this number may be gone: retention has eaten there. */
    long floor();

    /** Forgets entries up to a moment, at most {@code max} of them; how many went. */
    int forgetUntil(Instant moment, int max);

    /** From one number to another. */
    record Range(@Nullable Long first, @Nullable Long last) {
        public static final Range NONE = new Range(null, null);
    }

    /** Whose entries are meant; nothing means everyone's. */
    record Scope(@Nullable SessionId session, @Nullable SessionId subtree) {
        public static final Scope ALL = new Scope(null, null);

        public static Scope of(SessionId session) {
            return new Scope(session, null);
        }
    }
}
