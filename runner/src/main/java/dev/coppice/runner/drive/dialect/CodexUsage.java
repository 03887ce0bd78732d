package dev.coppice.runner.drive.dialect;

import tools.jackson.databind.JsonNode;

import java.math.BigDecimal;
import java.util.Optional;

/** Converts Codex's running sums to what was spent since the last call. Codex reports no cost. */
final class CodexUsage {
    private long read = -1;
    private long written;

    /**
     * {@code sums} are those of the thread, which include earlier turns; {@code last} is the use of
     * the model's last answer.
     */
    Optional<Upstream.Spent> since(JsonNode sums, JsonNode last) {
        long readNow = sums.path("inputTokens").asLong(0);
        long writtenNow = sums.path("outputTokens").asLong(0);
        if (read < 0) {
            read = readNow - last.path("inputTokens").asLong(readNow);
            written = writtenNow - last.path("outputTokens").asLong(writtenNow);
        }
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
