package dev.coppice.wave;

import dev.coppice.wave.WaveMember.Progress;

import org.jspecify.annotations.Nullable;

import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/** The members of a wave in their order. Decides without a clock or a store which start next. */
public record WavePlan(Wave wave, List<Planned> members) {
    public WavePlan {
        members = List.copyOf(members);
    }

    /** The next step for a member that waits. */
    public sealed interface Step {
        Planned member();

        record Start(Planned member) implements Step {}

        /** It will never start, for this reason. */
        record Skip(Planned member, String why) implements Step {}
    }

    /**
     * The level of each member: one more than the highest among those it needs. Empty if members
     * need each other in a circle, or need one that is not in the plan.
     */
    public Map<String, Integer> levels() {
        var byName = new HashMap<String, Planned>();
        for (var member : members) byName.put(member.name(), member);
        var levels = new LinkedHashMap<String, Integer>();
        boolean isMoving = true;
        while (isMoving) {
            isMoving = false;
            for (var member : members) {
                if (levels.containsKey(member.name())) continue;
                var needs = needs(member);
                if (!levels.keySet().containsAll(needs)) continue;
                int level =
                        needs.stream().mapToInt(n -> levels.getOrDefault(n, 0) + 1).max().orElse(0);
                levels.put(member.name(), level);
                isMoving = true;
            }
        }
        return levels.size() == byName.size() ? levels : Map.of();
    }

    /** The members that this one needs: its parent, and those that it follows. */
    public static List<String> needs(Planned member) {
        var needs = new ArrayList<>(member.follows());
        if (member.below() != null) needs.add(member.below());
        return needs;
    }

    /** The next steps, given the progress of each started member; a removed one is absent. */
    public List<Step> next(Map<String, Progress> started, Instant now) {
        var byName = new HashMap<String, Planned>();
        for (var member : members) byName.put(member.name(), member);
        var steps = new ArrayList<Step>();
        int room = room(started, now);
        for (var member : members) {
            if (!member.isWaiting()) continue;
            var obstacle = obstacle(member, byName, started);
            if (obstacle != null) {
                steps.add(new Step.Skip(member, obstacle));
            } else if (room > 0 && isReady(member, byName, started)) {
                steps.add(new Step.Start(member));
                room--;
            }
        }
        return steps;
    }

    private int room(Map<String, Progress> started, Instant now) {
        int busy = (int) started.values().stream().filter(p -> p == Progress.BUSY).count();
        var most = wave.concurrency();
        int room = most == null ? Integer.MAX_VALUE : most - busy;
        if (wave.stagger().isZero()) return room;
        boolean isTooEarly =
                members.stream()
                        .map(Planned::fate)
                        .filter(fate -> fate.state() == Planned.State.STARTED)
                        .anyMatch(fate -> fate.since().plus(wave.stagger()).isAfter(now));
        return isTooEarly ? 0 : Math.min(1, room);
    }

    /** Returns the reason why a member can never start; null if it still may. */
    private static @Nullable String obstacle(
            Planned member, Map<String, Planned> all, Map<String, Progress> started) {
        for (var name : needs(member)) {
            var needed = Objects.requireNonNull(all.get(name));
            var what =
                    switch (needed.fate().state()) {
                        case WAITING -> null;
                        case REFUSED -> "was refused";
                        case SKIPPED -> "was skipped";
                        case CANCELLED -> "was cancelled";
                        case STARTED -> ended(member, name, started.get(name));
                    };
            if (what != null) return "%s %s".formatted(name, what);
        }
        return null;
    }

    /** A parent must only exist; what a member follows must have finished. */
    private static @Nullable String ended(Planned member, String name, @Nullable Progress now) {
        if (now == null) return "was removed";
        boolean isFollowed = member.follows().contains(name);
        return isFollowed && now == Progress.FAILED ? "did not finish" : null;
    }

    private static boolean isReady(
            Planned member, Map<String, Planned> all, Map<String, Progress> started) {
        var below = member.below();
        boolean hasParent = below == null || !Objects.requireNonNull(all.get(below)).isWaiting();
        return hasParent
                && member.follows().stream().allMatch(n -> started.get(n) == Progress.DONE);
    }
}
