package dev.coppice.fleet;

import dev.coppice.kernel.Demands;

import org.jspecify.annotations.Nullable;

import java.util.Collections;

/**
 * Matches runs to runners: the runner must meet all demands of the run, and the run the tag
 * condition of the runner. Types of executors concern unfenced runners: a fenced one starts every
 * kind of agent.
 */
public final class Match {
    private Match() {}

    public static boolean between(Demands asked, Runner runner) {
        var post = runner.post();
        var skills = runner.skills();
        return meets(asked.hostname(), post.hostname())
                && meets(asked.projectDir(), post.projectDir())
                && meets(asked.executorProfile(), post.executorProfile())
                && (runner.protocol() == Runner.Protocol.FENCED
                        || meets(asked.executorType(), skills.executorType()))
                && skills.tags().containsAll(asked.tags())
                && (skills.matching() == Runner.Matching.ANY_RUN
                        || !Collections.disjoint(skills.tags(), asked.tags()));
    }

    private static boolean meets(@Nullable String asked, String has) {
        return asked == null || asked.equals(has);
    }
}
