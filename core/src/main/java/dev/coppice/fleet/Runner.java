package dev.coppice.fleet;

import dev.coppice.kernel.JsonText;
import dev.coppice.kernel.RunnerId;

import java.time.Instant;
import java.util.Set;

/** A program beside the agents that takes runs. */
public record Runner(
        RunnerId id,
        Post post,
        Skills skills,
        Protocol protocol,
        Instant registered,
        Instant seen) {

    /** Where it stands. The same post always has the same id, also after a restart. */
    public record Post(String hostname, String projectDir, String executorProfile) {}

    /** What it can take. */
    public record Skills(
            JsonText executor,
            String executorType,
            Set<String> tags,
            Matching matching,
            int capacity) {
        public Skills {
            tags = Set.copyOf(tags);
        }
    }

    /** Whether it takes any run it can, or only runs that share a tag with it. */
    public enum Matching {
        ANY_RUN,
        TAGGED_RUNS_ONLY
    }

    /** The original's runners know no fence and renew nothing; ours do. */
    public enum Protocol {
        FENCED,
        ORIGINAL
    }

    Runner seenAt(Instant at) {
        return new Runner(id, post, skills, protocol, registered, at);
    }
}
