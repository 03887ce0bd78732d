package dev.coppice.usage;

import dev.coppice.kernel.SessionId;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/** Stored uses of models. Every method joins the current transaction. */
public interface ModelUses {
    /** A use, the session that is charged, and its cost if that is known. */
    record Charged(long key, SessionId session, ModelUse use, @Nullable Long costMicros) {}

    /** The uses that have an id in common with this one: at most one for each id. */
    List<Charged> like(ModelUse.Key key);

    /** {@code main} is the session of the program, in which its agents are. */
    void add(SessionId session, SessionId main, ModelUse use, @Nullable Long costMicros);

    void save(Charged use);

    void delete(Charged use);

    /** True if single calls of this program's session are known. */
    boolean hasCalls(SessionId main);

    /** The sums of a program's session, which single calls replace. */
    List<Charged> sums(SessionId main);

    /** Uses without a cost after a key, for new prices. */
    List<Charged> withoutCost(long after, int max);

    /** The uses of a session alone, for each model. */
    List<Sum> own(SessionId session);

    /** The uses of a session and of all below it, for each model. */
    List<Sum> all(SessionId within);

    /** The uses of all sessions that are not purged, hidden ones too, for each model. */
    List<Sum> totals();

    /** The uses of one model. {@code unpriced} are the tokens whose cost is not known. */
    record Sum(String model, long calls, TokenCounts tokens, long costMicros, long unpriced) {}

    /** The times of the first and the last use of a session and of all below it. */
    Optional<Span> span(SessionId within);

    record Span(Instant first, Instant last) {}

    /** The uses of a session and of all below it in parts of time; empty parts are left out. */
    List<Part> over(SessionId within, Instant from, Duration each);

    record Part(Instant from, long tokens, long costMicros) {}

    /** The uses of a session alone from a time until before another, oldest first. */
    List<Part> between(SessionId session, Instant from, Instant until, int max);

    /**
     * The uses in a time, of a session and of all below it or of all sessions, for each session and
     * model; at most {@code max}.
     */
    List<Spent> spent(@Nullable SessionId within, Instant from, Instant until, int max);

    /** The same with the metadata of the sessions, in which their labels are, one at a time. */
    void labelled(
            @Nullable SessionId within, Instant from, Instant until, int max, Consumer<Spent> each);

    /**
     * A sum of the uses of a model by a session; {@code metadata} is empty unless labels were asked
     * for.
     */
    record Spent(
            SessionId root,
            String tree,
            @Nullable String blueprint,
            @Nullable String hostname,
            String metadata,
            Sum sum) {}

    /** The uses in a time in parts of it; empty parts are left out. */
    List<Part> spentOver(@Nullable SessionId within, Instant from, Instant until, Duration each);
}
