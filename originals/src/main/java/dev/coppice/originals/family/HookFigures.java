package dev.coppice.originals.family;

import dev.coppice.hooks.SentText;
import dev.coppice.observe.Observations.Sent;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.PropertyNamingStrategies;
import tools.jackson.databind.annotation.JsonNaming;

import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;

/**
 * Figures about hooks and tools, in the shapes of the relationship server's pages, computed from
 * the newest sent events.
 */
final class HookFigures {
    private static final Map<String, String> HOOKS = hooks();
    private static final Duration ACTIVE = Duration.ofDays(1);
    private static final int ERRORS_MAX = 10;

    private final List<Seen> events;
    private final Instant now;

    HookFigures(List<Sent> newest, Instant now) {
        this.events = newest.stream().map(Seen::of).toList();
        this.now = now;
    }

    private static Map<String, String> hooks() {
        var hooks = new LinkedHashMap<String, String>();
        for (var event :
                List.of(
                        "SessionStart",
                        "UserPromptSubmit",
                        "PreToolUse",
                        "PostToolUse",
                        "SubagentStart",
                        "SubagentStop",
                        "Stop",
                        "Notification")) {
            var type = event.replaceAll("(?<=[a-z])([A-Z])", "_$1").toLowerCase(Locale.ROOT);
            hooks.put(type, event);
        }
        hooks.put("precompact", "PreCompact");
        return hooks;
    }

    /** Returns the event that a hook sends; the word itself if the hook is unknown. */
    static String event(String hook) {
        return HOOKS.getOrDefault(hook, hook);
    }

    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    record Hook(
            String type,
            String displayName,
            String description,
            String icon,
            String status,
            @Nullable Long lastExecution,
            long executionCount,
            String executionRate,
            double successRate,
            @Nullable String lastError) {}

    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    record Coverage(
            List<Hook> hooks,
            long lastUpdated,
            long totalActiveHooks,
            long totalInactiveHooks,
            long totalErrorHooks,
            double overallSuccessRate) {}

    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    record Depths(int min, int max) {}

    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    record ToolUse(
            String name,
            long count,
            double successRate,
            List<String> commonParams,
            long avgDuration) {}

    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    record AgentUse(
            String id,
            String name,
            String type,
            long executions,
            long avgDuration,
            long totalTokens) {}

    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    record Failure(String id, long timestamp, String source, String message) {}

    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    record Metrics(
            long totalExecutions,
            long avgDuration,
            long medianDuration,
            long p95Duration,
            long totalTokens,
            long avgTokensPerExecution,
            double totalCost) {}

    @JsonNaming(PropertyNamingStrategies.LowerCamelCaseStrategy.class)
    record Context(
            List<String> sourceApps,
            List<String> activeSessions,
            Depths sessionDepthRange,
            long totalExecutions,
            long avgDuration,
            long medianDuration,
            long p95Duration,
            long totalTokens,
            long avgTokensPerExecution,
            double totalCost,
            List<ToolUse> toolUsage,
            List<AgentUse> agentActivity,
            List<String> patterns,
            List<Failure> recentErrors) {}

    record Tool(
            String name,
            long usageCount,
            double percentage,
            long agentTypesUsing,
            double avgPerExecution,
            List<String> agentsUsing) {}

    record Insights(String mostUsedTool, String leastUsedTool, int totalUniqueTools) {}

    record Tools(List<Tool> tools, Insights insights) {}

    private List<Seen> of(String hook) {
        var event = event(hook);
        return events.stream()
                .filter(e -> e.type().equals(event) || e.type().equals(hook))
                .toList();
    }

    Coverage coverage() {
        var hooks = HOOKS.keySet().stream().map(this::hook).toList();
        double rates =
                hooks.stream()
                        .filter(h -> h.executionCount() > 0)
                        .mapToDouble(Hook::successRate)
                        .average()
                        .orElse(0);
        return new Coverage(
                hooks,
                now.toEpochMilli(),
                count(hooks, "active"),
                count(hooks, "inactive"),
                count(hooks, "error"),
                rates);
    }

    private static long count(List<Hook> hooks, String status) {
        return hooks.stream().filter(h -> h.status().equals(status)).count();
    }

    private Hook hook(String type) {
        var mine = of(type);
        var last = mine.isEmpty() ? null : mine.getLast().sent().at();
        var errors = mine.stream().map(Seen::error).filter(e -> e != null).toList();
        double success = mine.isEmpty() ? 0 : 100.0 * (mine.size() - errors.size()) / mine.size();
        boolean isActive = last != null && last.isAfter(now.minus(ACTIVE));
        var status = !isActive ? "inactive" : success < 50 ? "error" : "active";
        long day = mine.stream().filter(e -> e.sent().at().isAfter(now.minus(ACTIVE))).count();
        return new Hook(
                type,
                event(type),
                "Events of type " + event(type),
                "",
                status,
                last == null ? null : last.toEpochMilli(),
                mine.size(),
                day + "/day",
                success,
                errors.isEmpty() ? null : errors.getLast());
    }

    Metrics metrics(String hook) {
        var mine = of(hook);
        var times = times(mine);
        return new Metrics(mine.size(), average(times), at(times, 0.5), at(times, 0.95), 0, 0, 0);
    }

    private static long[] times(List<Seen> some) {
        return some.stream().mapToLong(Seen::millis).filter(ms -> ms > 0).sorted().toArray();
    }

    private static long average(long[] times) {
        return Math.round(Arrays.stream(times).average().orElse(0));
    }

    private static long at(long[] sorted, double part) {
        return sorted.length == 0 ? 0 : sorted[(int) ((sorted.length - 1) * part)];
    }

    Context context(String hook) {
        var mine = of(hook);
        var metrics = metrics(hook);
        var apps = new LinkedHashSet<String>();
        var sessions = new LinkedHashSet<String>();
        mine.forEach(e -> {
            apps.add(e.app());
            sessions.add(e.session());
        });
        boolean hasAgents = mine.stream().anyMatch(e -> e.agent().isPresent());
        return new Context(
                List.copyOf(apps),
                List.copyOf(sessions),
                new Depths(0, hasAgents ? 1 : 0),
                metrics.totalExecutions(),
                metrics.avgDuration(),
                metrics.medianDuration(),
                metrics.p95Duration(),
                metrics.totalTokens(),
                metrics.avgTokensPerExecution(),
                metrics.totalCost(),
                toolUses(mine),
                agentUses(mine),
                List.of(),
                failures(mine));
    }

    private static List<ToolUse> toolUses(List<Seen> some) {
        var uses = new ArrayList<ToolUse>();
        byTool(some)
                .forEach((tool, mine) -> {
                    long good = mine.stream().filter(e -> e.error() == null).count();
                    uses.add(
                            new ToolUse(
                                    tool,
                                    mine.size(),
                                    (double) good / mine.size(),
                                    List.of(),
                                    average(times(mine))));
                });
        return uses;
    }

    private static Map<String, List<Seen>> byTool(List<Seen> some) {
        var tools = new TreeMap<String, List<Seen>>();
        for (var event : some) {
            if (event.tool().isEmpty()) continue;
            tools.computeIfAbsent(event.tool(), _ -> new ArrayList<>()).add(event);
        }
        return tools;
    }

    private static List<AgentUse> agentUses(List<Seen> some) {
        var agents = new LinkedHashMap<String, List<Seen>>();
        for (var event : some) {
            event.agent()
                    .ifPresent(id -> agents.computeIfAbsent(id, _ -> new ArrayList<>()).add(event));
        }
        var uses = new ArrayList<AgentUse>();
        agents.forEach((id, mine) -> {
            var type = mine.getLast().agentType();
            uses.add(new AgentUse(id, id, type, mine.size(), average(times(mine)), 0));
        });
        return uses;
    }

    private static List<Failure> failures(List<Seen> some) {
        var failures = new ArrayList<Failure>();
        for (var event : some.reversed()) {
            var error = event.error();
            if (error == null || failures.size() == ERRORS_MAX) continue;
            var id = Long.toString(event.sent().number());
            failures.add(new Failure(id, event.sent().at().toEpochMilli(), event.app(), error));
        }
        return failures;
    }

    /** The texts of the newest events of a hook, newest first. */
    List<String> texts(String hook, int max) {
        return of(hook).reversed().stream().limit(max).map(e -> SentText.of(e.sent())).toList();
    }

    /** The texts of events with a correlation id, or with this one, oldest first. */
    List<String> correlated(@Nullable String id, int max) {
        var found =
                events.stream()
                        .filter(e -> {
                            var its = e.correlation();
                            return id == null ? !its.isEmpty() : its.equals(id);
                        })
                        .toList();
        return found.subList(Math.max(0, found.size() - max), found.size()).stream()
                .map(e -> SentText.of(e.sent()))
                .toList();
    }

    /** Returns each use by its own event; without such events, the tools that others list. */
    private Map<String, List<Seen>> usesOfTools() {
        var own = events.stream().filter(e -> e.type().equals("PreToolUse")).toList();
        var uses = byTool(own);
        var told = own.stream().map(e -> e.sent().node()).collect(Collectors.toSet());
        for (var event : events) {
            if (told.contains(event.sent().node())) continue;
            for (var tool : event.tools()) {
                uses.computeIfAbsent(tool, _ -> new ArrayList<>()).add(event);
            }
        }
        return uses;
    }

    private static long agentTypes(List<Seen> some) {
        return some.stream().map(Seen::agentType).filter(t -> !t.isEmpty()).distinct().count();
    }

    Tools tools() {
        var uses = usesOfTools();
        long all = uses.values().stream().mapToLong(List::size).sum();
        long sessions = Math.max(1, events.stream().map(e -> e.sent().node()).distinct().count());
        var tools = new ArrayList<Tool>();
        uses.forEach((tool, mine) ->
                tools.add(
                        new Tool(
                                tool,
                                mine.size(),
                                (double) mine.size() / all,
                                agentTypes(mine),
                                (double) mine.size() / sessions,
                                mine.stream().map(Seen::app).distinct().toList())));
        tools.sort(Comparator.comparingLong(Tool::usageCount).reversed());
        var none = "None";
        return new Tools(
                tools,
                new Insights(
                        tools.isEmpty() ? none : tools.getFirst().name(),
                        tools.isEmpty() ? none : tools.getLast().name(),
                        tools.size()));
    }
}
