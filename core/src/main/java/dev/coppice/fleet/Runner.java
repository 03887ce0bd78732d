package dev.coppice.fleet;

import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.RunnerId;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.Set;

/** A program that claims runs and starts their agents on its host. */
public record Runner(
        RunnerId id,
        Post post,
        Skills skills,
        Protocol protocol,
        Instant registered,
        Instant seen) {

    /** The place of a runner. The same post always has the same id, also after a restart. */
    public record Post(String hostname, String projectDir, String executorProfile) {}

    /**
     * The runs that a runner can take, and how many at once. {@code agents} are the blueprints that
     * it brought: only it runs them, and they are removed with it.
     */
    public record Skills(
            JsonText executor,
            String executorType,
            Set<String> tags,
            Matching matching,
            int capacity,
            @Nullable JsonText agents) {
        public Skills {
            tags = Set.copyOf(tags);
        }
    }

    /** The runner's condition: any run whose demands it meets, or only those that share a tag. */
    public enum Matching {
        ANY_RUN,
        TAGGED_RUNS_ONLY
    }

    /**
     * A fenced runner reports with a fence, confirms claims, and renews each run by name. An
     * unfenced one does none of these.
     */
    public enum Protocol {
        FENCED,
        UNFENCED
    }

    public Runner seenAt(Instant at) {
        return new Runner(id, post, skills, protocol, registered, at);
    }
}
