package dev.coppice.runner.drive.dialect;

import dev.coppice.wire.Json;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/**
 * Counts the tokens and dollars of Claude Code. A message of the model reports its input tokens, so
 * that a budget applies within a turn. The result of a turn reports output tokens and cost, for all
 * agents together. Usage that belongs to no known subagent is reported as the session's own.
 *
 * <p>The program's sums continue in a resumed conversation. Each turn's event has them, so the next
 * run knows how much was counted before.
 */
final class ClaudeUsage {
    private static final String READ = "input_tokens_so_far";
    private static final String WRITTEN = "output_tokens_so_far";
    private static final String DOLLARS = "cost_usd_so_far";

    private final Upstream up;
    private final Set<String> messages = new HashSet<>();
    private final Map<String, Long> ofAgents = new HashMap<>();
    private long readTold;
    private long writtenTold;
    private BigDecimal dollarsTold;

    /** {@code lastTurn} has the sums of the conversation so far, if it has any. */
    ClaudeUsage(Upstream up, JsonNode lastTurn) {
        this.up = up;
        this.readTold = lastTurn.path(READ).asLong(0);
        this.writtenTold = lastTurn.path(WRITTEN).asLong(0);
        this.dollarsTold = BigDecimal.valueOf(lastTurn.path(DOLLARS).asDouble(0));
    }

    /** Returns the sums for the event of a turn. */
    Map<String, ?> sums() {
        return Map.of(READ, readTold, WRITTEN, writtenTold, DOLLARS, dollarsTold);
    }

    /** A message is repeated with each of its blocks; it counts once. */
    void heard(String agent, JsonNode message) {
        var id = Json.textIfAny(message, "id");
        if (id == null || !messages.add(id)) return;
        var usage = message.path("usage");
        long read =
                usage.path("input_tokens").asLong(0)
                        + usage.path("cache_creation_input_tokens").asLong(0)
                        + usage.path("cache_read_input_tokens").asLong(0);
        readTold += read;
        ofAgents.merge(agent, read, Long::sum);
        tell(agent, new Upstream.Spent(read, 0, BigDecimal.ZERO));
    }

    /** Counts an ended subagent. {@code tokens} is the sum of both kinds. */
    void ended(String agent, long tokens) {
        long written = tokens - ofAgents.getOrDefault(agent, 0L);
        if (written <= 0) return;
        writtenTold += written;
        tell(agent, new Upstream.Spent(0, written, BigDecimal.ZERO));
    }

    /** The sums of a result are those of the whole process. */
    void turned(JsonNode result) {
        long read = 0;
        long written = 0;
        for (var model : result.path("modelUsage")) {
            read +=
                    model.path("inputTokens").asLong(0)
                            + model.path("cacheReadInputTokens").asLong(0)
                            + model.path("cacheCreationInputTokens").asLong(0);
            written += model.path("outputTokens").asLong(0);
        }
        var dollars = BigDecimal.valueOf(result.path("total_cost_usd").asDouble(0));
        var spent =
                new Upstream.Spent(
                        Math.max(0, read - readTold),
                        Math.max(0, written - writtenTold),
                        dollars.subtract(dollarsTold).max(BigDecimal.ZERO));
        readTold = Math.max(read, readTold);
        writtenTold = Math.max(written, writtenTold);
        dollarsTold = dollars.max(dollarsTold);
        tell(Upstream.SELF, spent);
    }

    private void tell(String agent, Upstream.Spent spent) {
        if (!spent.isNothing()) up.spent(agent, spent);
    }
}
