package dev.coppice.session;

import dev.coppice.kernel.SessionId;
import dev.coppice.word.SessionType;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Locale;
import java.util.Set;

/** Selects the sessions of a list; an absent criterion does not narrow it. */
public record SessionFilter(
        Set<String> states,
        @Nullable SessionType type,
        @Nullable String namePrefix,
        @Nullable SessionId parent,
        @Nullable SessionId within,
        boolean areOrphans,
        @Nullable String nameText,
        Marks marks) {
    public static final SessionFilter ALL = new SessionFilter(Set.of(), null, null, null, null);

    public SessionFilter(
            Set<String> states,
            @Nullable SessionType type,
            @Nullable String namePrefix,
            @Nullable SessionId parent,
            @Nullable SessionId within) {
        this(states, type, namePrefix, parent, within, false, null, Marks.ANY);
    }

    /**
     * What a session is made of, and where it ran.
     *
     * @param beginning its name or its id begins so
     * @param since it was created then or later
     */
    public record Marks(
            @Nullable String beginning,
            @Nullable String blueprint,
            @Nullable String hostname,
            @Nullable Instant since) {
        public static final Marks ANY = new Marks(null, null, null, null);

        boolean areMetBy(Session session) {
            var profile = session.profile();
            boolean isBegun =
                    beginning == null
                            || session.name().startsWith(beginning)
                            || session.id().value().startsWith(beginning);
            return isBegun
                    && (blueprint == null || blueprint.equals(profile.blueprint()))
                    && (hostname == null || hostname.equals(profile.binding().hostname()))
                    && (since == null || !session.times().created().isBefore(since));
        }
    }

    /** True if the session meets every criterion that needs no look at other sessions. */
    public boolean isMetBy(Session session) {
        var name = session.name().toLowerCase(Locale.ROOT);
        return (states.isEmpty() || states.contains(StateWord.of(session.state())))
                && (type == null || type == session.type())
                && (namePrefix == null || session.name().startsWith(namePrefix))
                && (nameText == null || name.contains(nameText.toLowerCase(Locale.ROOT)))
                && (parent == null || parent.equals(session.place().parentId()))
                && marks.areMetBy(session);
    }

    public SessionFilter {
        states = Set.copyOf(states);
    }

    /** Narrows the list to one subtree. */
    public SessionFilter within(SessionId top) {
        return new SessionFilter(
                states, type, namePrefix, parent, top, areOrphans, nameText, marks);
    }

    /** Narrows the list to sessions whose parents have ended. */
    public SessionFilter orphans() {
        return new SessionFilter(states, type, namePrefix, parent, within, true, nameText, marks);
    }

    /** Narrows the list to names with this text, in any case. */
    public SessionFilter named(@Nullable String text) {
        return new SessionFilter(states, type, namePrefix, parent, within, areOrphans, text, marks);
    }

    /** Narrows the list to sessions with these marks. */
    public SessionFilter marked(Marks wanted) {
        return new SessionFilter(
                states, type, namePrefix, parent, within, areOrphans, nameText, wanted);
    }
}
