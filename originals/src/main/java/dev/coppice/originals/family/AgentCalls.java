package dev.coppice.originals.family;

import dev.coppice.wire.Call;
import dev.coppice.wire.Field;
import dev.coppice.wire.Sizes;

import org.jspecify.annotations.Nullable;

import tools.jackson.databind.JsonNode;

/** The calls of the relationship server's pages and hooks about agents and hooks. */
final class AgentCalls {
    public static final Call<Span, Call.Bytes> CURRENT =
            read(
                    "agent_metrics",
                    "/api/agents/metrics/current",
                    Span.class,
                    "Count the agents of today, or of a period, and what they spent");
    public static final Call<Span, Call.Bytes> TIMELINE =
            read(
                    "agent_timeline",
                    "/api/agents/metrics/timeline",
                    Span.class,
                    "Count the agents of each hour");
    public static final Call<Call.Nothing, Call.Bytes> TYPES =
            read(
                    "agent_types",
                    "/api/agents/types/distribution",
                    Call.Nothing.class,
                    "Count the agents of today by type");
    public static final Call<Named, Call.Bytes> PERFORMANCE =
            read(
                    "agent_performance",
                    "/api/agents/performance/{name}",
                    Named.class,
                    "Show how long the agents of a name or type took");
    public static final Call<Call.Nothing, Call.Bytes> TOOLS =
            read(
                    "agent_tools",
                    "/api/agents/tools/usage",
                    Call.Nothing.class,
                    "Count the tools in the newest sent events");
    public static final Call<Call.Nothing, Call.Bytes> HEALTH =
            read(
                    "agent_service_health",
                    "/api/agents/health",
                    Call.Nothing.class,
                    "Say that the figures about agents are available");
    public static final Call<Call.Nothing, Call.Bytes> TERMINAL =
            read(
                    "terminal_status",
                    "/api/terminal/status",
                    Call.Nothing.class,
                    "Show the agents at work, and those that ended within the last minute");
    public static final Call<Call.Nothing, Call.Bytes> COLORS =
            read(
                    "agent_colors",
                    "/api/terminal/agent-colors",
                    Call.Nothing.class,
                    "List a color for each type of agent");
    public static final Call<Message, Call.Bytes> STARTED =
            sent("declare_agent", "/api/agents/start", "Declare that an agent has started");
    public static final Call<Message, Call.Bytes> COMPLETED =
            sent("complete_agent", "/api/agents/complete", "Declare that an agent has ended");
    public static final Call<Call.Nothing, Call.Bytes> COVERAGE =
            read(
                    "hook_coverage",
                    "/api/hooks/coverage",
                    Call.Nothing.class,
                    "Show which hooks send, from the newest sent events");
    public static final Call<Hook, Call.Bytes> CONTEXT = hook("context");
    public static final Call<Hook, Call.Bytes> EXECUTION = hook("execution-context");
    public static final Call<Hook, Call.Bytes> METRICS = hook("metrics");
    public static final Call<Hook, Call.Bytes> EVENTS = hook("events");
    public static final Call<Correlated, Call.Bytes> CORRELATED =
            read(
                    "correlated_events",
                    "/events/correlated",
                    Correlated.class,
                    "List the newest sent events that have a correlation id");
    public static final Call<Key, Call.Bytes> AGENT_NAME =
            read(
                    "agent_name",
                    "/api/agent-names/{key}",
                    Key.class,
                    "Read a name that a hook has given to an agent");
    public static final Call<Message, Call.Bytes> NAME_AGENT =
            sent("name_agent", "/api/agent-names", "Store a name for an agent");
    public static final Call<Key, Call.Bytes> SESSION_NAME =
            read(
                    "session_name",
                    "/api/session-names/{key}",
                    Key.class,
                    "Read the name of a session");
    public static final Call<Call.Nothing, Call.Bytes> FALLBACK =
            read(
                    "fallback_status",
                    "/api/fallback/status",
                    Call.Nothing.class,
                    "Say that events are stored without Redis");
    public static final Call<Call.Nothing, Call.Bytes> FALLBACK_HEALTH =
            read(
                    "fallback_health",
                    "/api/fallback/health",
                    Call.Nothing.class,
                    "Say that events are stored without Redis");
    public static final Call<Message, Call.Bytes> TEST_REDIS =
            sent("test_redis", "/api/fallback/test-redis", "Say that there is no Redis");

    private AgentCalls() {}

    private static <I extends Record> Call<I, Call.Bytes> read(
            String name, String path, Class<I> input, String says) {
        return Call.get(name, path, input, Call.Bytes.class, says).older();
    }

    private static Call<Message, Call.Bytes> sent(String name, String path, String says) {
        return Call.post(name, path, Message.class, Call.Bytes.class, says).older();
    }

    private static Call<Hook, Call.Bytes> hook(String what) {
        return read(
                "hook_" + what.replace('-', '_'),
                "/api/hooks/{type}/" + what,
                Hook.class,
                "Show the " + what.replace('-', ' ') + " of a hook, from the newest sent events");
    }

    /** A period. */
    public record Span(
            @Field("from this time, in milliseconds; with end") @Nullable Long start,
            @Field("before this time, in milliseconds") @Nullable Long end,
            @Field(value = "else the last hours", min = 1, max = HOURS_MAX)
                    @Nullable Integer hours) {}

    /** Selects agents by name or type. */
    public record Named(
            @Field(value = "a name or type", chars = Sizes.LABEL_CHARS_MAX) String name,
            @Field(value = "of the last days", fallback = "7", min = 1, max = DAYS_MAX) int days) {}

    /** Selects a hook. */
    public record Hook(
            @Field(value = "the hook, such as pre_tool_use", chars = Sizes.LABEL_CHARS_MAX)
                    String type,
            @Field(value = "the maximum number of events", fallback = "50", min = 1, max = 1000)
                    int limit) {}

    /** Selects correlated events. */
    public record Correlated(
            @Field("only events with this id") @Nullable String correlationId,
            @Field(value = "the maximum number of events", fallback = "50", min = 1, max = 1000)
                    int limit) {}

    /** Selects a name. */
    public record Key(@Field(value = "the key", chars = Sizes.LABEL_CHARS_MAX) String key) {}

    /** A message of the relationship server's hooks. */
    public record Message(
            @Field(value = "what is declared", in = Field.In.WHOLE_BODY) JsonNode message) {}

    static final int HOURS_MAX = 24 * 31;
    static final int DAYS_MAX = 90;
}
