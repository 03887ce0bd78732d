package dev.coppice.kernel;

import org.jspecify.annotations.Nullable;

import java.util.Objects;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The demands of a run on its runner. Every demand is hard: the properties must be equal, and the
 * runner must have every tag. Demands only add up; a request cannot relax those of a blueprint.
 */
public record Demands(
        @Nullable String hostname,
        @Nullable String projectDir,
        @Nullable String executorProfile,
        @Nullable String executorType,
        Set<String> tags) {
    public static final Demands NONE = new Demands(null, null, null, null, Set.of());

    public Demands {
        tags = Set.copyOf(tags);
    }

    /** Combines both; if both name a property, the value of this one wins. */
    public Demands and(Demands more) {
        var all = new TreeSet<>(tags);
        all.addAll(more.tags);
        return new Demands(
                or(hostname, more.hostname),
                or(projectDir, more.projectDir),
                or(executorProfile, more.executorProfile),
                or(executorType, more.executorType),
                all);
    }

    /** Returns their size in the index of queued runs, where slashes are doubled. */
    public int bytes() {
        return Stream.concat(
                        Stream.of(hostname, projectDir, executorProfile, executorType),
                        tags.stream())
                .filter(Objects::nonNull)
                .mapToInt(text -> Bounds.bytesOf(text.replace("/", "//")) + 1)
                .sum();
    }

    private static @Nullable String or(@Nullable String first, @Nullable String second) {
        return first != null ? first : second;
    }
}
