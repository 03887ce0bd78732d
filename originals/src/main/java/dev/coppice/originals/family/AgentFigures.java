package dev.coppice.originals.family;

import dev.coppice.originals.family.Families.Agent;

import org.jspecify.annotations.Nullable;

import java.time.Duration;
import java.time.Instant;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;
import java.util.stream.Collectors;

/** Figures about agents, in the shapes of the relationship server's pages. */
final class AgentFigures {
    private static final double MICROS = 1_000_000;

    /** The time for which the pages show an agent after its end. */
    private static final Duration RECENT = Duration.ofMinutes(1);

    private final List<Agent> agents;
    private final Instant now;

    AgentFigures(List<Agent> agents, Instant now) {
        this.agents = List.copyOf(agents);
        this.now = now;
    }

    record Current(
            long activeAgents,
            long executionsToday,
            double successRate,
            long avgDurationMs,
            long tokensUsedToday,
            double estimatedCostToday,
            List<Active> activeAgentDetails,
            List<Share> agentTypeBreakdown) {}

    record Share(
            String type,
            long executions,
            double successRate,
            long avgDurationMs,
            long uniqueAgents,
            long totalTokens) {}

    record Active(String agentId, String agentName, String status, long durationSoFarMs) {}

    record Hour(
            String timestamp,
            long executions,
            long avgDurationMs,
            double successRate,
            String dominantAgentType,
            int agentTypesCount,
            long tokens,
            double cost) {}

    record Timeline(List<Hour> timeline) {}

    record Type(
            String type,
            long count,
            double percentage,
            long avgDurationMs,
            double successRate,
            List<String> commonTools) {}

    record Types(List<Type> distribution) {}

    record Performance(
            String agentName,
            long totalExecutions,
            double successRate,
            Spread performance,
            Tokens tokenUsage,
            List<Day> dailyTrend) {}

    record Spread(
            long p50DurationMs,
            long p95DurationMs,
            long p99DurationMs,
            long minDurationMs,
            long maxDurationMs) {}

    record Tokens(double avgTokens, long totalTokens, double estimatedCost) {}

    record Day(String date, long executions, long avgDurationMs, double successRate) {}

    record Terminal(List<Shown> activeAgents, List<Shown> recentCompletions, long timestamp) {}

    record Shown(
            String agentId,
            String agentName,
            String agentType,
            String status,
            long startTime,
            @Nullable Long durationMs,
            @Nullable String sessionId,
            String sourceApp) {}

    private static boolean isActive(Agent agent) {
        return agent.ended() == null;
    }

    private static double success(List<Agent> some) {
        var ended = some.stream().filter(a -> !isActive(a)).toList();
        long good = ended.stream().filter(a -> a.status().equals("completed")).count();
        return ended.isEmpty() ? 0 : (double) good / ended.size();
    }

    private static long millis(Agent agent, Instant now) {
        var end = agent.ended() == null ? now : agent.ended();
        return Math.max(0, Duration.between(agent.started(), end).toMillis());
    }

    private long average(List<Agent> some) {
        return Math.round(
                some.stream()
                        .filter(a -> !isActive(a))
                        .mapToLong(a -> millis(a, now))
                        .average()
                        .orElse(0));
    }

    Current current() {
        var active = agents.stream().filter(AgentFigures::isActive).toList();
        return new Current(
                active.size(),
                agents.size(),
                success(agents),
                average(agents),
                tokens(agents),
                cost(agents),
                active.stream()
                        .map(a -> new Active(a.id().value(), a.name(), "running", millis(a, now)))
                        .toList(),
                shares());
    }

    private List<Share> shares() {
        var shares = new ArrayList<Share>();
        grouped(agents, Agent::type)
                .forEach((type, some) ->
                        shares.add(
                                new Share(
                                        type,
                                        some.size(),
                                        success(some),
                                        average(some),
                                        some.stream().map(Agent::name).distinct().count(),
                                        tokens(some))));
        shares.sort(Comparator.comparingLong(Share::executions).reversed());
        return shares;
    }

    private static long tokens(List<Agent> some) {
        return some.stream().mapToLong(Agent::tokens).sum();
    }

    private static double cost(List<Agent> some) {
        return some.stream().mapToLong(Agent::costMicros).sum() / MICROS;
    }

    private static <K> Map<K, List<Agent>> grouped(List<Agent> some, Function<Agent, K> key) {
        return some.stream().collect(Collectors.groupingBy(key, TreeMap::new, Collectors.toList()));
    }

    Timeline timeline() {
        var hours = new ArrayList<Hour>();
        grouped(agents, a -> a.started().truncatedTo(ChronoUnit.HOURS))
                .forEach((hour, some) ->
                        hours.add(
                                new Hour(
                                        hour.toString(),
                                        some.size(),
                                        average(some),
                                        success(some),
                                        dominant(some),
                                        grouped(some, Agent::type).size(),
                                        tokens(some),
                                        cost(some))));
        return new Timeline(hours);
    }

    private static String dominant(List<Agent> some) {
        return grouped(some, Agent::type).entrySet().stream()
                .max(Comparator.comparingInt(e -> e.getValue().size()))
                .map(Map.Entry::getKey)
                .orElse("");
    }

    Types types() {
        var types = new ArrayList<Type>();
        grouped(agents, Agent::type)
                .forEach((type, some) ->
                        types.add(
                                new Type(
                                        type,
                                        some.size(),
                                        (double) some.size() / agents.size(),
                                        average(some),
                                        success(some),
                                        List.of())));
        types.sort(Comparator.comparingLong(Type::count).reversed());
        return new Types(types);
    }

    Performance performance(String name) {
        var mine =
                agents.stream()
                        .filter(a -> a.name().equals(name) || a.type().equals(name))
                        .toList();
        var times =
                mine.stream()
                        .filter(a -> !isActive(a))
                        .mapToLong(a -> millis(a, now))
                        .sorted()
                        .toArray();
        var days = new ArrayList<Day>();
        grouped(mine, a -> a.started().atZone(ZoneOffset.UTC).toLocalDate())
                .forEach((day, some) ->
                        days.add(
                                new Day(
                                        day.toString(),
                                        some.size(),
                                        average(some),
                                        success(some))));
        long tokens = tokens(mine);
        return new Performance(
                name,
                mine.size(),
                success(mine),
                new Spread(
                        at(times, 0.5),
                        at(times, 0.95),
                        at(times, 0.99),
                        at(times, 0),
                        at(times, 1)),
                new Tokens(mine.isEmpty() ? 0 : (double) tokens / mine.size(), tokens, cost(mine)),
                days);
    }

    private static long at(long[] sorted, double part) {
        if (sorted.length == 0) return 0;
        return sorted[(int) Math.min(sorted.length - 1L, (long) (sorted.length * part))];
    }

    Terminal terminal() {
        var active = agents.stream().filter(AgentFigures::isActive).map(this::shown).toList();
        var recent =
                agents.stream()
                        .filter(a -> a.ended() != null && a.ended().isAfter(now.minus(RECENT)))
                        .map(this::shown)
                        .toList();
        return new Terminal(active, recent, now.toEpochMilli());
    }

    Shown shown(Agent agent) {
        var status =
                switch (agent.status()) {
                    case "active" -> "active";
                    case "completed" -> "complete";
                    default -> "failed";
                };
        var parent = agent.parent();
        return new Shown(
                agent.id().value(),
                agent.name(),
                agent.type(),
                status,
                agent.started().toEpochMilli(),
                isActive(agent) ? null : millis(agent, now),
                parent == null ? null : parent.value(),
                agent.app());
    }
}
