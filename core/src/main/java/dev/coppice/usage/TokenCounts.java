package dev.coppice.usage;

/**
 * Tokens of calls of a model. The kinds are disjoint: {@code input} has none of a cache.
 *
 * @param cacheWrite written to a cache for some minutes
 * @param cacheWriteHour written to a cache for an hour
 */
public record TokenCounts(
        long input, long output, long cacheRead, long cacheWrite, long cacheWriteHour) {
    public static final TokenCounts NONE = new TokenCounts(0, 0, 0, 0, 0);

    /** Programs may report any number, and sums must fit into a long. */
    private static final long MAX = 1_000_000_000_000L;

    public TokenCounts {
        input = Math.clamp(input, 0, MAX);
        output = Math.clamp(output, 0, MAX);
        cacheRead = Math.clamp(cacheRead, 0, MAX);
        cacheWrite = Math.clamp(cacheWrite, 0, MAX);
        cacheWriteHour = Math.clamp(cacheWriteHour, 0, MAX);
    }

    public long all() {
        return prompt() + output;
    }

    /** The tokens that the model read, from a cache or not. */
    public long prompt() {
        return input + cacheRead + cacheWrite + cacheWriteHour;
    }

    /** The greater of each kind: an early report of a call may lack some. */
    TokenCounts most(TokenCounts other) {
        return new TokenCounts(
                Math.max(input, other.input),
                Math.max(output, other.output),
                Math.max(cacheRead, other.cacheRead),
                Math.max(cacheWrite, other.cacheWrite),
                Math.max(cacheWriteHour, other.cacheWriteHour));
    }
}
