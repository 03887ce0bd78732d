package dev.coppice.work;

import dev.coppice.kernel.Canonical;

import org.jspecify.annotations.Nullable;

import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.function.Predicate;
import java.util.stream.Stream;

/**
 * The work that runners found, and the hosts that were not inspected; or only the digest of an
 * earlier inspection. The digest covers the state of each directory.
 */
public record InspectedWork(
        List<WorkItem> items,
        List<String> unseenHosts,
        Map<String, String> failures,
        @Nullable String remembered) {
    public static final InspectedWork NOTHING = of(List.of(), List.of());

    public InspectedWork {
        items = List.copyOf(items);
        unseenHosts = List.copyOf(unseenHosts);
        failures = Map.copyOf(failures);
    }

    public static InspectedWork of(List<WorkItem> items, List<String> unseenHosts) {
        return of(items, unseenHosts, Map.of());
    }

    /** Includes the reasons why inspections on some of these hosts failed. */
    public static InspectedWork of(
            List<WorkItem> items, List<String> unseenHosts, Map<String, String> failures) {
        return new InspectedWork(items, unseenHosts, failures, null);
    }

    /**
     * An earlier inspection of which only the digest is left; without one, an incomplete
     * inspection.
     */
    public static InspectedWork remembered(@Nullable String digest) {
        var unseen = digest == null ? List.of("any") : List.<String>of();
        return new InspectedWork(List.of(), unseen, Map.of(), digest);
    }

    /** The same with new items; the digest stays that of the earlier inspection. */
    public InspectedWork with(List<WorkItem> found) {
        return new InspectedWork(found, unseenHosts, failures, remembered);
    }

    public boolean isUnsaved() {
        return items.stream().anyMatch(i -> !i.counts().isNothing());
    }

    public long processes() {
        return items.stream().mapToLong(i -> i.counts().processes()).sum();
    }

    /** The states of these directories and their digest; null if a host was not inspected. */
    public @Nullable Covered covered(Predicate<WorkItem> which) {
        if (!unseenHosts.isEmpty()) return null;
        if (remembered != null) return new Covered(List.of(), remembered);
        var states = states(items.stream().filter(i -> i.kind().isWork()).filter(which));
        return new Covered(states, digest(states));
    }

    /** States of directories, and one digest of them all. */
    public record Covered(List<WorkItem.State> states, String digest) {
        public Covered {
            states = List.copyOf(states);
        }
    }

    /** The distinct states of the directories in which there is work. */
    public static List<WorkItem.State> states(List<WorkItem> items) {
        return states(items.stream().filter(i -> i.kind().isWork()));
    }

    private static List<WorkItem.State> states(Stream<WorkItem> work) {
        return work.map(WorkItem::state).distinct().toList();
    }

    /** Covers the directories in their order by host and name. */
    private static String digest(List<WorkItem.State> states) {
        var order =
                Comparator.comparing(WorkItem.State::host)
                        .thenComparing(WorkItem.State::directory)
                        .thenComparing(WorkItem.State::fingerprint);
        var digest = new Canonical();
        for (var state : states.stream().sorted(order).toList()) {
            digest.with("host", state.host())
                    .with("directory", state.directory())
                    .with("fingerprint", state.fingerprint());
        }
        return digest.hash();
    }
}
