package dev.coppice.wave;

import dev.coppice.kernel.SessionId;
import dev.coppice.wave.WaveMember.Progress;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;

/** The progress, times and costs of a wave. */
public record WaveReport(Wave wave, List<Planned> planned, List<WaveMember> members, Instant now) {
    public WaveReport {
        planned = List.copyOf(planned);
        members = List.copyOf(members);
    }

    public enum State {
        EMPTY,
        RUNNING,
        FINISHED,
        FAILED,
        STOPPED
    }

    /** The number of members in each state. {@code lost} were refused, skipped or removed. */
    public record Counts(int waiting, int busy, int done, int failed, int lost, int cancelled) {
        public int total() {
            return waiting + busy + done + failed + lost + cancelled;
        }

        public State state() {
            if (total() == 0) return State.EMPTY;
            if (waiting + busy > 0) return State.RUNNING;
            if (failed + lost > 0) return State.FAILED;
            return cancelled > 0 ? State.STOPPED : State.FINISHED;
        }

        /** From 0 to 1. */
        public double progress() {
            return total() == 0 ? 0 : (double) (total() - waiting - busy) / total();
        }
    }

    /** A part of a wave, by the name that its members give. */
    public record Phase(String name, Counts counts) {}

    /** A member, and the time from its start to its end. */
    public record Timed(String name, Duration length) {}

    public Counts counts() {
        return counts(planned, members);
    }

    private static Counts counts(List<Planned> planned, List<WaveMember> members) {
        var states = new HashMap<Planned.State, Integer>();
        for (var member : planned) states.merge(member.fate().state(), 1, Integer::sum);
        var progress = new HashMap<Progress, Integer>();
        for (var member : members) progress.merge(member.progress(), 1, Integer::sum);
        var seen = new HashSet<SessionId>();
        members.forEach(member -> seen.add(member.session()));
        int removed =
                (int)
                        planned.stream()
                                .map(p -> p.fate().session())
                                .filter(id -> id != null && !seen.contains(id))
                                .count();
        return new Counts(
                states.getOrDefault(Planned.State.WAITING, 0),
                progress.getOrDefault(Progress.BUSY, 0),
                progress.getOrDefault(Progress.DONE, 0),
                progress.getOrDefault(Progress.FAILED, 0),
                states.getOrDefault(Planned.State.REFUSED, 0)
                        + states.getOrDefault(Planned.State.SKIPPED, 0)
                        + removed,
                states.getOrDefault(Planned.State.CANCELLED, 0));
    }

    /** The phases in the order of their first members; members without one are in none. */
    public List<Phase> phases() {
        var names = new LinkedHashMap<String, Boolean>();
        Stream.concat(planned.stream().map(Planned::phase), members.stream().map(WaveMember::phase))
                .filter(Objects::nonNull)
                .forEach(name -> names.put(name, true));
        return names.keySet().stream()
                .map(name ->
                        new Phase(
                                name,
                                counts(
                                        planned.stream()
                                                .filter(p -> name.equals(p.phase()))
                                                .toList(),
                                        members.stream()
                                                .filter(m -> name.equals(m.phase()))
                                                .toList())))
                .toList();
    }

    public @Nullable Instant start() {
        return members.stream()
                .map(m -> m.span().start())
                .filter(Objects::nonNull)
                .min(Comparator.naturalOrder())
                .orElse(null);
    }

    /** Returns the end of the last member; null while one is not over. */
    public @Nullable Instant end() {
        if (counts().state() == State.RUNNING) return null;
        return members.stream()
                .map(m -> m.span().end())
                .filter(Objects::nonNull)
                .max(Comparator.naturalOrder())
                .orElse(null);
    }

    /** From the first start to the last end, or until now. */
    public Duration wall() {
        return new WaveMember.Span(start(), end()).length(now);
    }

    /** The time of a member from its start to its end, or until now. */
    public Duration length(WaveMember member) {
        return member.span().length(now);
    }

    /** The sum of the times of all members. */
    public Duration work() {
        return members.stream().map(this::length).reduce(Duration.ZERO, Duration::plus);
    }

    /** The most members that were at work at once. */
    public int peak() {
        record Turn(Instant at, int change) {}
        var turns = new ArrayList<Turn>();
        for (var member : members) {
            var start = member.span().start();
            if (start == null) continue;
            turns.add(new Turn(start, 1));
            var end = member.span().end();
            if (end != null) turns.add(new Turn(end, -1));
        }
        turns.sort(Comparator.comparing(Turn::at).thenComparingInt(Turn::change));
        int peak = 0;
        int open = 0;
        for (var turn : turns) {
            open += turn.change();
            peak = Math.max(peak, open);
        }
        return peak;
    }

    /**
     * The sum of the members' times, as a share of the wall time multiplied by the peak: 1 if the
     * peak number of members worked all the time.
     */
    public double efficiency() {
        long possible = wall().toMillis() * peak();
        return possible == 0 ? 0 : Math.min(1, (double) work().toMillis() / possible);
    }

    public @Nullable WaveMember slowest() {
        return members.stream()
                .max(Comparator.comparing(this::length))
                .filter(m -> m.span().start() != null)
                .orElse(null);
    }

    /**
     * The chain of members, each following the one before, with the greatest sum of times. If no
     * member follows another, it is the slowest one.
     */
    public List<Timed> criticalPath() {
        var lengths = new HashMap<String, Duration>();
        var byId = new HashMap<Object, WaveMember>();
        for (var member : members) byId.put(member.session(), member);
        for (var plan : planned) {
            var member = byId.get(plan.fate().session());
            if (member != null) lengths.put(plan.name(), length(member));
        }
        if (lengths.isEmpty()) {
            var slowest = slowest();
            return slowest == null
                    ? List.of()
                    : List.of(new Timed(slowest.name(), length(slowest)));
        }
        return longest(lengths);
    }

    /** A chain of members: the last one, the chain before it, and the sum of the times. */
    private record Chain(Timed last, @Nullable Chain before, Duration sum) {}

    private List<Timed> longest(Map<String, Duration> lengths) {
        var byName = new HashMap<String, Planned>();
        for (var member : planned) byName.put(member.name(), member);
        var chains = new HashMap<String, Chain>();
        for (var name : new WavePlan(wave, planned).levels().keySet()) {
            var length = lengths.get(name);
            var member = byName.get(name);
            if (length == null || member == null) continue;
            var before =
                    member.follows().stream()
                            .map(chains::get)
                            .filter(Objects::nonNull)
                            .max(Comparator.comparing(Chain::sum))
                            .orElse(null);
            var sum = before == null ? length : before.sum().plus(length);
            chains.put(name, new Chain(new Timed(name, length), before, sum));
        }
        var path = new ArrayList<Timed>();
        var last = chains.values().stream().max(Comparator.comparing(Chain::sum)).orElse(null);
        for (@Nullable Chain at = last; at != null; at = at.before()) path.add(at.last());
        return path.reversed();
    }

    public long tokens() {
        return members.stream().mapToLong(WaveMember::tokens).sum();
    }

    public long costMicros() {
        return members.stream().mapToLong(WaveMember::costMicros).sum();
    }
}
