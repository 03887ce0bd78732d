package dev.coppice.telemetry;

import dev.coppice.access.Caller;
import dev.coppice.kernel.Bounds;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/**
 * The recent spans: which of them are agents, and what is above them. A span is exported after it
 * has ended, so a child often comes before its parent; then only its own attributes are known.
 *
 * <p>Each caller has spans of its own. The spans of a trace are kept once a session owns the trace.
 */
final class SpanTree {
    private static final int SPANS_MAX = 20_000;
    private static final int SPANS_OF_CALLER_MAX = 10_000;
    private static final int TRACES_OF_CALLER_MAX = 2_000;
    private static final int NAME_CHARS_MAX = 60;
    private static final int LEVELS_MAX = 64;

    /** A span that others may refer to. {@code agent} is null if it is not an agent. */
    private record Known(@Nullable String parent, @Nullable String agent) {}

    private final Recent<String, OfCaller> callers = new Recent<>(Integer.MAX_VALUE);

    /** The spans of one caller, and its traces that belong to a session. */
    private record OfCaller(Recent<String, Known> spans, Recent<String, Boolean> owned) {
        OfCaller() {
            this(new Recent<>(SPANS_OF_CALLER_MAX), new Recent<>(TRACES_OF_CALLER_MAX));
        }
    }

    /** A map that forgets its oldest entry. */
    private static final class Recent<K, V> extends LinkedHashMap<K, V> {
        private static final long serialVersionUID = 1;
        private final int max;

        Recent(int max) {
            this.max = max;
        }

        @Override
        protected boolean removeEldestEntry(Map.Entry<K, V> eldest) {
            return size() > max;
        }
    }

    static boolean isAgent(Exported.Span span) {
        return "invoke_agent".equals(span.attributes().text("gen_ai.operation.name"));
    }

    /** The id of the agent of a span; each run of an agent has its own. */
    private static @Nullable String agent(Exported.Span span) {
        if (!isAgent(span) || span.parent() == null) return null;
        var name = span.attributes().text("gen_ai.agent.id", "gen_ai.agent.name");
        var run = span.id().substring(Math.max(0, span.id().length() - 8));
        return name == null ? run : Bounds.firstOf(name, NAME_CHARS_MAX) + "-" + run;
    }

    synchronized void saw(List<Exported.Span> spans, Caller by) {
        if (spans.isEmpty()) return;
        var own = callers.remove(by.key());
        if (own == null) own = new OfCaller();
        callers.put(by.key(), own);
        for (var span : spans) own.spans().put(span.id(), new Known(span.parent(), agent(span)));
        int all = callers.values().stream().mapToInt(c -> c.spans().size()).sum();
        while (all > SPANS_MAX) all -= callers.pollFirstEntry().getValue().spans().size();
    }

    /** Forgets the spans of an export whose trace no session owns. */
    synchronized void keep(List<Exported.Span> spans, Set<String> owned, Caller by) {
        var own = callers.get(by.key());
        if (own == null) return;
        for (var trace : owned) own.owned().put(trace, true);
        for (var span : spans) {
            if (!own.owned().containsKey(span.trace())) own.spans().remove(span.id());
        }
        if (own.spans().isEmpty()) callers.remove(by.key());
    }

    /** The agents around a span, the nearest first, without the agent of the whole trace. */
    synchronized List<String> agents(Exported.Span span, Caller by) {
        var own = callers.get(by.key());
        var found = new ArrayList<String>();
        var at = span.id();
        for (int level = 0; own != null && at != null && level < LEVELS_MAX; level++) {
            var here = own.spans().get(at);
            if (here == null) break;
            if (here.agent() != null) found.add(here.agent());
            at = here.parent();
        }
        return found;
    }

    /** The number of spans that are kept. */
    synchronized int size() {
        return callers.values().stream().mapToInt(c -> c.spans().size()).sum();
    }
}
