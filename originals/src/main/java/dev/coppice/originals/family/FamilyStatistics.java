package dev.coppice.originals.family;

import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonUnwrapped;

import dev.coppice.originals.family.Families.Count;
import dev.coppice.originals.family.Families.Pair;

import org.jspecify.annotations.Nullable;

import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Function;

/** Counts of related pairs, as the relationship server answers them and as its pages read them. */
record FamilyStatistics(
        @JsonProperty("totalRelationships") long totalRelationships,
        @JsonProperty("relationshipTypes") Map<String, Long> relationshipTypes,
        @JsonProperty("spawnReasons") Map<String, Long> spawnReasons,
        @JsonProperty("delegationTypes") Map<String, Long> delegationTypes,
        @JsonProperty("averageDepth") double averageDepth,
        @JsonProperty("maxDepth") int maxDepth,
        @JsonProperty("completionRate") double completionRate) {

    /** The server answered the counts themselves; the pages read them in {@code stats}. */
    record Answer(@JsonUnwrapped FamilyStatistics counts, FamilyStatistics stats) {}

    static Answer of(List<Count> counts) {
        long pairs = counts.stream().mapToLong(Count::pairs).sum();
        long depths = counts.stream().mapToLong(Count::depths).sum();
        long ended = counts.stream().mapToLong(Count::ended).sum();
        var all =
                new FamilyStatistics(
                        pairs,
                        by(counts, Pair::type),
                        by(counts, Pair::reason),
                        by(counts, Pair::delegation),
                        pairs == 0 ? 0 : (double) depths / pairs,
                        counts.stream().mapToInt(Count::deepest).max().orElse(0),
                        pairs == 0 ? 0 : (double) ended / pairs);
        return new Answer(all, all);
    }

    private static Map<String, Long> by(List<Count> counts, Function<Pair, @Nullable String> word) {
        var sums = new TreeMap<String, Long>();
        for (var count : counts) {
            var key = word.apply(count.pair());
            if (key != null) sums.merge(key, count.pairs(), Long::sum);
        }
        return sums;
    }
}
