package dev.coppice.session;

import dev.coppice.kernel.JsonText;

import org.jspecify.annotations.Nullable;

/** Properties of a session that people and runners read, and the program that works for it. */
public record Profile(
        @Nullable String projectDir,
        @Nullable String blueprint,
        @Nullable String sourceApp,
        JsonText metadata,
        Binding binding) {
    public static final Profile EMPTY =
            new Profile(null, null, null, JsonText.EMPTY_OBJECT, Binding.NONE);

    /** The executor profile of a session that another program runs. */
    public static final String OBSERVED = "observed";

    /** The source of a session whose agent runs inside of its parent's program. */
    public static final String INSIDE = "inside";

    public boolean isInside() {
        return INSIDE.equals(sourceApp);
    }

    /** The profile of a session that another program runs, under an id of its own. */
    public static Profile observed(@Nullable String sourceApp, String id) {
        var binding = new Binding(id, OBSERVED, null);
        return new Profile(null, null, sourceApp, JsonText.EMPTY_OBJECT, binding);
    }

    /** The program that last worked for the session, and its host. */
    public record Binding(
            @Nullable String executorSessionId,
            @Nullable String executorProfile,
            @Nullable String hostname) {
        /** The same host and profile, without a conversation of the program. */
        public Binding forgotten() {
            return new Binding(null, executorProfile, hostname);
        }

        public static final Binding NONE = new Binding(null, null, null);
    }

    public Profile boundTo(Binding now) {
        return new Profile(projectDir, blueprint, sourceApp, metadata, now);
    }

    public Profile in(@Nullable String directory) {
        return new Profile(directory, blueprint, sourceApp, metadata, binding);
    }

    public Profile describedBy(JsonText other) {
        return new Profile(projectDir, blueprint, sourceApp, other, binding);
    }

    public Profile from(@Nullable String blueprintName) {
        return new Profile(projectDir, blueprintName, sourceApp, metadata, binding);
    }
}
