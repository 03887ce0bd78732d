package dev.coppice.telemetry;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * The last spans that were seen: which of them are agents, and what is above them. A span is
 * exported when it has ended, so a child often comes before its parent; its own attributes then
 * have to do.
 */
final class SpanTree {
    private static final int SPANS_MAX = 20_000;
    private static final int LEVELS_MAX = 64;

    /** A span above others. {@code agent} is null for one that is no agent of its own. */
    private record Known(@Nullable String parent, @Nullable String agent) {}

    private final Map<String, Known> known = new Recent<>();

    /** Forgets the eldest. */
    private static final class Recent<K, V> extends LinkedHashMap<K, V> {
        private static final long serialVersionUID = 1;

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > SPANS_MAX;
        }
    }

    static boolean isAgent(Exported.Span span) {
        return "invoke_agent".equals(span.attributes().text("gen_ai.operation.name"));
    }

    /** The id of the agent that a span stands for: two runs of one agent are two. */
    private static @Nullable String agent(Exported.Span span) {
        if (!isAgent(span) || span.parent() == null) return null;
        var name = span.attributes().text("gen_ai.agent.id", "gen_ai.agent.name");
        var run = span.id().substring(Math.max(0, span.id().length() - 8));
        return name == null ? run : name + "-" + run;
    }

    synchronized void saw(Exported.Span span) {
        known.put(span.id(), new Known(span.parent(), agent(span)));
    }

    /** The agents that a span is in, the nearest first. The agent of a whole trace is no such. */
    synchronized List<String> agents(Exported.Span span) {
        var found = new ArrayList<String>();
        var at = span.id();
        for (int level = 0; at != null && level < LEVELS_MAX; level++) {
            var here = known.get(at);
            if (here == null) break;
            if (here.agent() != null) found.add(here.agent());
            at = here.parent();
        }
        return found;
    }
}
