package dev.coppice.session;

import dev.coppice.kernel.Bounds;
import dev.coppice.kernel.Refusal;
import dev.coppice.kernel.RequestRefusal;
import dev.coppice.kernel.SessionId;
import dev.coppice.session.Limits.Kind;

import org.jspecify.annotations.Nullable;

import java.util.Optional;

/**
 * Decides how many more bytes a tree may store, and what one run of it may use. If the root of a
 * tree has no limit of its own, the coordinator's default applies.
 */
public record TreeQuota(Sessions sessions, Limits defaults) {

    /** Returns the refusal if the tree of this session has no room for {@code more} bytes. */
    public Optional<Refusal> forbids(SessionId in, Kind kind, long more) {
        return forbids(in, kind, more, sessions.stored(in, kind));
    }

    /** The same, with the stored bytes already known. */
    public Optional<Refusal> forbids(SessionId in, Kind kind, long more, Sessions.Stored stored) {
        long wanted = stored.bytes() + more;
        if (wanted <= max(stored.max(), kind)) return Optional.empty();
        return Optional.of(
                stored.max() != null
                        ? rootOf(in).reached(kind, wanted)
                        : new RequestRefusal.LimitReached(
                                kind.word(),
                                defaults.orEndless(kind),
                                wanted,
                                RequestRefusal.LimitReached.COORDINATOR));
    }

    /** Returns the refusal if the tree has no room for new work with this text. */
    public Optional<Refusal> forbidsWork(SessionId in, String text) {
        return forbids(in, Kind.METADATA_BYTES, Bounds.bytesOf(text))
                .or(() -> forbids(in, Kind.EVENT_BYTES, 1))
                .or(() -> forbids(in, Kind.OUTPUT_BYTES, 1));
    }

    /** Returns the refusal if the tree has no room for this change, which also writes an event. */
    public Optional<Refusal> forbidsChange(Session before, Session after) {
        return forbids(after.id(), Kind.EVENT_BYTES, 1).or(() -> forbidsGrowth(before, after));
    }

    /** Returns the refusal if the tree has no room for the changed metadata. */
    public Optional<Refusal> forbidsGrowth(Session before, Session after) {
        long more = bytes(after) - bytes(before);
        return more <= 0 ? Optional.empty() : forbids(after.id(), Kind.METADATA_BYTES, more);
    }

    private static long bytes(Session session) {
        return Bounds.bytesOf(session.profile().metadata().value());
    }

    /** The limits of one run of this session; the output limit is what its tree has left. */
    public Limits ofRun(SessionId of) {
        var above = sessions.ancestry(of);
        var root = above.getLast().session().limits();
        var limits = Limits.NONE;
        for (var kind : new Kind[] {Kind.PROCESSES, Kind.MEMORY_BYTES}) {
            limits = limits.with(kind, max(root.of(kind), kind));
        }
        for (var a : above) limits = limits.clampedTo(a.session().limits());
        var output = sessions.stored(of, Kind.OUTPUT_BYTES);
        long left = max(output.max(), Kind.OUTPUT_BYTES) - output.bytes();
        return limits.with(Kind.OUTPUT_BYTES, Math.max(0, left));
    }

    private long max(@Nullable Long own, Kind kind) {
        return own == null ? defaults.orEndless(kind) : own;
    }

    private Session rootOf(SessionId id) {
        return sessions.find(id)
                .flatMap(session -> sessions.find(session.place().root()))
                .orElseThrow(() -> new IllegalStateException("no session " + id));
    }
}
