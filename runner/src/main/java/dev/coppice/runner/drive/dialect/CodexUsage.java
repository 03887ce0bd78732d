package dev.coppice.runner.drive.dialect;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.util.Optional;

/** Makes what was spent since the last look of Codex's running sums. It tells no cost. */
final class CodexUsage {
    private long read;
    private long written;

    Optional<Upstream.Spent> since(JsonNode sums) {
        long readNow = sums.path("inputTokens").asLong(0);
        long writtenNow = sums.path("outputTokens").asLong(0);
        var spent =
                new Upstream.Spent(
                        Math.max(0, readNow - read),
                        Math.max(0, writtenNow - written),
                        BigDecimal.ZERO);
        read = Math.max(read, readNow);
        written = Math.max(written, writtenNow);
        return spent.isNothing() ? Optional.empty() : Optional.of(spent);
    }
}
