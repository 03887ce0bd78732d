package dev.coppice.originals.family;

import dev.coppice.originals.family.Families.Member;
import dev.coppice.originals.family.Families.Pair;

import org.jspecify.annotations.Nullable;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;

/** A session in the shape of the relationship server, with its children. */
record FamilyNode(
        String sessionId,
        @Nullable String parentSessionId,
        String sessionType,
        String agentName,
        long startTime,
        @Nullable Long endTime,
        @Nullable Long durationMs,
        String status,
        long agentCount,
        long totalTokens,
        List<FamilyNode> children,
        int depth,
        String path,
        @Nullable String relationshipType,
        @Nullable String spawnReason) {

    /** Builds the tree of a family, which lists parents before their children. */
    static FamilyNode of(List<Member> family) {
        var nodes = new HashMap<String, FamilyNode>();
        for (var member : family) {
            var node = node(member);
            nodes.put(node.sessionId(), node);
            var above = node.parentSessionId() == null ? null : nodes.get(node.parentSessionId());
            if (above != null) above.children().add(node);
        }
        var top = nodes.get(family.getFirst().id().value());
        if (top == null) throw new IllegalStateException("a family has a top");
        return top;
    }

    static FamilyNode node(Member m) {
        var ended = m.ended() == null ? null : m.ended().toEpochMilli();
        long started = m.started().toEpochMilli();
        return new FamilyNode(
                m.id().value(),
                m.parent() == null ? null : m.parent().value(),
                m.type(),
                m.name(),
                started,
                ended,
                ended == null ? null : ended - started,
                m.status(),
                m.children(),
                m.tokens(),
                new ArrayList<>(),
                m.depth(),
                m.path(),
                m.pair() == null ? null : m.pair().type(),
                reason(m.pair()));
    }

    private static @Nullable String reason(@Nullable Pair pair) {
        return pair == null ? null : pair.reason();
    }

    /** This session without its children. */
    FamilyNode alone() {
        return new FamilyNode(
                sessionId,
                parentSessionId,
                sessionType,
                agentName,
                startTime,
                endTime,
                durationMs,
                status,
                agentCount,
                totalTokens,
                List.of(),
                depth,
                path,
                relationshipType,
                spawnReason);
    }
}
